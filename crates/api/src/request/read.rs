//! From bytes to a request, and what is wrong where that fails.
//!
//! `serde_path_to_error` says where a request is wrong, and `serde_json` what is wrong, in the words of Rust.
//! [`fault`] says the same in the words of JSON. It goes by the first words of a message, which are those of `serde`, never
//! by what the request says.

use std::collections::BTreeMap;

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Deserializer, Value};
use serde_path_to_error::{Path, Segment, deserialize};

use crate::{Problem, ProblemKind};
use bestmove_engine::game::excerpt;

/// An error with its place.
type Misplaced = serde_path_to_error::Error<serde_json::Error>;

/// Reads a request.
///
/// # Errors
/// Where the body is no JSON, else where a field is wrong.
pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let text =
        std::str::from_utf8(body).map_err(|error| malformed(format!("expected UTF-8: {error}")))?;
    // A derived reader takes the elements of an array for the fields in their order.
    let is_array = text.trim_ascii_start().starts_with('[');
    let mut reader = Deserializer::from_str(text);
    let error = match deserialize(&mut reader) {
        Ok(request) if !is_array && reader.end().is_ok() => return Ok(request),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return Err(malformed(format!("expected one JSON object: {error}")));
    }
    deserialize::<_, Value>(&mut Deserializer::from_str(text))
        .map_err(|error| unsupported(&error))?;
    Err(match error {
        Some(error) if !is_array => fault(&error),
        _ => not_an_object(),
    })
}

/// Reads a request from JSON that has been read.
///
/// # Errors
/// Where a field is wrong.
pub fn read_value<T: DeserializeOwned>(value: Value) -> Result<T, Problem> {
    // A derived reader takes the elements of an array for the fields in their order.
    if value.is_array() {
        return Err(not_an_object());
    }
    deserialize(value).map_err(|error| fault(&error))
}

fn not_an_object() -> Problem {
    problem("expected an object but got an array".to_owned()).at("")
}

fn problem(detail: String) -> Problem {
    Problem::new(ProblemKind::InvalidRequest, detail)
}

fn malformed(detail: String) -> Problem {
    Problem::new(ProblemKind::MalformedJson, detail)
}

/// Valid JSON that is too deeply nested, or has a number that is too large or text that is no Unicode.
fn unsupported(error: &Misplaced) -> Problem {
    let (path, error) = (error.path(), error.inner());
    let reason = reason(error);
    let problem = match reason.as_str() {
        "recursion limit exceeded" => {
            problem("expected fewer arrays and objects in each other".to_owned())
        }
        reason if reason.contains("hex escape") => problem(format!(
            "expected Unicode, with surrogates in pairs, but got text with one alone: {error}"
        )),
        reason => problem(placed(path, reason)),
    };
    problem.at(pointer(path))
}

/// What is wrong with a field.
fn fault(error: &Misplaced) -> Problem {
    let (path, reason) = (error.path(), reason(error.inner()));
    if let Some(name) = reason.strip_prefix("duplicate field `") {
        let name = name.trim_end_matches('`');
        let name = excerpt(name);
        return problem(format!("the field `{name}` is repeated"))
            .at(format!("{}/{name}", pointer(path)));
    }
    let detail = match reason.rsplit_once(", expected ") {
        Some((unknown, names)) if unknown.starts_with("unknown field `") => {
            let allowed: Vec<_> = names.split('`').skip(1).step_by(2).collect();
            let names = allowed.join("`, `");
            let unknown = unknown.strip_prefix("unknown field `").unwrap_or(unknown);
            let unknown = excerpt(unknown.strip_suffix('`').unwrap_or(unknown));
            return problem(format!("unknown field `{unknown}`; expected one of `{names}`"))
                .at(pointer(path))
                .allowing(allowed);
        }
        Some((wrong, expected)) if wrong.starts_with("invalid ") => {
            let (_, got) = wrong.split_once(": ").unwrap_or_default();
            wrong_value(expected, got)
        }
        _ => reason,
    };
    problem(placed(path, &detail)).at(pointer(path))
}

