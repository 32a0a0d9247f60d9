//! `GET /`: the playground, a page that needs nothing but its own server.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use crate::common::{Answer, Server};

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web");
/// The catalogues of texts, of which a browser asks for one.
const TEXTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/web/texts");
const MOST_BYTES: usize = 300_000;
const MOST_COMPRESSED: usize = 110_000;

/// What the service shows of the playground: the page, and what it needs.
fn shown() -> Vec<String> {
    let sources = ["css", "js", "svg"].into_iter().flat_map(sources).chain(files(TEXTS, "js"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = |path: PathBuf| Some(path.strip_prefix(folder).ok()?.to_str()?.to_owned());
    sources.filter_map(|(path, _)| name(path)).chain([String::new()]).collect()
}

/// The source files of the playground with this extension, and their texts.
fn sources(extension: &str) -> impl Iterator<Item = (PathBuf, String)> {
    files(FILES, extension)
}

/// The files of a folder with this extension, and their texts.
fn files(folder: &str, extension: &str) -> impl Iterator<Item = (PathBuf, String)> {
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let paths = files.map(|file| file.expect("an entry").path());
    paths.filter(move |path| path.extension().is_some_and(|it| it == extension)).map(|path| {
        let text = std::fs::read_to_string(&path).expect("a text");
        (path, text)
    })
}

#[test]
fn the_page_and_its_files_have_a_strict_policy_and_a_tag() {
    let server = Server::start();
    for name in shown() {
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
    let all = ["css", "html", "js", "md", "svg", "ts"].into_iter().flat_map(sources);
    for (path, text) in all.chain(files(TEXTS, "js")) {
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

/// Adds a module of the playground, and the modules that it cannot run without.
fn add_needed(module: &str, needed: &mut BTreeSet<String>) {
    if needed.insert(module.to_owned()) {
        let text = std::fs::read_to_string(Path::new(FILES).join(module)).expect("a module");
        let imports = text.split(" from './").skip(1);
        imports
            .filter_map(|rest| rest.split('\'').next())
            .for_each(|name| add_needed(name, needed));
    }
}

/// A browser asks for all modules that the board needs, and for the style sheets, before it has read the first; for the
/// modules of other views later.
#[test]
fn the_page_names_every_file_that_the_board_needs() {
    let page = Server::start().get("/").text();
    let mut needed = BTreeSet::new();
    for module in ["language.js", "early.js", "app.js"] {
        add_needed(module, &mut needed);
    }
    assert!(needed.contains("board.js") && !needed.contains("tree.js"), "{needed:?}");
    for (path, _) in sources("js").chain(sources("css")) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let link = match &*name {
            "early.js" => r#"<script type="module" src="web/early.js">"#.to_owned(),
            "language.js" => r#"<script type="module" src="web/language.js" async>"#.to_owned(),
            name if name.ends_with("css") => {
                format!(r#"<link rel="stylesheet" href="web/{name}">"#)
            }
            name => format!(r#" href="web/{name}">"#),
        };
        let is_needed = name.ends_with("css") || needed.contains(&name);
        assert_eq!(page.matches(&link).count(), usize::from(is_needed), "{link}");
    }
    assert_eq!(page.matches(r#"<link rel="modulepreload""#).count(), needed.len() - 2);
}

/// Every file is compressed when the program is built, so it costs nothing to send it.
#[test]
fn files_are_sent_compressed_and_whole() {
    let server = Server::start();
    let pages =
        ["docs", "docs/page.js", "docs/swagger-ui-bundle.js", "openapi.yaml", "openapi.json"];
    for name in shown().into_iter().chain(pages.map(String::from)) {
        let target = format!("/{name}");
        let plain = server.get(&target);
        let packed = server.send("GET", &target, &[("accept-encoding", "gzip")], b"");
        let mut content = Vec::new();
        let unpacking = GzDecoder::new(&packed.body[..]).read_to_end(&mut content);
        unpacking.expect("it is whole");
        assert!(
            content == plain.body && packed.header("content-encoding") == Some("gzip"),
            "{name}"
        );
        for (answer, coding) in [(&plain, "identity"), (&packed, "gzip")] {
            let length = answer.body.len().to_string();
            assert_eq!(answer.header("content-length"), Some(&*length), "{name}");
            assert_eq!(answer.header("vary"), Some("accept-encoding"), "{name}");
            assert_eq!(answer.header("cache-control"), Some("no-cache"), "{name}");
            assert_eq!(answer.header("etag"), plain.header("etag"), "{name}");
            let head = server.send("HEAD", &target, &[("accept-encoding", coding)], b"");
            let of = |answer: &Answer| {
                let all = answer
                    .headers
                    .iter()
                    .filter(|(name, _)| name != "x-request-id" && name != "date");
                all.cloned().collect::<Vec<_>>()
            };
            assert_eq!((head.status, of(&head)), (200, of(answer)), "{name}");
        }
    }
}

#[test]
fn the_page_is_small() {
    let server = Server::start();
    let size = |name: &String, coding| {
        let target = format!("/{name}");
        server.send("GET", &target, &[("accept-encoding", coding)], b"").body.len()
    };
    // A browser asks for one of the catalogues: the largest counts.
    let is_catalogue = |name: &&String| name.starts_with("web/texts/");
    let names = shown();
    let (catalogues, others): (Vec<_>, Vec<_>) = names.iter().partition(is_catalogue);
    let sum = |coding| {
        let most = catalogues.iter().map(|name| size(name, coding)).max().unwrap_or_default();
        most + others.iter().map(|name| size(name, coding)).sum::<usize>()
    };
    let [bytes, compressed] = ["identity", "gzip"].map(sum);
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
    assert!(compressed <= MOST_COMPRESSED, "{compressed} bytes, compressed");
}

#[test]
fn nothing_else_is_served() {
    let server = Server::start();
    for path in [
        "/web/",
        "/web/LICENSES.md",
        "/web/board.js.gz",
        "/openapi.yaml.gz",
        "/web/none.js",
        "/web/texts/fr.js",
        "/web/..%2fCargo.toml",
        "/web",
    ] {
        server.get(path).problem(404, "not-found");
    }
}
