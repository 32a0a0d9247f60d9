//! `GET /docs`: the page to read and try the contract.

use crate::common::Server;
use serde_json::Value;

/// The files that the page names.
const FILES: [(&str, &str); 4] = [
    ("docs/swagger-ui.css", "text/css; charset=utf-8"),
    ("docs/page.css", "text/css; charset=utf-8"),
    ("docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    ("docs/page.js", "text/javascript; charset=utf-8"),
];

#[test]
fn a_browser_lets_the_page_ask_its_own_server_alone() {
    let server = Server::start();
    for (path, kind) in FILES.into_iter().chain([("docs", "text/html; charset=utf-8")]) {
        let answer = server.get(&format!("/{path}"));
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{path}");
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    }
    for path in ["/docs", "/docs/page.css", "/docs/page.js"] {
        assert!(!server.get(path).text().contains("://"), "{path} names another host");
    }
}

#[test]
fn the_page_names_files_that_are_there() {
    let server = Server::start();
    let page = server.get("/docs").text();
    let names = page.split(['"', '\'']).filter(|name| name.starts_with("docs/"));
    assert_eq!(names.collect::<Vec<_>>(), FILES.map(|(name, _)| name));
    let slash = server.get("/docs/");
    assert_eq!((slash.status, slash.header("location")), (308, Some("../docs")));
    for path in ["/docs/none.css", "/docs/README.md", "/docs/../Cargo.toml", "/docs/%ff"] {
        server.get(path).problem(404, "not-found");
    }
}

/// The banner of the script names the licences of what it contains.
#[test]
fn licences_are_shown_beside_the_files() {
    let server = Server::start();
    for name in
        ["swagger-ui.LICENSE.txt", "swagger-ui.NOTICE.txt", "swagger-ui-bundle.js.LICENSE.txt"]
    {
        let answer = server.get(&format!("/docs/{name}"));
        let kind = answer.header("content-type");
        assert_eq!((answer.status, kind), (200, Some("text/plain; charset=utf-8")), "{name}");
    }
}

/// What the page shows comes from the contract.
#[test]
fn every_route_about_games_has_an_example_of_chess() {
    let contract = Server::start().get("/openapi.json").json();
    let routes = contract["paths"].as_object().expect("there are routes");
    for (path, operations) in routes {
        for (method, operation) in operations.as_object().expect("a route has methods") {
            let tag = operation["tags"][0].as_str().expect("a route has a tag");
            let shown = operation["requestBody"].to_string() + &operation["responses"].to_string();
            assert!(tag == "operations" || shown.contains("chess"), "{method} {path}");
        }
    }
    assert_eq!(contract["paths"]["/position"]["post"]["tags"][0], "games");
}

#[test]
fn every_field_has_a_description() {
    fn described(schema: &Value) -> bool {
        schema["description"].is_string() || schema["$ref"].is_string()
    }
    let contract = Server::start().get("/openapi.json").json();
    for (name, schema) in contract["components"]["schemas"].as_object().expect("schemas") {
        assert!(described(schema), "{name}");
        for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
            assert!(described(schema), "{name}.{field}");
        }
    }
    for (name, parameter) in contract["components"]["parameters"].as_object().expect("some") {
        assert!(parameter["description"].is_string(), "{name}");
    }
    for operation in contract["paths"].as_object().into_iter().flatten() {
        for parameter in operation.1["get"]["parameters"].as_array().into_iter().flatten() {
            let is_told = described(parameter) || described(&parameter["schema"]);
            assert!(is_told, "{}: {parameter}", operation.0);
        }
    }
}

/// Its examples are those of the contract, and its notations those of the documentation, which are tested where they stand.
#[test]
fn the_guide_for_assistants_has_every_route_with_an_example_that_is_answered() {
    let server = Server::start();
    let guide = server.get("/llms.txt").text();
    let contract = server.get("/openapi.json").json();
    for (path, methods) in contract["paths"].as_object().expect("there are routes") {
        for method in methods.as_object().expect("a route has methods").keys() {
            assert!(guide.contains(&format!("`{} {path}`", method.to_uppercase())), "{path}");
        }
    }
    let mut tried = 0;
    for line in guide.lines() {
        let Some((route, example)) = line.split_once(" For example `") else { continue };
        let path = route.split('`').nth(1).and_then(|route| route.strip_prefix("POST "));
        let path = path.expect("a request with a body is a POST");
        let example = example.strip_suffix("`.").expect("the example ends the line");
        assert_eq!(server.post(path, example).status, 200, "{path} {example}");
        tried += 1;
    }
    assert!(tried >= 8, "{tried}");
    for game in ["Tic-tac-toe", "Connect Four", "Checkers", "Chess", "Othello"] {
        assert!(guide.contains(&format!("\n### {game}\n")), "{game}");
    }
    assert!(!guide.contains(".md"), "the guide links to no page that is not served");
}
