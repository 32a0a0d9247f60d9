//! The examples in README.md and docs/ are true: each command is asked of the running service, or of the
//! program, and each link leads to a file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Server;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The pages of the documentation.
pub(crate) fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<_> = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "clients/python/README.md",
        "clients/typescript/README.md",
        "examples/README.md",
        "examples/drop-in/README.md",
    ]
    .map(|page| Path::new(ROOT).join(page))
    .into();
    let mut folders = vec![Path::new(ROOT).join("docs"), Path::new(ROOT).join("deploy")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

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

/// What a curl command prints, as the service answers it. `| jq` indents it.
fn asked(server: &Server, command: &str) -> String {
    let (command, is_indented) =
        command.strip_suffix(" | jq").map_or((command, false), |command| (command, true));
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
    let answer = server.send(method, url, &headers, body.as_bytes());
    if is_indented {
        serde_json::to_string_pretty(&answer.json()).expect("JSON")
    } else {
        answer.text()
    }
}

/// What the program prints for a command.
fn printed(command: &str) -> String {
    let output = Command::new(crate::program()).args(words(command)).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

/// The page with what its commands print, and how many commands it has.
pub(crate) fn with_answers(text: &str, server: &Server) -> (String, usize) {
    let (mut told, mut count) = (String::new(), 0);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        told.extend([line, "\n"]);
        let answer = if let Some(command) = line.strip_prefix("$ curl ") {
            asked(server, command)
        } else if let Some(command) = line.strip_prefix("$ bestmove ") {
            printed(command)
        } else {
            continue;
        };
        count += 1;
        told.extend([answer.trim_end(), "\n"]);
        while lines.next_if(|next| !next.starts_with("$ ") && !next.starts_with("```")).is_some() {}
    }
    (told, count)
}

#[test]
fn every_example_gives_the_printed_answer() {
    let server = Server::start();
    let mut examples = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("the page is there");
        let (told, count) = with_answers(&text, &server);
        examples += count;
        assert_eq!(told, text, "{}", page.display());
    }
    assert!(examples > 15, "{examples}");
}

#[test]
fn every_link_leads_to_a_file() {
    for page in pages() {
        let text = fs::read_to_string(&page).expect("the page is there");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (link, _) in links.filter(|(link, _)| !link.contains("://")) {
            let file = link.split('#').next().unwrap_or_default();
            let folder = page.parent().expect("a folder");
            assert!(folder.join(file).exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn pages_are_short() {
    for page in pages() {
        let most = match page.strip_prefix(ROOT).expect("a page of this repository") {
            page if page == Path::new("README.md") => 160,
            page if page.starts_with("docs") => 250,
            _ => continue,
        };
        let lines = fs::read_to_string(&page).expect("the page is there").lines().count();
        assert!(lines <= most, "{}: {lines} lines, {most} at most", page.display());
    }
}
