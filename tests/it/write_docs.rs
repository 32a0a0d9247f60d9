//! Writes the real answers of the service into README.md, docs/ and `openapi/examples/`, joins `openapi.yaml` from `openapi/`,
//! and makes the schemas of the tools of assistants from it. The tests hold the files against them. Commands of the guides are run by the program that `cargo test` has built.

mod common;
#[expect(dead_code, unused_imports, reason = "the tests use the rest")]
mod contract;
mod guides;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use common::Server;
use contract::{examples, file, parts, tools};
use serde_json::{Value, json};

/// The program, which lies beside the folder of the examples.
fn program() -> PathBuf {
    let example = env::current_exe().expect("the path of this example");
    example.with_file_name("../bestmove")
}

fn main() {
    let server = Server::start();
    write_contract(&server);
    for page in guides::pages() {
        let text = fs::read_to_string(&page).expect("the page is there");
        write(&page, &guides::with_answers(&text, &server).0);
    }
}

fn write_contract(server: &Server) {
    let assembled: Value = serde_saphyr::from_str(&parts::assembled()).expect("the parts are YAML");
    for example in examples(&assembled) {
        let value = example.told(&example.answer(server));
        write(parts::path(file(example.documented)), &example_text(&value));
    }
    let joined = parts::joined();
    write(parts::PUBLISHED, &joined);
    let published = serde_saphyr::from_str(&joined).expect("the contract is YAML");
    write(tools::FILE, &example_text(&tools::schemas(published)));
}

/// Writes a text where it differs.
fn write(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    if fs::read_to_string(path).is_ok_and(|before| before == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    fs::write(path, text).expect("the file can be written");
}

/// The text of an example.
fn example_text(value: &Value) -> String {
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
