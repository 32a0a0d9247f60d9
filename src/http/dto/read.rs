//! From bytes to a request, and what is wrong where that fails.
//!
//! A body is read straight into its type. Only where that fails it is read again as a
//! [`Document`], whose errors are values ([`Fault`]) and no texts to be parsed.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::document::{Document, Fault};
use crate::http::problem::{Kind, Problem};

/// Reads a request.
///
/// # Errors
/// First of all where the body is no JSON, then where a field is wrong.
pub(in crate::http) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if body.trim_ascii_start().first() == Some(&b'{')
        && let Ok(request) = serde_json::from_slice(body)
    {
        return Ok(request);
    }
    let text =
        std::str::from_utf8(body).map_err(|error| malformed(format!("expected UTF-8: {error}")))?;
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
///
/// # Errors
/// Where a field is wrong.
pub(in crate::http) fn read_object<T: DeserializeOwned>(
    members: serde_json::Map<String, Value>,
) -> Result<T, Problem> {
    read_document(Document::from(Value::Object(members)))
}

fn malformed(detail: String) -> Problem {
    Problem::new(Kind::MalformedJson, detail)
}

/// Valid JSON that is too deeply nested, or has a number that is too large.
fn unsupported(path: &Path, error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
    Problem::new(Kind::InvalidRequest, placed(path, reason)).at(pointer(path))
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
const LISTS: [&str; 3] = ["moves", "search_moves", "include"];
/// The parameters of a query that are numbers, or may be.
const NUMBERS: [&str; 5] = ["depth", "time_ms", "nodes", "level", "seed"];

/// Reads a request from the query of a URL: the same fields by the same rules.
///
/// # Errors
/// Where a parameter is unknown, repeated or wrong.
pub(in crate::http) fn read_query<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    let pairs: Vec<(String, String)> = serde_html_form::from_str(query)
        .map_err(|error| Problem::new(Kind::InvalidRequest, format!("the query: {error}")))?;
    read_texts(pairs)
}

/// Reads a request whose fields are texts, each with its name.
///
/// # Errors
/// Where a field is unknown, repeated or wrong.
pub(in crate::http) fn read_texts<T: DeserializeOwned>(
    texts: impl IntoIterator<Item = (String, String)>,
) -> Result<T, Problem> {
    let mut members = Vec::new();
    let mut lists = BTreeMap::<String, Vec<Document>>::new();
    for (name, text) in texts {
        if LISTS.contains(&name.as_str()) {
            let elements = text.split(',').filter(|_| !text.is_empty());
            let list = lists.entry(name).or_default();
            list.extend(elements.map(|element| Document::String(element.to_owned())));
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

/// The parameters of a query that are `true` or `false`.
const FLAGS: [&str; 2] = ["flip", "coordinates"];

fn scalar(name: &str, text: String) -> Document {
    let number = NUMBERS.contains(&name).then(|| text.parse::<serde_json::Number>().ok()).flatten();
    let flag = FLAGS.contains(&name).then(|| text.parse().ok().map(Value::Bool)).flatten();
    let value = number.map(Value::Number).or(flag);
    value.map_or(Document::String(text), Document::from)
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
