//! `GET /`: the playground, a page that needs nothing but its own server.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};

use crate::common::Server;

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web");
const MOST_BYTES: usize = 300_000;
const MOST_COMPRESSED: usize = 100_000;

/// The texts in quotation marks that name files of the page.
fn named_files(text: &str) -> Vec<&str> {
    text.split(['"', '\'']).filter(|name| name.starts_with("web/")).collect()
}

#[test]
fn the_page_and_its_files_have_a_strict_policy_and_a_tag() {
    let server = Server::start();
    let files = std::fs::read_dir(FILES).expect("the folder is there");
    let files =
        files.map(|file| file.expect("an entry").file_name().into_string().expect("a name"));
    let shown = files.filter(|name| name != "LICENSES.md").map(|name| format!("web/{name}"));
    for name in shown.chain([String::new()]) {
        let answer = server.get(&format!("/{name}"));
        let kind = match Path::new(&name).extension().and_then(|extension| extension.to_str()) {
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

/// A module that is not named in the page would be found only when another one has been read. The modules of
/// the other views wait until they are asked for.
#[test]
fn the_page_names_exactly_the_modules_that_its_start_needs() {
    let page = std::fs::read_to_string(format!("{FILES}/index.html")).expect("a text");
    let named = named_files(&page).into_iter().filter(|name| name.contains(".js"));
    let named: BTreeSet<_> = named.map(str::to_owned).collect();
    let mut needed = BTreeSet::new();
    let mut open = vec!["web/app.js".to_owned()];
    while let Some(name) = open.pop() {
        let file = name.replacen("web", FILES, 1);
        let text = std::fs::read_to_string(file).expect("a module");
        let imports = text.split(" from './").skip(1).filter_map(|rest| rest.split('\'').next());
        open.extend(
            imports.map(|import| format!("web/{import}")).filter(|it| !needed.contains(it)),
        );
        needed.insert(name);
    }
    assert_eq!(named, needed);
}

#[test]
fn the_page_is_small() {
    let files = std::fs::read_dir(FILES).expect("the folder is there");
    let sizes = files.map(|entry| {
        let content = std::fs::read(entry.expect("an entry").path()).expect("a file");
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&content).expect("memory");
        (content.len(), encoder.finish().expect("memory").len())
    });
    let (bytes, compressed) = sizes.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
    assert!(compressed <= MOST_COMPRESSED, "{compressed} bytes, compressed");
}

#[test]
fn nothing_else_is_served() {
    let server = Server::start();
    for path in ["/web/", "/web/LICENSES.md", "/web/none.js", "/web/..%2fCargo.toml", "/web"] {
        server.get(path).problem(404, "not-found");
    }
}
