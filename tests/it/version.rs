//! One version: every file that names it, and the program wherever it tells it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::Server;
use bestmove::http::{LONG_VERSION, REVISION, VERSION};
use regex::Regex;

/// Each file that names the version of the program, and how.
const NAMED: [(&str, &str); 10] = [
    ("Cargo.toml", r#"\[workspace.package\]\nversion = "(.+)""#),
    ("openapi.yaml", r"\ninfo:\n  title: bestmove\n  version: (.+)\n"),
    ("openapi/info.yaml", r"\n  version: (.+)\n"),
    ("Dockerfile", r"\nARG VERSION=(.+)\n"),
    ("deploy/kubernetes/base/kustomization.yaml", r"\n    newTag: (.+)\n"),
    ("deploy/compose.yaml", r"\n  image: bestmove:(.+)\n"),
    ("clients/typescript/package.json", r#"\n  "version": "(.+)",\n"#),
    ("clients/typescript/package-lock.json", r#"\n  "version": "(.+)",\n"#),
    ("clients/python/pyproject.toml", r#"\nversion = "(.+)"\n"#),
    ("CHANGELOG.md", r"^# Changelog\n\n## (\S+) - \d{4}-\d{2}-\d{2}\n"),
];

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn every_file_names_the_version_of_the_program() {
    for (file, pattern) in NAMED {
        let pattern = Regex::new(pattern).expect("a pattern");
        let text = read(file);
        let found = pattern.captures(&text).unwrap_or_else(|| panic!("{file} names no version"));
        assert_eq!(&found[1], VERSION, "{file}");
    }
}

#[test]
fn the_program_tells_its_version_and_revision_wherever_it_is_asked() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    let output = program.arg("--version").output().expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("bestmove {LONG_VERSION}\n"));
    assert!(LONG_VERSION.starts_with(VERSION) && LONG_VERSION.contains(REVISION.unwrap_or("")));
    let server = Server::start();
    let health = server.get("/health").json();
    assert_eq!(
        (health["version"].as_str(), health["revision"].as_str()),
        (Some(VERSION), REVISION)
    );
    let metrics = server.get("/metrics").text();
    let build = metrics.lines().find(|line| line.starts_with("bestmove_build_info{"));
    let build = build.expect("the build is a metric");
    assert!(build.contains(&format!("{{version=\"{VERSION}\",build=\"{VERSION}-")), "{build}");
    let revision = REVISION.map(|revision| format!(",revision=\"{revision}\"}}"));
    assert_eq!(build.contains("revision="), revision.is_some(), "{build}");
    assert!(build.contains(&revision.unwrap_or_default()), "{build}");
}

#[test]
fn every_section_of_the_changelog_has_a_date_and_the_newest_stands_first() {
    let heading = Regex::new(r"^## (\d+)\.(\d+)\.(\d+) - (\d{4}-\d{2}-\d{2})$").expect("a pattern");
    let changelog = read("CHANGELOG.md");
    let sections = changelog.lines().filter(|line| line.starts_with("## "));
    let sections: Vec<_> = sections
        .map(|line| {
            let found = heading.captures(line).unwrap_or_else(|| panic!("{line}"));
            let number = |part: usize| found[part].parse::<u32>().expect("a number");
            ([number(1), number(2), number(3)], found[4].to_owned())
        })
        .collect();
    assert!(sections.len() > 2 && sections.is_sorted_by(|newer, older| newer > older));
    assert!(sections.is_sorted_by(|newer, older| newer.1 >= older.1), "{sections:?}");
}
