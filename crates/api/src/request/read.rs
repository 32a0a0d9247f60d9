//! The reader of requests: from bytes to fields, or to the problem with them.
//!
//! The reader turns JSON into a value, and the value into fields. The error of a field says which value was expected (see
//! [`fields`](super::fields)). After an error the reader reads each field alone to find the wrong one, so no decision
//! depends on the messages of the deserializer.

use std::{fmt, iter};

use serde::de::value::MapDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment, deserialize};

use super::{Fields, Prepare, Request};
use crate::{Problem, ProblemKind};
use bestmove_engine::game::excerpt;

/// The depth of nesting from which on JSON is refused.
const DEEPEST: usize = 127;

/// Reads a request.
///
/// # Errors
/// Where the body is no JSON, or a field is wrong.
pub fn read<R: Prepare>(body: &[u8]) -> Result<Request<R>, Problem> {
    read_value(value(body)?)
}

/// Reads a request from a JSON value.
///
/// # Errors
/// Where a field is wrong.
pub fn read_value<R: Prepare>(value: Value) -> Result<Request<R>, Problem> {
    members::<Fields>("", &object(value)?, &R::FIELDS.concat()).map(Request::of)
}

/// Reads an object.
///
/// # Errors
/// Where the body is no JSON, or no object.
pub fn read_object(body: &[u8]) -> Result<Map<String, Value>, Problem> {
    object(value(body)?)
}

fn object(value: Value) -> Result<Map<String, Value>, Problem> {
    match value {
        Value::Object(members) => Ok(members),
        other => Err(wrong("", "an object", &other)),
    }
}

/// Reads JSON in which no member is repeated.
pub(super) fn value(body: &[u8]) -> Result<Value, Problem> {
    let text =
        std::str::from_utf8(body).map_err(|error| malformed(format!("expected UTF-8: {error}")))?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let error = match deserialize::<_, Unique>(&mut reader) {
        Ok(Unique(value)) if reader.end().is_ok() => return Ok(value),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return Err(malformed(format!("expected one JSON object: {error}")));
    }
    // The text is valid JSON.
    let Some(error) = error else { return Err(malformed("expected one JSON object".to_owned())) };
    let (path, error) = (error.path(), error.inner());
    let place = pointer(path);
    let detail = if error.is_data() {
        error.to_string()
    } else if path.iter().count() >= DEEPEST {
        "expected fewer arrays and objects in each other".to_owned()
    } else {
        format!(
            "expected numbers up to 1.7e308, and Unicode with surrogates in pairs, but got: {error}"
        )
    };
    Err(problem(&place, &detail))
}

/// JSON in which no member is repeated.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Self)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unique(value)) = elements.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value =
                members.next_value_seed(Member { is_repeated: values.contains_key(&name) })?;
            values.insert(name, value);
        }
        Ok(values.into())
    }
}

/// The value of a member. A repeated member is refused with its place.
struct Member {
    is_repeated: bool,
}

impl<'de> DeserializeSeed<'de> for Member {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if self.is_repeated {
            return Err(D::Error::custom("the field is repeated"));
        }
        deserializer.deserialize_any(UniqueVisitor)
    }
}

/// Names of fields in other services, and the names here.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("fen", "position"),
    ("board", "position"),
    ("state", "position"),
    ("pgn", "moves"),
    ("history", "moves"),
    ("movetime", "time_ms"),
    ("time", "time_ms"),
    ("difficulty", "level"),
];

