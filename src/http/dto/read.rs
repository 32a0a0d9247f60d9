//! From bytes to a request, and what is wrong where that fails.
//!
//! A body is read straight into its type. Only where that fails it is read again as a
//! [`Document`], whose errors are values ([`Fault`]) and no texts to be parsed.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::{MapDeserializer, SeqAccessDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, Deserializer, Expected, IgnoredAny, IntoDeserializer};
use serde::de::{Deserialize, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use crate::http::problem::{Kind, Problem};

/// Reads a request.
/// Refuses first of all a body that is no JSON, then a field that is wrong.
pub(in crate::http) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let text =
        std::str::from_utf8(body).map_err(|error| malformed(format!("expected UTF-8: {error}")))?;
    if text.trim_ascii_start().starts_with('{')
        && let Ok(request) = serde_json::from_str(text)
    {
        return Ok(request);
    }
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return Err(malformed(format!("expected one JSON object: {error}")));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let document: Document = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| unsupported(error.path(), error.inner()))?;
    if let Document::Array(_) = document {
        // A derived reader would take the elements for the fields in their order.
        return Err(
            Problem::new(Kind::InvalidRequest, "expected an object but got an array").at("")
        );
    }
    read_document(document)
}

/// Reads a request whose JSON has been read already.
pub(in crate::http) fn read_object<T: DeserializeOwned>(
    members: serde_json::Map<String, Value>,
) -> Result<T, Problem> {
    let document = Document::deserialize(Value::Object(members));
    read_document(document.map_err(|error| malformed(error.to_string()))?)
}

fn malformed(detail: String) -> Problem {
    Problem::new(Kind::MalformedJson, detail)
}

/// Valid JSON that is too deeply nested, or has a number that is too large or text that is no Unicode.
fn unsupported(path: &Path, error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
    let problem = |detail: String| Problem::new(Kind::InvalidRequest, detail);
    match reason {
        // Its path would be as long.
        "recursion limit exceeded" => {
            problem("expected fewer arrays and objects in each other".to_owned())
        }
        _ if reason.contains("hex escape") => problem(format!(
            "expected Unicode, with surrogates in pairs, but got text with one alone: {error}"
        )),
        _ => problem(placed(path, reason)).at(pointer(path)),
    }
}

fn read_document<T: DeserializeOwned>(document: Document) -> Result<T, Problem> {
    serde_path_to_error::deserialize(document)
        .map_err(|error| fault_problem(error.path(), error.inner()))
}

fn fault_problem(path: &Path, fault: &Fault) -> Problem {
    let problem = |detail: String| Problem::new(Kind::InvalidRequest, detail);
    match fault {
        Fault::Repeated(name) => problem(format!("the field `{name}` is repeated"))
            .at(format!("{}/{name}", pointer(path))),
        Fault::Unknown { name, allowed } => {
            let names: Vec<_> = allowed.iter().map(|name| format!("`{name}`")).collect();
            let expected = names.join(", ");
            problem(format!("unknown field `{name}`; expected one of {expected}"))
                .at(pointer(path))
                .allowing(allowed.iter().copied())
        }
        Fault::Wrong { expected, got } => {
            problem(placed(path, &format!("expected {expected} but got {got}"))).at(pointer(path))
        }
        Fault::Other(reason) => problem(placed(path, reason)).at(pointer(path)),
    }
}

fn placed(path: &Path, reason: &str) -> String {
    match path.to_string().as_str() {
        "." => reason.to_owned(),
        place => format!("{place}: {reason}"),
    }
}

/// A path as a JSON Pointer (RFC 6901).
fn pointer(path: &Path) -> String {
    let steps = path.iter().map(|segment| match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } => format!("/{}", escaped(key)),
        Segment::Enum { .. } | Segment::Unknown => String::new(),
    });
    steps.collect()
}

/// The name of a member as a JSON Pointer has it.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The parameters of a query that are lists: separated by commas, repeated, or both.
const LISTS: [&str; 5] = ["moves", "search_moves", "include", "arrows", "marks"];
/// The parameters of a query that are numbers, or may be.
const NUMBERS: [&str; 6] = ["depth", "time_ms", "nodes", "level", "seed", "size"];

/// Reads a request from the query of a URL: the same fields by the same rules.
pub(in crate::http) fn read_query<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    let pairs: Vec<(String, String)> = serde_html_form::from_str(query)
        .map_err(|error| Problem::new(Kind::InvalidRequest, format!("the query: {error}")))?;
    read_texts(pairs)
}

/// Reads a request whose fields are texts, each with its name.
pub(in crate::http) fn read_texts<T: DeserializeOwned>(
    texts: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
) -> Result<T, Problem> {
    let mut members = Vec::new();
    let mut lists = BTreeMap::<String, Vec<Document>>::new();
    for (name, text) in texts {
        let (name, text) = (name.into(), text.into());
        if LISTS.contains(&name.as_str()) {
            let elements = text.split(',').filter(|_| !text.is_empty());
            let list = lists.entry(name).or_default();
            list.extend(elements.map(|element| Document::Scalar(element.into())));
        } else if members.iter().any(|(known, _)| *known == name) {
            let detail = format!("{name}: expected the parameter once but it is repeated");
            let place = format!("/{}", escaped(&name));
            return Err(Problem::new(Kind::InvalidRequest, detail).at(place));
        } else {
            let value = scalar(&name, text);
            members.push((name, value));
        }
    }
    members.extend(lists.into_iter().map(|(name, list)| (name, Document::Array(list))));
    read_document(Document::Object(members))
}

