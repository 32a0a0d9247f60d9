//! What is wrong with a request is told without the request: at most a hundred characters of a text are repeated.

use crate::common::program::Program;
use crate::common::{Answer, Client, JSON};
use serde_json::{Value, json};

/// A text that is longer than what is repeated of it.
fn long() -> String {
    "\u{e9}".repeat(20_000)
}

/// The answer is short. It repeats at most a hundred characters of the text.
#[track_caller]
fn check(of: &str, answer: &Answer) {
    let text = answer.text();
    assert!(!text.contains(&"\u{e9}".repeat(101)), "{of}: {} bytes", text.len());
    assert!(!text.contains(&"%C3%A9".repeat(101)), "{of}: {} bytes", text.len());
    assert!(!text.contains("\\u00e9".repeat(101).as_str()), "{of}: {} bytes", text.len());
    // The legal moves and the names of fields may be listed.
    assert!(text.len() < 6000, "{of}: {} bytes: {}", text.len(), &text[..200]);
}

/// Every field of every body, too long.
fn bodies() -> Vec<Value> {
    let fields = [
        "game",
        "variant",
        "position",
        "moves",
        "algorithm",
        "evaluator",
        "level",
        "include",
        "view",
        "search_moves",
        "depth",
        "nodes",
        "time_ms",
        "top",
        "seed",
        "id",
        "arrows",
        "marks",
        "theme",
        "max_nodes",
        "draw",
    ];
    let mut bodies = Vec::new();
    for field in fields {
        for value in
            [json!(long()), json!([long()]), json!({ long(): long() }), json!([{ long(): 1 }])]
        {
            let mut body = json!({"game": "chess"});
            body[field] = value;
            bodies.push(body);
        }
    }
    bodies.push(json!({"game": "chess", long(): 1}));
    bodies.push(json!(long()));
    bodies.push(json!([long()]));
    bodies
}

#[test]
fn a_problem_repeats_at_most_a_hundred_characters_of_any_field() {
    let server = Program::start(&[]);
    for body in bodies() {
        let name = body.to_string().chars().take(60).collect::<String>();
        for path in [
            "/best-move",
            "/analyze",
            "/position",
            "/review",
            "/tree",
            "/best-move/stream",
            "/review/stream",
        ] {
            check(&format!("{path} {name}"), &server.post(path, body.to_string()));
        }
        let kind = ("content-type", "application/x-ndjson");
        let batch = server.stream("/best-move/batch", &[kind], body.to_string().as_bytes());
        // The id of a line is repeated in its answer.
        if body.get("id").is_none() {
            check(&format!("batch {name}"), &batch);
        }
    }
}

#[test]
fn a_problem_repeats_at_most_a_hundred_characters_of_a_query_or_a_path() {
    let server = Program::start(&[]);
    let long = "%C3%A9".repeat(5_000);
    for field in
        ["game", "position", "moves", "depth", "include", "arrows", "marks", "level", &long]
    {
        for path in ["/best-move", "/best-move.txt", "/best-move/stream", "/board.svg"] {
            let start = if field == "game" { "" } else { "game=chess&" };
            let answer = server.get(&format!("{path}?{start}{field}={long}"));
            if answer.header("transfer-encoding").is_none() {
                check(&format!("{path} {}", &field[..4]), &answer);
            }
        }
    }
    for path in ["/", "/games/", "/web/", "/docs/", "/no/such/"] {
        check(path, &server.get(&format!("{path}{long}")));
        check(path, &server.post(&format!("{path}{long}"), "{}"));
    }
    for path in ["/best-move", "/games", "/health"] {
        let answer = server.send(&"X".repeat(5_000), path, &[], b"");
        assert!(answer.body.len() < 1000, "{path}: {}", answer.body.len());
        let answer = server.send("POST", path, &[("content-type", &long)], b"{}");
        check(path, &answer);
    }
}

fn message(client: &Client, message: &Value) -> Answer {
    let accept = ("accept", "application/json, text/event-stream");
    client.send("POST", "/mcp", &[JSON, accept], message.to_string().as_bytes())
}

