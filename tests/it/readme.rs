//! The examples in README.md and docs/reviews.md are true: each is asked of the running service, or of
//! the program.
//!
//! `BLESS=1 cargo test readme` writes the real answers into the files.

use std::process::Command;
use std::{env, fs};

use crate::common::Server;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
const REVIEWS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reviews.md");

/// The words of a command line, quotes as in a shell.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(letter),
        }
    }
    words
}

/// The body with which the service answers a curl command.
fn answer(server: &Server, command: &str) -> String {
    let words = words(command);
    let value_of = |flag: &str| words.windows(2).find(|pair| pair[0] == flag).map(|pair| &pair[1]);
    let url = words.iter().find_map(|word| word.strip_prefix("localhost:8080")).expect("a path");
    let headers: Vec<(&str, &str)> = words
        .windows(2)
        .filter(|pair| pair[0] == "-H")
        .filter_map(|pair| pair[1].split_once(": "))
        .collect();
    let method = if value_of("-d").is_some() { "POST" } else { "GET" };
    let body = value_of("-d").map_or("", String::as_str);
    server.send(method, url, &headers, body.as_bytes()).text()
}

/// What the program prints for a command.
fn printed(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bestmove")).args(words(command)).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

/// Compares what the commands in a file print with what stands below them.
fn check(file: &str, prompt: &str, answer: impl Fn(&str) -> String) {
    let text = fs::read_to_string(file).expect("the file is there");
    let mut told = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        told.extend([line, "\n"]);
        let Some(command) = line.strip_prefix(prompt) else { continue };
        told.extend([answer(command).trim_end(), "\n"]);
        while lines.next_if(|next| !next.starts_with("$ ") && !next.starts_with("```")).is_some() {}
    }
    if env::var_os("BLESS").is_some() {
        fs::write(file, &told).expect("the file is writable");
    } else {
        assert_eq!(told, text);
    }
}

#[test]
fn every_curl_example_gives_the_printed_answer() {
    let server = Server::start();
    check(README, "$ curl ", |command| answer(&server, command));
}

#[test]
fn every_review_gives_the_printed_table() {
    check(REVIEWS, "$ bestmove ", printed);
}
