//! From bytes to a request, and what is wrong where that fails.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};

use crate::http::problem::{Kind, Problem};

/// Reads a request.
///
/// # Errors
/// First of all where the body is no JSON, then where a field is wrong.
pub(in crate::http) fn read<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Problem> {
    if body.trim_ascii_start().first() == Some(&b'{')
        && let Ok(request) = serde_json::from_slice(body)
    {
        return Ok(request);
    }
    Err(fault::<T>(body))
}

/// What is wrong with a body that could not be read. A typed reader gives up at the first wrong
/// field, so only a second look tells whether the whole is JSON at all.
fn fault<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Problem {
    let malformed = |why: String| Problem::new(Kind::MalformedJson, why);
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(error) => return malformed(format!("expected UTF-8: {error}")),
    };
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return malformed(format!("expected one JSON object: {error}"));
    }
    if text.trim_ascii_start().starts_with('[') {
        // A derived reader would take the elements for the fields in their order.
        return Problem::new(Kind::InvalidRequest, "expected an object but got an array").at("");
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize::<_, T>(&mut reader) {
        Ok(_) => Problem::internal(),
        Err(error) => field_fault(error.path(), &error.inner().to_string()),
    }
}

/// Says in the words of JSON what the reader says in those of Rust.
fn field_fault(path: &Path, message: &str) -> Problem {
    let message = message.rsplit_once(" at line ").map_or(message, |(message, _)| message);
    if let Some((_, rest)) = message.split_once("duplicate field `") {
        let name = rest.trim_end_matches('`');
        let problem = Problem::new(Kind::InvalidRequest, format!("the field `{name}` is repeated"));
        return problem.at(format!("{}/{name}", pointer(path)));
    }
    let place = path.to_string();
    let problem = |detail: &str| {
        let detail = if place == "." { detail.to_owned() } else { format!("{place}: {detail}") };
        Problem::new(Kind::InvalidRequest, detail).at(pointer(path))
    };
    let Some((got, expected)) = message.rsplit_once(", expected ") else {
        return problem(message);
    };
    if got.starts_with("unknown field") {
        let allowed = expected.split('`').skip(1).step_by(2);
        let problem = Problem::new(Kind::InvalidRequest, format!("{got}; expected {expected}"));
        return problem.at(pointer(path)).allowing(allowed);
    }
    let expected = if expected == "a sequence" { "an array" } else { expected };
    problem(&format!("expected {expected} but got {}", in_json_words(got)))
}

/// What a request has, as the reader names it: a Rust type and perhaps the value.
fn in_json_words(got: &str) -> String {
    let got = got.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ");
    match got.split_once(' ').unwrap_or((got, "")) {
        ("map", _) => "an object".to_owned(),
        ("sequence", _) => "an array".to_owned(),
        ("integer", number) => number.replace('`', ""),
        ("floating", number) => number.replace("point ", "").replace('`', ""),
        ("boolean", value) => value.replace('`', ""),
        ("string", text) => format!("the string {text}"),
        _ => got.to_owned(),
    }
}

/// A path as a JSON Pointer (RFC 6901).
fn pointer(path: &Path) -> String {
    let steps = path.iter().map(|segment| match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        Segment::Enum { .. } | Segment::Unknown => String::new(),
    });
    steps.collect()
}

/// The parameters of a query that are lists, their elements separated by commas.
const LISTS: [&str; 2] = ["moves", "search_moves"];
/// The parameters of a query that are numbers.
const NUMBERS: [&str; 4] = ["depth", "time_ms", "nodes", "seed"];

/// Reads a request from the query of a URL: the same fields by the same rules.
///
/// # Errors
/// Where a parameter is unreadable, unknown, repeated or wrong.
pub(in crate::http) fn read_query<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let decoded = pairs.map(|pair| {
        let (name, text) = pair.split_once('=').unwrap_or((pair, ""));
        Ok((decoded(name)?, decoded(text)?))
    });
    read_texts(decoded.collect::<Result<Vec<_>, Problem>>()?)
}

/// Reads a request whose fields are texts, each with its name.
///
/// # Errors
/// Where a field is unknown, repeated or wrong.
pub(in crate::http) fn read_texts<T: DeserializeOwned>(
    texts: impl IntoIterator<Item = (String, String)>,
) -> Result<T, Problem> {
    let mut fields = Map::new();
    for (name, text) in texts {
        let value = parameter(&name, text);
        if fields.insert(name.clone(), value).is_some() {
            let detail = format!("{name}: expected the parameter once but it is repeated");
            return Err(Problem::new(Kind::InvalidRequest, detail).at(format!("/{name}")));
        }
    }
    read(Value::Object(fields).to_string().as_bytes())
}

fn parameter(name: &str, text: String) -> Value {
    if LISTS.contains(&name) {
        let elements = text.split(',').filter(|_| !text.is_empty());
        return elements.map(Value::from).collect();
    }
    let number = NUMBERS.contains(&name).then(|| text.parse().ok()).flatten();
    number.map_or(Value::String(text), Value::Number)
}

/// Text in which `+` stands for a space and `%` and two hexadecimal digits for a byte.
fn decoded(text: &str) -> Result<String, Problem> {
    let unreadable = || {
        let detail = format!("'{text}': expected UTF-8 with % before two hexadecimal digits only");
        Problem::new(Kind::InvalidRequest, detail)
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => hexadecimal(rest.next(), rest.next()).ok_or_else(unreadable)?,
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| unreadable())
}

fn hexadecimal(high: Option<u8>, low: Option<u8>) -> Option<u8> {
    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
    Some((digit(high)? << 4 | digit(low)?) as u8)
}