/// Reads an object, whose JSON Pointer is `place`. Members with names outside `names` are refused.
pub(super) fn members<T: DeserializeOwned>(
    place: &str,
    members: &Map<String, Value>,
    names: &[&str],
) -> Result<T, Problem> {
    if let Some(unknown) = members.keys().find(|name| !names.contains(&name.as_str())) {
        let (unknown_name, names_list) = (excerpt(unknown), names.join("`, `"));
        let meant =
            OTHER_NAMES.iter().find(|(other, name)| other == unknown && names.contains(name));
        let advice = meant.map(|(_, name)| format!(": use `{name}`")).unwrap_or_default();
        let detail =
            format!("unknown field `{unknown_name}`{advice}; expected one of `{names_list}`");
        let problem = Problem::new(ProblemKind::InvalidRequest, detail);
        return Err(problem.at(format!("{place}/{}", escaped(unknown))).allowing(names.to_vec()));
    }
    T::deserialize(members).map_err(|error| {
        let fault = members.iter().find_map(|(name, value)| {
            let expected = alone::<T>(name, value).err()?;
            let unquoted = value.as_str().and_then(|text| serde_json::from_str(text).ok());
            let is_quoted = unquoted.is_some_and(|value| alone::<T>(name, &value).is_ok());
            Some(refused(&format!("{place}/{name}"), expected, value, is_quoted))
        });
        fault.unwrap_or_else(|| problem(place, &error.to_string()))
    })
}

/// Reads an object with one member.
fn alone<T: DeserializeOwned>(name: &str, value: &Value) -> Result<T, serde_json::Error> {
    T::deserialize(MapDeserializer::new(iter::once((name, value))))
}

/// Reads the elements of an array, whose JSON Pointer is `place`, as texts.
pub(super) fn elements<T: DeserializeOwned + Into<String>>(
    place: &str,
    elements: &[Value],
) -> Result<Vec<String>, Problem> {
    let texts = elements.iter().enumerate().map(|(index, value)| {
        let element = T::deserialize(value).map(Into::into);
        element.map_err(|expected: serde_json::Error| {
            wrong(&format!("{place}/{index}"), expected, value)
        })
    });
    texts.collect()
}

/// The problem with an unexpected value, whose JSON Pointer is `place`.
pub(super) fn wrong(place: &str, expected: impl fmt::Display, got: &Value) -> Problem {
    refused(place, expected, got, false)
}

/// As [`wrong`]; `is_quoted` where the value without quotes is right.
fn refused(place: &str, expected: impl fmt::Display, got: &Value, is_quoted: bool) -> Problem {
    let shown = match got {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::String(text) => format!("the string {:?}", excerpt(text)),
        other => other.to_string(),
    };
    let text = got.as_str().filter(|_| is_quoted).map(excerpt);
    let advice = text.map(|text| format!(": write {text} without quotes")).unwrap_or_default();
    problem(place, &format!("expected {expected} but got {shown}{advice}"))
}

/// A problem with the value whose JSON Pointer is `place`.
pub(super) fn problem(place: &str, detail: &str) -> Problem {
    let mut words = String::new();
    for name in place.split('/').skip(1) {
        let is_index = name.parse::<usize>().is_ok();
        match (is_index, words.is_empty()) {
            (true, _) => words.extend(["[", name, "]"]),
            (false, true) => words.push_str(name),
            (false, false) => words.extend([".", name]),
        }
    }
    let words = if words.is_empty() { words } else { format!("{}: ", excerpt(&words)) };
    Problem::new(ProblemKind::InvalidRequest, words + detail).at(place)
}

fn malformed(detail: String) -> Problem {
    Problem::new(ProblemKind::MalformedJson, detail)
}

/// A path as a JSON Pointer (RFC 6901). A long pointer is cut at a step, and leads to an outer value.
fn pointer(path: &Path) -> String {
    const LONGEST: usize = 100;
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.extend(["/", &index.to_string()]),
            Segment::Map { key } => pointer.extend(["/", &escaped(key)]),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
        if pointer.chars().count() >= LONGEST {
            break;
        }
    }
    pointer
}

/// The name of a member, escaped for a JSON Pointer.
fn escaped(name: &str) -> String {
    excerpt(name).replace('~', "~0").replace('/', "~1")
}

/// The parameters of a query with lists. Elements are separated by commas, or the parameter is repeated.
const LISTS: [&str; 3] = ["include", "arrows", "marks"];
/// The parameters of a query with moves. A repeated parameter adds moves.
const TEXTS: [&str; 2] = ["moves", "search_moves"];
/// The parameters of a query that are true where they have no value.
const FLAGS: [&str; 2] = ["flip", "coordinates"];
/// The parameters of a query that may be numbers.
const NUMBERS: [&str; 6] = ["depth", "time_ms", "nodes", "level", "seed", "size"];

