//! `openapi.yaml` is joined from the parts in `openapi/`.
//!
//! `info.yaml` comes first, then the files of `paths/`, `components.yaml` and the files of `schemas/`. In the parts an
//! example of an answer names its file as `externalValue`; the published contract has the content as `value`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The folder of the parts.
const PARTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi");

/// The published contract.
pub(super) const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.yaml");

/// The names of games and sides.
pub(super) const NAMES: &str = "schemas/names.yaml";

/// How the published contract is written.
pub(super) const COMMAND: &str = "cargo test -p bestmove --test it write_ -- --ignored";

pub(super) fn path(part: &str) -> PathBuf {
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
pub(super) fn assembled() -> String {
    let info = read("info.yaml");
    let paths = indented(&read_all("paths"), 2);
    let components = indented(&read("components.yaml"), 2);
    let schemas = indented(&read_all("schemas"), 4);
    format!("{info}paths:\n{paths}components:\n{components}  schemas:\n{schemas}")
}

/// The contract as it is published.
pub(super) fn joined() -> String {
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
pub(super) fn example_files() -> Vec<String> {
    let folders = fs::read_dir(path("examples")).expect("the folder is there");
    let folders = folders.map(|folder| folder.expect("a folder").path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).expect("a folder of files"));
    let paths = files.map(|file| file.expect("an entry").path());
    paths.map(|path| path.strip_prefix(PARTS).expect("a part").display().to_string()).collect()
}

/// Writes a text where it differs.
pub(super) fn write(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    if fs::read_to_string(path).is_ok_and(|before| before == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    fs::write(path, text).expect("the file can be written");
}

/// The text of an example.
pub(super) fn example_text(value: &Value) -> String {
    value.as_str().map_or_else(|| flow(value, 0) + "\n", str::to_owned)
}

/// JSON in lines that are not too long.
fn flow(value: &Value, indent: usize) -> String {
    let compact = value.to_string();
    let (open, close, parts): (_, _, Vec<String>) = match value {
        _ if indent + compact.len() <= 110 => return compact,
        Value::Object(members) => {
            let member = |(key, value)| format!("{}: {}", json!(key), flow(value, indent + 2));
            ('{', '}', members.iter().map(member).collect())
        }
        Value::Array(items) => {
            ('[', ']', items.iter().map(|item| flow(item, indent + 2)).collect())
        }
        _ => return compact,
    };
    let margin = " ".repeat(indent);
    format!("{open}\n{margin}  {}\n{margin}{close}", parts.join(&format!(",\n{margin}  ")))
}
