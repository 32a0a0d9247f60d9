//! A line of a batch: a request and an id. The answer to the line repeats the id.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::{read_value, value};
use super::{BOARD, CHOICES, Fields, LIMITS, Prepare, Request, SEARCH, TOLD};
use crate::{BestMoveRequest, Context, Job, Problem, ProblemKind};

/// The id of a line: a string or an integer, which the client chooses.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(try_from = "Value")]
pub struct LineId(Value);

impl LineId {
    /// The id as JSON.
    pub fn json(&self) -> String {
        self.0.to_string()
    }
}

impl TryFrom<Value> for LineId {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, &'static str> {
        /// The greatest number of characters of an id.
        const LONGEST: usize = 100;
        match &value {
            Value::String(text) if text.chars().nth(LONGEST).is_some() => {
                Err("a string of at most 100 characters, which the answer repeats,")
            }
            Value::Number(number) if number.is_f64() => Err("a string or an integer"),
            Value::String(_) | Value::Number(_) => Ok(Self(value)),
            _ => Err("a string or an integer"),
        }
    }
}

/// The mark that some programs write before a text in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The lines of a batch that are not blank.
pub fn batch_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty())
}

/// The answer `json` to the line of this id, with its end: the id becomes the first member of the object.
pub fn answer_line(id: Option<&LineId>, json: &[u8]) -> Vec<u8> {
    match (id.map(LineId::json), json) {
        (Some(id), [b'{', members @ ..]) => {
            [b"{\"id\":", id.as_bytes(), b",", members, b"\n"].concat()
        }
        _ => [json, b"\n"].concat(),
    }
}

/// A request of `/best-move` with an id.
pub enum BatchLine {}

impl BatchLine {
    /// Reads the id and the request of a line. A refused line has a problem in place of the request, and keeps the id.
    pub fn read(line: &[u8]) -> (Option<LineId>, Result<Request<Self>, Problem>) {
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        if line.trim_ascii_start().starts_with(b"[") {
            let detail = "expected one object a line, but an array begins here";
            return (None, Err(Problem::new(ProblemKind::InvalidRequest, detail)));
        }
        match value(line) {
            Ok(value) => (LineId::deserialize(&value["id"]).ok(), read_value(value)),
            Err(problem) => (None, Err(problem)),
        }
    }
}

impl Prepare for BatchLine {
    const FIELDS: &'static [&'static [&'static str]] =
        &[&["id"], BOARD, LIMITS, CHOICES, SEARCH, &["level", "seed"], TOLD];
    type Prepared = Job;

    fn prepare(fields: Fields, context: &Context) -> Result<Job, Problem> {
        BestMoveRequest::prepare(fields, context)
    }
}