/// What was expected of a value, and what came.
fn wrong_value(expected: &str, got: &str) -> String {
    let expected = match expected {
        "a sequence" => "an array",
        "a map" => "an object",
        expected => expected,
    };
    let text = got.strip_prefix("string ");
    let got = match (got, text) {
        ("map", _) => "an object".to_owned(),
        ("sequence", _) => "an array".to_owned(),
        (_, Some(text)) => format!("the string {}", excerpt(text)),
        // A number or a truth value after the name of its type.
        _ => excerpt(got.split('`').nth(1).unwrap_or(got)).into_owned(),
    };
    let advice = match text {
        Some(text @ (r#""true""# | r#""false""#)) if expected == "a boolean" => {
            format!(": write {} without quotes", text.trim_matches('"'))
        }
        _ => String::new(),
    };
    format!("expected {expected} but got {got}{advice}")
}

/// The message of an error without its line and column, which mean nothing in a query.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

fn placed(path: &Path, reason: &str) -> String {
    match path.to_string().as_str() {
        "." => reason.to_owned(),
        place => format!("{}: {reason}", excerpt(place)),
    }
}

/// A path as a JSON Pointer (RFC 6901). That of many steps leads to an outer value.
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

/// The name of a member as a JSON Pointer has it.
fn escaped(name: &str) -> String {
    excerpt(name).replace('~', "~0").replace('/', "~1")
}

/// The parameters of a query that are lists: separated by commas, repeated, or both.
const LISTS: [&str; 3] = ["include", "arrows", "marks"];
/// The parameters of a query that are moves: one text, or parts of it.
const TEXTS: [&str; 2] = ["moves", "search_moves"];
/// The parameters of a query that are numbers, or may be.
const NUMBERS: [&str; 6] = ["depth", "time_ms", "nodes", "level", "seed", "size"];

/// Reads a request from the query of a URL: the same fields by the same rules.
///
/// # Errors
/// As [`read`]; also where a parameter is repeated.
pub fn read_query<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    let pairs: Vec<(String, String)> = serde_html_form::from_str(query).map_err(|error| {
        Problem::new(ProblemKind::InvalidRequest, format!("the query: {error}"))
    })?;
    read_texts(pairs)
}

/// Reads a request whose fields are texts, each with its name.
///
/// # Errors
/// As [`read_query`].
pub fn read_texts<T: DeserializeOwned>(
    texts: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
) -> Result<T, Problem> {
    let mut members = Vec::new();
    let mut lists = BTreeMap::<String, Vec<Value>>::new();
    let mut joined = BTreeMap::<String, Vec<String>>::new();
    for (name, text) in texts {
        let (name, text) = (name.into(), text.into());
        if LISTS.contains(&name.as_str()) {
            let elements = text.split(',').filter(|_| !text.is_empty());
            let list = lists.entry(name).or_default();
            list.extend(elements.map(Value::from));
        } else if TEXTS.contains(&name.as_str()) {
            joined.entry(name).or_default().push(text);
        } else if members.iter().any(|(known, _)| *known == name) {
            let detail =
                format!("{}: expected the parameter once but it is repeated", excerpt(&name));
            let place = format!("/{}", escaped(&name));
            return Err(Problem::new(ProblemKind::InvalidRequest, detail).at(place));
        } else {
            let value = scalar(&name, text);
            members.push((name, value));
        }
    }
    members.extend(joined.into_iter().map(|(name, texts)| (name, texts.join(",").into())));
    members.extend(lists.into_iter().map(|(name, list)| (name, list.into())));
    let members = MapDeserializer::<_, serde_json::Error>::new(members.into_iter());
    deserialize(members).map_err(|error| fault(&error))
}

fn scalar(name: &str, text: String) -> Value {
    let number = NUMBERS.contains(&name).then(|| text.parse::<serde_json::Number>().ok()).flatten();
    number.map_or(Value::String(text), Value::Number)
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
