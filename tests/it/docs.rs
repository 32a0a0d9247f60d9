//! `GET /docs` and `/`: the page to read and try the contract.

use crate::common::Server;

#[test]
fn the_page_needs_nothing_but_its_own_server() {
    let server = Server::start();
    for (path, kind) in [
        ("/docs", "text/html; charset=utf-8"),
        ("/docs/style.css", "text/css; charset=utf-8"),
        ("/docs/script.js", "text/javascript; charset=utf-8"),
    ] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{path}");
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        let text = answer.text();
        assert!(!text.contains("://"), "{path} names another host");
        assert!(!text.contains("innerHTML"), "{path} turns text into markup");
    }
}

#[test]
fn the_page_names_files_that_are_there() {
    let server = Server::start();
    let page = server.get("/docs").text();
    let names = page.split(['"', '\'']).filter(|name| name.starts_with("docs/"));
    let names: Vec<_> = names.collect();
    assert_eq!(names, ["docs/style.css", "docs/script.js"]);
    for name in names {
        assert_eq!(server.get(&format!("/{name}")).status, 200);
    }
    for path in ["/docs/", "/docs/page.css", "/docs/../Cargo.toml", "/docs/%ff"] {
        server.get(path).problem(404, "not-found");
    }
}

#[test]
fn the_root_leads_to_the_page() {
    let answer = Server::start().get("/");
    assert_eq!((answer.status, answer.header("location")), (307, Some("docs")));
}