fn method(name: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": name, "params": params})
}

fn call(name: &str, arguments: &Value) -> Value {
    method("tools/call", &json!({"name": name, "arguments": arguments}))
}

/// Parameters of methods that are too long, or of the wrong type.
fn wrong_parameters() -> Vec<(&'static str, Value)> {
    let client = json!({"name": long(), "version": "1"});
    let prompt = json!({"type": "ref/prompt", "name": long()});
    vec![
        ("tools/call", json!(long())),
        ("tools/call", json!([long()])),
        ("tools/call", json!({"name": [long()]})),
        ("tools/call", json!({"name": {long(): 1}})),
        ("tools/call", json!({"name": long(), "arguments": {}})),
        ("tools/call", json!({"name": "best_move", "arguments": long()})),
        ("tools/call", json!({"name": "best_move", "arguments": [long()]})),
        ("tools/call", json!({"name": "best_move", "arguments": {long(): 1}})),
        ("tools/call", json!({"name": "best_move", "arguments": {}, "_meta": long()})),
        ("tools/list", json!({"cursor": long()})),
        ("tools/list", json!({"cursor": [long()]})),
        (
            "initialize",
            json!({"protocolVersion": long(), "capabilities": long(), "clientInfo": long()}),
        ),
        (
            "initialize",
            json!({"protocolVersion": [long()], "capabilities": {}, "clientInfo": client}),
        ),
        (
            "initialize",
            json!({"protocolVersion": long(), "capabilities": {}, "clientInfo": client}),
        ),
        ("resources/read", json!({"uri": long()})),
        ("prompts/get", json!({"name": long()})),
        (
            "completion/complete",
            json!({"ref": prompt, "argument": {"name": long(), "value": long()}}),
        ),
        ("logging/setLevel", json!({"level": long()})),
        ("server/discover", json!({long(): long()})),
        ("tasks/get", json!({"taskId": long()})),
    ]
}

/// What is no message, or one whose other parts are too long.
fn wrong_messages() -> Vec<Value> {
    let cancelled = json!({"requestId": long()});
    vec![
        method(&long(), &json!({})),
        method(&long(), &json!([long()])),
        method(&long(), &json!(long())),
        json!({"jsonrpc": long(), "id": 1, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": long(), "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": [long()], "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": {long(): 1}, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": 1, "result": long()}),
        json!({"jsonrpc": "2.0", "id": long(), "error": {"code": 1, "message": long()}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}),
        json!({long(): long()}),
        json!([{"jsonrpc": "2.0", "id": long(), "method": "ping"}]),
        json!(long()),
    ]
}

#[test]
fn an_error_of_a_message_repeats_at_most_a_hundred_characters() {
    const TOOLS: [&str; 5] =
        ["best_move", "analyze_position", "get_position", "review_game", "render_board"];
    let server = Program::start(&[]);
    let methods = wrong_parameters().into_iter().map(|(name, params)| method(name, &params));
    let calls = bodies().into_iter().flat_map(|body| TOOLS.map(|name| call(name, &body)));
    for body in wrong_messages().into_iter().chain(methods).chain(calls) {
        let shown = body.to_string().chars().take(120).collect::<String>();
        let text = message(&server, &body).text();
        // The list of the tools is an answer too.
        assert!(text.len() < 60_000, "{shown}: {} bytes", text.len());
        assert!(!text.contains(&"\u{e9}".repeat(101)), "{shown}: {} bytes", text.len());
    }
    let id = "1".repeat(20_000);
    let number = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let answer = server.send("POST", "/mcp", &[JSON], number.as_bytes());
    assert!(answer.body.len() < 1000, "{}", answer.text());
}

#[test]
fn the_headers_of_a_message_are_not_repeated_either() {
    let server = Program::start(&[]);
    let ping = method("ping", &json!({})).to_string();
    let long = "x".repeat(20_000);
    for name in ["mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name", "accept"] {
        let answer = server.send("POST", "/mcp", &[JSON, (name, &long)], ping.as_bytes());
        assert!(answer.body.len() < 1000, "{name}: {} bytes", answer.body.len());
    }
}
