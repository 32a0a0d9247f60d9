//! `openapi.yaml` is joined from the parts in `openapi/`.
//!
//! `info.yaml` comes first, then the files of `paths/`, `components.yaml`, the schemas of requests and answers, which follow
//! from their types, and the files of `schemas/`, which no type has. In the parts an example of an answer names its file as
//! `externalValue`; the published contract has the content as `value`.

use std::fs;
use std::path::{Path, PathBuf};

use super::schemas::schemas;
use serde_json::{Map, Value, json};

/// The folder of the parts.
const PARTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi");

/// The published contract.
pub(crate) const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.yaml");

/// How the published contract is written.
pub(crate) const COMMAND: &str = "cargo run --profile test --example write-docs";

pub(crate) fn path(part: &str) -> PathBuf {
    Path::new(PARTS).join(part)
}

fn read(part: impl AsRef<Path>) -> String {
    let part = Path::new(PARTS).join(part);
    fs::read_to_string(&part).unwrap_or_else(|error| panic!("{}: {error}", part.display()))
}

/// The texts of the files in a folder, one after the other.
fn read_all(folder: &str) -> String {
    let entries = fs::read_dir(path(folder)).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(read).collect()
}

fn indented(text: &str, spaces: usize) -> String {
    let margin = " ".repeat(spaces);
    let line = |line: &str| if line.is_empty() { "\n".into() } else { format!("{margin}{line}\n") };
    text.lines().map(line).collect()
}

/// The contract, whose examples of answers name files.
pub(crate) fn assembled() -> String {
    let info = read("info.yaml");
    let paths = indented(&read_all("paths"), 2);
    let components = indented(&read("components.yaml"), 2);
    let derived = block(&schemas(), 4);
    let written = indented(&read_all("schemas"), 4);
    format!("{info}paths:\n{paths}components:\n{components}  schemas:{derived}\n{written}")
}

/// The members of an object in YAML, each on lines of its own. A schema begins with what is short.
fn block(members: &Map<String, Value>, indent: usize) -> String {
    let is_schema = members.get("description").is_some_and(Value::is_string);
    let short = ["description", "type", "additionalProperties", "required"];
    let first = |name: &str| short.iter().position(|first| *first == name);
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by_key(|(name, _)| first(name).filter(|_| is_schema).unwrap_or(short.len()));
    let member = |(name, value): (&String, &Value)| {
        format!("\n{}{name}:{}", " ".repeat(indent), member(value, indent + 2))
    };
    members.into_iter().map(member).collect()
}

/// The value of a member in YAML, as short as it is readable.
fn member(value: &Value, indent: usize) -> String {
    /// The most columns.
    const WIDTH: usize = 120;
    let margin = " ".repeat(indent);
    match value {
        // A list stands as it is.
        Value::String(text) if text.contains("\n- ") => {
            format!(" |\n{}", indented(text, indent).trim_end())
        }
        Value::String(text) if indent + text.len() > WIDTH - 20 => {
            let mut lines = vec![String::new()];
            for word in text.split_whitespace() {
                let line = lines.last_mut().expect("there is a line");
                if line.len() + word.len() + indent > WIDTH - 2 {
                    lines.push(word.to_owned());
                } else {
                    line.extend([if line.is_empty() { "" } else { " " }, word]);
                }
            }
            format!(" |\n{margin}{}", lines.join(&format!("\n{margin}")))
        }
        Value::String(_) => format!(" {}", flow(value)),
        Value::Object(members) if has_prose(value) => block(members, indent),
        _ if indent + flow(value).len() < WIDTH - 20 => format!(" {}", flow(value)),
        Value::Object(members) => block(members, indent),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(flow).collect();
            format!("\n{margin}- {}", items.join(&format!("\n{margin}- ")))
        }
        other => format!(" {other}"),
    }
}

/// Whether a value is described, or one of its members.
fn has_prose(value: &Value) -> bool {
    let is_described = |value: &Value| value.get("description").is_some();
    let members = value.as_object();
    is_described(value) || members.is_some_and(|members| members.values().any(is_described))
}

/// A value in YAML on one line.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let is_plain = text.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && !text.contains([':', '#', ',', '[', ']', '{', '}', '"'])
                && !["null", "true", "false"].contains(&text.as_str());
            if is_plain { text.clone() } else { value.to_string() }
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{name}: {}", flow(value));
            let members: Vec<_> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
        other => other.to_string(),
    }
}

/// The contract as it is published.
pub(crate) fn joined() -> String {
    let lines: String = assembled().lines().map(published).collect();
    format!("# Joined from the parts in openapi/ by `{COMMAND}`.\n{lines}")
}

/// A line of the parts as it is published: the content of a file in place of its name.
fn published(line: &str) -> String {
    let Some((margin, file)) = line.split_once("externalValue: ") else {
        return format!("{line}\n");
    };
    let value = indented(&inlined(file, &read(file)), margin.len() + 2);
    format!("{margin}value: {}", value.trim_start())
}

/// An example as YAML has it: JSON as it is, another text as a JSON string.
fn inlined(file: &str, content: &str) -> String {
    let is_json = Path::new(file).extension().is_some_and(|extension| extension == "json");
    if is_json { content.to_owned() } else { json!(content).to_string() }
}

/// The files of examples.
pub(crate) fn example_files() -> Vec<String> {
    let folders = fs::read_dir(path("examples")).expect("the folder is there");
    let folders = folders.map(|folder| folder.expect("a folder").path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).expect("a folder of files"));
    let paths = files.map(|file| file.expect("an entry").path());
    paths.map(|path| path.strip_prefix(PARTS).expect("a part").display().to_string()).collect()
}