/// Reads a request from the query of a URL. The parameters are the fields. A blank parameter is absent, since forms send
/// the fields that nobody has filled in.
///
/// # Errors
/// Where a field is wrong, or a parameter is repeated that is no list.
pub fn read_query<R: Prepare>(query: &str) -> Result<Request<R>, Problem> {
    let pairs: Vec<(String, String)> = serde_html_form::from_str(query).map_err(|error| {
        Problem::new(ProblemKind::InvalidRequest, format!("the query: {error}"))
    })?;
    let mut members = Map::new();
    for (name, text) in pairs {
        // Pages and forms write `moves[]` for lists.
        let name = name.strip_suffix("[]").unwrap_or(&name).to_owned();
        let is_field = R::FIELDS.iter().any(|group| group.contains(&name.as_str()));
        if text.trim().is_empty() && is_field && !FLAGS.contains(&name.as_str()) {
            continue;
        }
        if LISTS.contains(&name.as_str()) {
            let elements = text.split(',').map(Value::from);
            if let Value::Array(list) = members.entry(name).or_insert(Value::Array(Vec::new())) {
                list.extend(elements);
            }
            continue;
        }
        let is_text = TEXTS.contains(&name.as_str());
        let value = match members.get(&name) {
            Some(Value::String(first)) if is_text => format!("{first},{text}").into(),
            None => scalar(&name, text),
            Some(_) => {
                let place = format!("/{}", escaped(&name));
                return Err(problem(&place, "expected the parameter once but it is repeated"));
            }
        };
        members.insert(name, value);
    }
    read_value(members.into())
}

fn scalar(name: &str, text: String) -> Value {
    let number =
        NUMBERS.contains(&name).then(|| text.trim().parse::<serde_json::Number>().ok()).flatten();
    number.map_or(Value::String(text), Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnalysisRequest, PositionRequest};

    /// The body of the problem.
    fn told<R: Prepare>(read: Result<Request<R>, Problem>) -> Value {
        let problem = read.err().expect("the request is wrong");
        serde_json::from_str(&problem.body("id")).expect("a problem is JSON")
    }

    #[test]
    fn the_place_of_a_repeated_parameter_is_a_json_pointer() {
        let problem = told(read_query::<PositionRequest>("a~b%2Fc=1&a~b%2Fc=2"));
        assert_eq!(problem["field"], "/a~0b~1c");
    }

    #[test]
    fn a_repeated_member_is_refused_wherever_it_stands() {
        for (body, place) in [
            (r#"{"game": "a", "game": "b"}"#, "/game"),
            (r#"{"position": {"board": [], "board": []}}"#, "/position/board"),
            (r#"{"moves": [{"a/b": 1, "a/b": 2}]}"#, "/moves/0/a~1b"),
        ] {
            assert_eq!(told(read::<PositionRequest>(body.as_bytes()))["field"], place, "{body}");
        }
    }

    #[test]
    fn a_truth_value_in_quotes_is_shown_without() {
        for (body, is_advised) in [(r#"{"exact": "true"}"#, true), (r#"{"exact": "yes"}"#, false)] {
            let problem = told(read::<AnalysisRequest>(body.as_bytes()));
            let detail = problem["detail"].as_str().expect("a sentence");
            assert!(detail.contains("expected a boolean but got the string"), "{detail}");
            assert_eq!(detail.contains("write true without quotes"), is_advised, "{detail}");
        }
    }

    /// No decision depends on the messages of the deserializer.
    #[test]
    fn a_field_named_like_a_message_of_the_reader_is_an_unknown_field() {
        for name in ["duplicate field `game`", "invalid type: map, expected a string", "a`b"] {
            let body = serde_json::json!({ name: 1 }).to_string();
            let problem = told(read::<PositionRequest>(body.as_bytes()));
            assert_eq!(problem["field"], format!("/{name}"));
            let allowed = serde_json::json!(["game", "variant", "position", "moves"]);
            assert_eq!(problem["allowed"], allowed);
        }
    }
}
