//! `GET /`: the playground, a page that needs nothing but its own server.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::{Compression, write::GzEncoder};

use crate::common::Server;

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web");
const MOST_BYTES: usize = 300_000;
const MOST_COMPRESSED: usize = 100_000;

/// What the service shows of the playground: the page, and what it needs.
const SHOWN: [&str; 5] = ["", "web/app.js", "web/icon.svg", "web/pieces.svg", "web/style.css"];

/// The source files of the playground with this extension, and their texts.
fn sources(extension: &str) -> impl Iterator<Item = (PathBuf, String)> {
    let files = std::fs::read_dir(FILES).expect("the folder is there");
    let paths = files.map(|file| file.expect("an entry").path());
    paths.filter(move |path| path.extension().is_some_and(|it| it == extension)).map(|path| {
        let text = std::fs::read_to_string(&path).expect("a text");
        (path, text)
    })
}

#[test]
fn the_page_and_its_files_have_a_strict_policy_and_a_tag() {
    let server = Server::start();
    for name in SHOWN {
        let answer = server.get(&format!("/{name}"));
        let kind = match Path::new(name).extension().and_then(|extension| extension.to_str()) {
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "text/html; charset=utf-8",
        };
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{name}");
        let policy = answer.header("content-security-policy").unwrap_or_default().to_owned();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"));
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        let tag = answer.header("etag").expect("a file has a tag").to_owned();
        let again = server.send("GET", &format!("/{name}"), &[("if-none-match", &tag)], b"");
        assert_eq!((again.status, again.text().len()), (304, 0), "{name}");
    }
}

#[test]
fn the_page_names_no_other_host_and_makes_no_markup_of_texts() {
    for entry in std::fs::read_dir(FILES).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let hosts =
            text.match_indices("://").filter(|&(at, _)| !text[at..].starts_with("://www.w3.org/"));
        assert_eq!(hosts.count(), 0, "{} names another host", path.display());
        for forbidden in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", " style=\"", "document.write"]
        {
            assert!(!text.contains(forbidden), "{}: {forbidden}", path.display());
        }
    }
}

/// The first line of a source says what it is about, and is nowhere else.
#[test]
fn the_script_and_the_style_sheet_hold_every_source_once() {
    let server = Server::start();
    for (shown, extension) in [("/web/app.js", "js"), ("/web/style.css", "css")] {
        let text = server.get(shown).text();
        for (path, source) in sources(extension) {
            let subject = source.lines().next().expect("a first line");
            assert_eq!(text.matches(subject).count(), 1, "{}", path.display());
        }
    }
}

#[test]
fn the_page_is_small() {
    let server = Server::start();
    let sizes = SHOWN.map(|name| {
        let content = server.get(&format!("/{name}")).text();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content.as_bytes()).expect("memory");
        (content.len(), encoder.finish().expect("memory").len())
    });
    let (bytes, compressed) =
        sizes.into_iter().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
    assert!(compressed <= MOST_COMPRESSED, "{compressed} bytes, compressed");
}

#[test]
fn nothing_else_is_served() {
    let server = Server::start();
    for path in [
        "/web/",
        "/web/LICENSES.md",
        "/web/board.js",
        "/web/none.js",
        "/web/..%2fCargo.toml",
        "/web",
    ] {
        server.get(path).problem(404, "not-found");
    }
}