fn scalar(name: &str, text: String) -> Document {
    let number = NUMBERS.contains(&name).then(|| text.parse::<serde_json::Number>().ok()).flatten();
    Document::Scalar(number.map_or(Value::String(text), Value::Number))
}

/// A JSON document that keeps repeated members. Its errors are values, where those of `serde_json` are
/// texts.
#[derive(Clone, Debug)]
enum Document {
    /// Null, a boolean, a number or a string.
    Scalar(Value),
    /// An array.
    Array(Vec<Document>),
    /// An object: its members in their order, repeated ones too.
    Object(Vec<(String, Document)>),
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DocumentVisitor)
    }
}

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = Document;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Document, E> {
        Ok(Document::Scalar(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Document, E> {
        Ok(Document::Scalar(value.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Document, E> {
        Ok(Document::Scalar(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Document, E> {
        Ok(Document::Scalar(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Document, E> {
        Ok(Document::Scalar(number.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Document, E> {
        Ok(Document::Scalar(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Document, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items)).map(Document::Array)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Document, A::Error> {
        let mut object = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(Document::Object(object))
    }
}

/// Why a document is not what a type expects.
#[derive(Debug)]
enum Fault {
    /// A field stands twice.
    Repeated(&'static str),
    /// A field is not known.
    Unknown { name: String, allowed: &'static [&'static str] },
    /// A value is of the wrong type or out of range.
    Wrong { expected: String, got: String },
    /// Another reason.
    Other(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{self:?}")
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(reason: T) -> Self {
        Self::Other(reason.to_string())
    }

    fn invalid_type(got: Unexpected, expected: &dyn Expected) -> Self {
        let expected = match expected.to_string() {
            expected if expected == "a sequence" => "an array".to_owned(),
            expected if expected == "a map" => "an object".to_owned(),
            expected => expected,
        };
        let advice = match got {
            Unexpected::Str(text @ ("true" | "false")) if expected == "a boolean" => {
                format!(": write {text} without quotes")
            }
            _ => String::new(),
        };
        Self::Wrong { expected, got: json_words(got) + &advice }
    }

    fn invalid_value(got: Unexpected, expected: &dyn Expected) -> Self {
        Self::invalid_type(got, expected)
    }

    fn unknown_field(name: &str, allowed: &'static [&'static str]) -> Self {
        Self::Unknown { name: name.to_owned(), allowed }
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::Repeated(name)
    }
}

/// What a request has, in the words of JSON.
fn json_words(got: Unexpected) -> String {
    match got {
        Unexpected::Map => "an object".to_owned(),
        Unexpected::Seq => "an array".to_owned(),
        Unexpected::Unit => "null".to_owned(),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Float(number) => Value::from(number).to_string(),
        Unexpected::Str(text) => format!("the string {text:?}"),
        other => other.to_string(),
    }
}

impl<'de> Deserializer<'de> for Document {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Self::Scalar(Value::Bool(value)) => visitor.visit_bool(value),
            Self::Scalar(Value::Number(number)) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Self::Scalar(Value::String(text)) => visitor.visit_string(text),
            Self::Scalar(_) => visitor.visit_unit(),
            Self::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter())),
            Self::Object(members) => visitor.visit_map(MapDeserializer::new(members.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Self::Scalar(Value::Null) => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl IntoDeserializer<'_, Fault> for Document {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wanted {
        game: Option<String>,
    }

    #[test]
    fn the_place_of_a_repeated_parameter_is_a_json_pointer() {
        let problem = read_query::<Wanted>("a~b%2Fc=1&a~b%2Fc=2").map(|wanted| wanted.game);
        let problem = problem.expect_err("the parameter is repeated");
        let json: Value = serde_json::from_str(&problem.body("id")).expect("a problem is JSON");
        assert_eq!(json["field"], "/a~0b~1c");
    }

    #[test]
    fn a_truth_value_in_quotes_is_shown_without() {
        #[derive(Debug, Deserialize)]
        struct Flag {
            #[expect(dead_code, reason = "it is never read")]
            flag: bool,
        }
        for (body, is_advised) in [(r#"{"flag": "true"}"#, true), (r#"{"flag": "yes"}"#, false)] {
            let problem = read::<Flag>(body.as_bytes()).expect_err("a string is no boolean");
            let detail = problem.to_string();
            assert!(detail.contains("expected a boolean but got the string"), "{detail}");
            assert_eq!(detail.contains("write true without quotes"), is_advised, "{detail}");
        }
    }

    /// The messages of the deserializer are no part of any decision.
    #[test]
    fn a_field_named_like_a_message_of_the_reader_is_an_unknown_field() {
        for name in ["duplicate field `game`", "invalid type: map, expected a string", "a`b"] {
            let body = serde_json::json!({ name: 1 }).to_string();
            let problem = read::<Wanted>(body.as_bytes()).map(|wanted| wanted.game);
            let problem = problem.expect_err("the field is unknown");
            let json: Value = serde_json::from_str(&problem.body("id")).expect("a problem is JSON");
            assert_eq!(json["field"], format!("/{name}"));
            assert_eq!(json["allowed"], serde_json::json!(["game"]));
        }
    }
}
