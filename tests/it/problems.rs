//! Every row of the table of problems, provoked over real connections; and what all answers share.

use std::io::Write;
use std::sync::Mutex;
use std::time::Duration;

use crate::common::{Answer, JSON, Server, Setup, request};
use axum::routing::get;
use bestmove::http;
use bestmove_api::PROBLEMS;
use insta::assert_snapshot;
use serde_json::{Value, json};

const ASK: &str = "/best-move";

#[test]
fn every_row_of_the_table_can_be_provoked() {
    let seen = Mutex::new(Vec::new());
    for (name, provoke) in PROVOCATIONS {
        let row = PROBLEMS.iter().find(|row| row.name == *name);
        let row = row.unwrap_or_else(|| panic!("{name} is not in the table"));
        let problem = provoke().problem(row.status, name);
        assert_eq!(problem["title"], row.title);
        seen.lock().expect("no test panicked").push(*name);
    }
    let seen = seen.into_inner().expect("no test panicked");
    let missing = PROBLEMS.iter().filter(|row| !seen.contains(&row.name));
    assert_eq!(missing.map(|row| row.name).collect::<Vec<_>>(), [""; 0]);
}

type Provocation = (&'static str, fn() -> Answer);

static PROVOCATIONS: &[Provocation] = &[
    ("malformed-json", || posted("{")),
    ("invalid-host", || Server::start().exchange(b"GET /games HTTP/1.1\r\n\r\n")),
    ("forbidden-origin", forbidden_origin),
    ("not-found", || Server::start().get("/nothing")),
    ("method-not-allowed", || Server::start().send("PATCH", ASK, &[], b"")),
    ("request-timeout", half_a_body),
    ("payload-too-large", || posted(&" ".repeat(64 * 1024 + 1))),
    ("unsupported-media-type", || Server::start().send("POST", ASK, &[], b"{}")),
    ("invalid-request", || posted("{}")),
    ("unknown-game", || posted(r#"{"game":"go"}"#)),
    ("invalid-position", || posted(r#"{"game":"tic-tac-toe","position":"XXX......"}"#)),
    ("illegal-move", || posted(r#"{"game":"tic-tac-toe","moves":["9"]}"#)),
    ("game-over", || posted(r#"{"game":"tic-tac-toe","position":"XXXOO...."}"#)),
    ("too-large-a-tree", || Server::start().post("/tree", r#"{"game":"tic-tac-toe","depth":9}"#)),
    ("overloaded", overloaded),
    ("internal", fault),
];

fn posted(body: &str) -> Answer {
    Server::start().post(ASK, body)
}

fn forbidden_origin() -> Answer {
    Server::start().send("POST", "/mcp", &[JSON, ("origin", "https://evil.example")], b"{}")
}

fn half_a_body() -> Answer {
    let mut setup = Setup::default();
    setup.http.arrival = Duration::from_millis(100);
    let server = Server::with(setup);
    let whole = request("POST", ASK, &[JSON], br#"{"game":"tic-tac-toe"}"#);
    server.exchange(&whole[..whole.len() - 4])
}

fn overloaded() -> Answer {
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.queue) = (1, 0);
    let server = Server::with(setup);
    let _searching = server.search_long();
    let refusal = server.post(ASK, r#"{"game":"tic-tac-toe"}"#);
    assert_eq!(refusal.header("retry-after"), Some("1"));
    refusal
}

fn fault() -> Answer {
    let mut setup = Setup::default();
    setup.routes.push(("/fault", get(async || -> &'static str { panic!("a secret") })));
    let answer = Server::with(setup).get("/fault");
    assert!(!answer.text().contains("secret"), "{}", answer.text());
    answer
}

#[test]
fn broken_json_is_told_before_any_field() {
    let server = Server::start();
    for body in [
        &b""[..],
        b" ",
        b"{",
        b"nul",
        b"{}{}",
        br#"{"game":"tic-tac-toe"} x"#,
        br#"{"game":"tic-tac-toe",}"#,
        br#"{"game":7,"depth":}"#,
        br#"{"dept":7,"depth":01}"#,
        br#"{"game":"tic-tac-toe","position":"X"#,
        br#"{"depth":"x","game":"a"#,
        b"{\"depth\":\"x\",\"game\":\"\xff\"}",
        b"{\"game\":\"a\nb\"}",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf\xef\xbb\xbf{}",
        b"{\xef\xbb\xbf}",
        b"{'game':'tic-tac-toe'}",
        b"{\"depth\":NaN}",
    ] {
        let problem = server.post(ASK, body).problem(400, "malformed-json");
        assert!(problem.get("field").is_none(), "{problem}");
    }
}

/// A route, a request that it refuses, and the place of the value that is wrong.
type Refused = (&'static str, Value, &'static str);

/// Requests to a game in which a move, an algorithm or an evaluator is wrong.
fn wrong_choices(server: &Server, game: &Value) -> Vec<Refused> {
    let name = &game["name"];
    let start = server.post("/position", json!({"game": name}).to_string()).json();
    let mut refused = vec![("/position", json!({"game": name, "moves": ["x"]}), "/moves/0")];
    for route in ["/best-move", "/analyze", "/review", "/tree"] {
        let moves = match route {
            "/review" => json!([start["legal_moves"][0]["move"]]),
            _ => json!([]),
        };
        let asked = json!({"game": name, "moves": moves, "depth": 1});
        let with = |field: &str, value: Value| {
            let mut asked = asked.clone();
            asked[field] = value;
            asked
        };
        refused.push((route, with("moves", json!(["x"])), "/moves/0"));
        refused.push((route, with("algorithm", json!("x")), "/algorithm"));
        if route != "/review" {
            refused.push((route, with("search_moves", json!(["x"])), "/search_moves/0"));
        }
        for algorithm in game["algorithms"].as_array().expect("names") {
            let mut asked = with("algorithm", algorithm.clone());
            let answer = server.post(route, asked.to_string()).json();
            if answer["field"] == "/algorithm" {
                refused.push((route, asked, "/algorithm"));
            } else {
                asked["evaluator"] = json!("x");
                refused.push((route, asked, "/evaluator"));
            }
        }
    }
    refused
}

#[test]
fn what_is_allowed_is_not_refused() {
    let server = Server::start();
    let included = json!({"game": "chess", "depth": 1, "include": ["board", "x"]});
    let mut cases = vec![
        ("/best-move", json!({"game": "go"}), "/game"),
        ("/best-move", json!({"game": "chess", "level": 11}), "/level"),
        ("/best-move", json!({"game": "chess", "level": "7"}), "/level"),
        ("/best-move", included.clone(), "/include/1"),
        ("/analyze", included, "/include/1"),
    ];
    for game in server.get("/games").json()["games"].as_array().expect("games") {
        cases.extend(wrong_choices(&server, game));
    }
    for (route, mut body, place) in cases {
        let refused = server.post(route, body.to_string()).json();
        assert_eq!(refused["field"], place, "{body}: {refused}");
        for allowed in refused["allowed"].as_array().unwrap_or_else(|| panic!("{refused}")) {
            *body.pointer_mut(place).expect("the place is there") = allowed.clone();
            let answer = server.post(route, body.to_string()).json();
            assert_ne!(answer["field"], place, "{route} {body}: {answer}");
        }
    }
}

#[test]
fn fields_parameters_and_methods_that_are_allowed_are_not_refused() {
    let server = Server::start();
    for route in ["/best-move", "/analyze", "/review", "/tree", "/position"] {
        let refused =
            server.post(route, json!({"x": 1}).to_string()).problem(422, "invalid-request");
        for name in refused["allowed"].as_array().expect("names") {
            let name = name.as_str().expect("a name");
            let answer = server.post(route, json!({name: null}).to_string()).json();
            assert!(!answer["detail"].to_string().contains("unknown field"), "{answer}");
        }
        let refused = server.send("PUT", route, &[], b"").problem(405, "method-not-allowed");
        for method in refused["allowed"].as_array().expect("methods") {
            let answer = server.send(method.as_str().expect("a name"), route, &[JSON], b"{}");
            assert_ne!(answer.status, 405, "{method} {route}");
        }
    }
    let themes = server.get("/board.svg?game=chess&theme=x").problem(422, "invalid-request");
    for theme in themes["allowed"].as_array().expect("names") {
        let theme = theme.as_str().expect("a name");
        assert_eq!(server.get(&format!("/board.svg?game=chess&theme={theme}")).status, 200);
    }
}

/// Values in quotes: numbers that would be right without, and then values that would be refused without quotes too.
const QUOTED: [(&str, &str, &str); 14] = [
    ("/best-move", "depth", "3"),
    ("/best-move", "depth", "3.0"),
    ("/best-move", "time_ms", "100"),
    ("/best-move", "nodes", "1000"),
    ("/best-move", "seed", "0"),
    ("/best-move", "level", "10"),
    ("/analyze", "top", "2"),
    ("/review", "nodes", "7"),
    ("/tree", "max_nodes", "7"),
    ("/best-move", "depth", "0"),
    ("/best-move", "depth", "three"),
    ("/best-move", "depth", "1.5"),
    ("/best-move", "time_ms", "9999999999"),
    ("/best-move", "level", "11"),
];

/// The place and the detail of a refusal for a wrong field.
fn told(refusal: &Answer) -> String {
    let problem = refusal.problem(422, "invalid-request");
    format!("{}: {}", problem["field"], problem["detail"])
}

#[test]
fn a_number_in_quotes_is_refused_and_shown_without() {
    let server = Server::start();
    let details = QUOTED.map(|(route, field, value)| {
        let body = json!({"game": "tic-tac-toe", "moves": ["0"], field: value});
        told(&server.post(route, body.to_string()))
    });
    assert_snapshot!(details.join("\n"));
}

/// Bodies with a value of the wrong type or out of range, an unknown or a repeated field.
static WRONG_BODIES: &[&str] = &[
    "[]",
    r#" ["tic-tac-toe"]"#,
    "null",
    "7",
    r#"{"game":7}"#,
    r#"{"game":{}}"#,
    r#"{"game":true}"#,
    r#"{"depth":0}"#,
    r#"{"depth":-3}"#,
    r#"{"depth":1.5}"#,
    r#"{"depth":"9"}"#,
    r#"{"depth":[9]}"#,
    r#"{"depth":1e400}"#,
    r#"{"nodes":0}"#,
    r#"{"nodes":1180591620717411303424}"#,
    r#"{"nodes":9007199254740992}"#,
    r#"{"level":3.5}"#,
    r#"{"level":[]}"#,
    r#"{"level":-1}"#,
    r#"{"time_ms":3600001}"#,
    r#"{"moves":true}"#,
    r#"{"include":"board"}"#,
    r#"{"moves":["4",null]}"#,
    r#"{"search_moves":[4.5]}"#,
    r#"{"search_moves":[]}"#,
    r#"{"position":true}"#,
    r#"{"position":["X..",true]}"#,
    r#"{"position":[["X",[]]]}"#,
    r#"{"game":"tic-tac-toe","depth":10}"#,
    r#"{"game":"a","game":"b"}"#,
    r#"{"duplicate field `game`":1}"#,
];

#[test]
fn a_wrong_field_is_named_with_what_was_expected_and_what_came() {
    let server = Server::start();
    let refused = |body: &&str| format!("{body}\n  {}", told(&server.post(ASK, body)));
    assert_snapshot!(WRONG_BODIES.iter().map(refused).collect::<Vec<_>>().join("\n"));
}

#[test]
fn text_that_is_no_unicode_and_deep_nesting_have_a_field() {
    let server = Server::start();
    let nested = format!(r#"{{"position":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    let outer = format!("/position{}", "/0".repeat(46));
    for (body, detail, field) in [
        (r#"{"game":"\ud800"}"#, "surrogates in pairs", "/game"),
        (r#"{"\ud800":1}"#, "surrogates in pairs", ""),
        (&nested, "fewer arrays and objects in each other", &outer),
    ] {
        let problem = server.post(ASK, body).problem(422, "invalid-request");
        let told = problem["detail"].as_str().expect("a sentence");
        assert!(told.contains(detail), "{problem}");
        assert_eq!(problem["field"], field);
    }
}

#[test]
fn every_route_with_a_body_refuses_by_the_same_table() {
    let server = Server::start();
    for path in ["/best-move", "/analyze", "/tree", "/position"] {
        let ask = |body: &str| server.post(path, body);
        ask("{").problem(400, "malformed-json");
        server.send("POST", path, &[], b"{}").problem(415, "unsupported-media-type");
        ask(&" ".repeat(64 * 1024 + 1)).problem(413, "payload-too-large");
        for (name, body) in [
            ("invalid-request", r#"{"depth":1}"#),
            ("invalid-request", r#"{"game":7}"#),
            ("invalid-request", r#"{"game":"tic-tac-toe","dept":1}"#),
            ("invalid-request", r#"{"game":"checkers","position":["X"]}"#),
            ("invalid-request", r#"{"game":"tic-tac-toe","moves":true}"#),
        ] {
            ask(body).problem(422, name);
        }
        let depth = if path == "/position" { "" } else { r#","depth":1"# };
        let with_depth = |rest: &str| ask(&format!(r#"{{"game":{rest}{depth}}}"#));
        with_depth(r#""go""#).problem(422, "unknown-game");
        with_depth(r#""tic-tac-toe","position":"XXX......""#).problem(422, "invalid-position");
        let illegal = with_depth(r#""tic-tac-toe","moves":["4","4"]"#);
        assert_eq!(illegal.problem(422, "illegal-move")["field"], "/moves/1");
        let over = with_depth(r#""tic-tac-toe","position":"XXXOO....""#);
        match path {
            "/position" => assert_eq!(over.status, 200),
            _ => assert_eq!(over.problem(422, "game-over")["winner"], "X"),
        }
    }
}

#[test]
fn an_unknown_field_is_named_with_the_allowed_ones() {
    let server = Server::start();
    for (name, field) in [("dept", "/dept"), ("a/b~c", "/a~1b~0c"), ("a`b", "/a`b")] {
        let body = json!({"game": "tic-tac-toe", name: [[[]]]}).to_string();
        let problem = server.post(ASK, body).problem(422, "invalid-request");
        assert_eq!(problem["field"], field);
        assert_eq!(problem["allowed"][0], "game");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(name) && detail.contains("`search_moves`"), "{detail}");
    }
}

#[test]
fn an_illegal_move_is_placed_and_the_legal_ones_are_listed() {
    let server = Server::start();
    let ask = |body: &str| server.post(ASK, body).problem(422, "illegal-move");
    let problem = ask(r#"{"game":"tic-tac-toe","moves":["4","0","1","4"]}"#);
    assert_eq!(problem["field"], "/moves/3");
    assert_eq!(problem["allowed"], json!(["2", "3", "5", "6", "7", "8"]));
    let problem = ask(r#"{"game":"tic-tac-toe","position":"XX.OO....","search_moves":["2","0"]}"#);
    assert_eq!(problem["field"], "/search_moves/1");
    let problem = ask(r#"{"game":"tic-tac-toe","position":"XX.OO....","moves":["2","5"]}"#);
    assert_eq!((&problem["field"], problem.get("allowed")), (&json!("/moves/1"), None));
}

#[test]
fn the_end_of_a_game_is_told_with_winner_and_reason() {
    let server = Server::start();
    let ask = |position: &str| {
        let body = json!({"game": "tic-tac-toe", "position": position}).to_string();
        server.post(ASK, body).problem(422, "game-over")
    };
    let told = |problem: &Value| ["state", "winner", "reason"].map(|name| problem[name].clone());
    assert_eq!(told(&ask("XXXOO....")), ["won", "X", "three in a row"].map(Value::from));
    assert_eq!(told(&ask("XOXXOOOXX")), [json!("drawn"), Value::Null, json!("board full")]);
}

#[test]
fn a_method_that_is_not_allowed_is_told_which_are() {
    let server = Server::start();
    let answer = server.send("DELETE", ASK, &[], b"");
    let problem = answer.problem(405, "method-not-allowed");
    assert_eq!(answer.header("allow"), Some("GET,HEAD,POST"));
    assert_eq!(problem["allowed"], json!(["GET", "HEAD", "POST"]));
    assert_eq!(problem["detail"], "DELETE is not allowed here; allowed: GET, HEAD, POST");
    let answer = server.post("/games", "{}");
    assert_eq!(answer.problem(405, "method-not-allowed")["allowed"], json!(["GET", "HEAD"]));
}

#[test]
fn only_json_is_taken() {
    let server = Server::start();
    let ask = |kind: &str| {
        server.send("POST", ASK, &[("content-type", kind)], br#"{"game":"tic-tac-toe"}"#)
    };
    for kind in ["application/json", "Application/JSON; charset=utf-8", "application/json;x=y"] {
        assert_eq!(ask(kind).status, 200, "{kind}");
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
        ask(kind).problem(415, "unsupported-media-type");
    }
    for (path, kind) in
        [(ASK, JSON), ("/best-move/batch", ("content-type", "application/x-ndjson"))]
    {
        let encoded = [kind, ("content-encoding", "gzip")];
        let problem =
            server.send("POST", path, &encoded, b"{}").problem(415, "unsupported-media-type");
        assert!(
            problem["detail"].as_str().is_some_and(|detail| detail.contains("content-encoding"))
        );
    }
}

#[test]
fn a_client_that_sends_too_much_still_sees_its_answer() {
    let server = Server::start();
    let body = vec![b' '; 3_000_000];
    server.post(ASK, &body).problem(413, "payload-too-large");
    server.send("POST", "/nothing", &[JSON], &body).problem(404, "not-found");
    server.send("PUT", ASK, &[JSON], &body).problem(405, "method-not-allowed");
    let mut client = server.connect();
    let waiting = [JSON, ("expect", "100-continue")];
    let whole = request("POST", ASK, &waiting, &body);
    client.write_all(&whole[..whole.len() - body.len()]).expect("the server reads");
    let answer = Answer::read(&mut client).expect("the server answers");
    answer.problem(413, "payload-too-large");
}

#[test]
fn a_body_that_is_announced_as_too_large_is_refused_as_that_though_it_never_comes() {
    let mut setup = Setup::default();
    setup.http.arrival = Duration::from_millis(100);
    let server = Server::with(setup);
    let whole = request("POST", ASK, &[JSON], &vec![b' '; 3_000_000]);
    server.exchange(&whole[..1000]).problem(413, "payload-too-large");
}

#[test]
fn a_body_at_the_limit_is_taken() {
    let server = Server::start();
    let mut body = br#"{"game":"tic-tac-toe"}"#.to_vec();
    body.resize(64 * 1024, b' ');
    assert_eq!(server.post(ASK, &body).status, 200);
}

#[test]
fn every_answer_carries_a_request_id() {
    let server = Server::start();
    let long = "x".repeat(128);
    for own in ["abc-123", "!", &long] {
        let answer = server.send("GET", "/nothing", &[("x-request-id", own)], b"");
        assert_eq!(answer.problem(404, "not-found")["request_id"], own);
    }
    let too_long = "x".repeat(129);
    for unusable in ["", "two words", "caf\u{e9}", &too_long] {
        let answer = server.send("GET", "/health", &[("x-request-id", unusable)], b"");
        let id = answer.header("x-request-id").expect("there is one");
        assert!(id != unusable && id.len() == 16, "{id}");
    }
    let id = |answer: Answer| answer.header("x-request-id").map(String::from);
    assert_ne!(id(server.get("/health")), id(server.get("/health")));
}

#[test]
fn scripts_of_any_origin_may_read_the_answers() {
    let server = Server::start();
    for path in ["/health", "/nothing", ASK] {
        let answer = server.send("GET", path, &[("origin", "http://example.org")], b"");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{path}");
        let exposed = answer.header("access-control-expose-headers").unwrap_or_default();
        let headers = ["x-request-id", "retry-after", "etag", "server-timing", "location", "allow"];
        for header in headers {
            assert!(exposed.contains(header), "{path}: {exposed}");
        }
    }
    let question = [("origin", "http://example.org"), ("access-control-request-method", "POST")];
    // A star would not stand for `Authorization` (Fetch, section 3.3.3).
    for asked in ["content-type", "content-type,authorization", "X-Own, Authorization"] {
        let wanted = ("access-control-request-headers", asked);
        let leave = server.send("OPTIONS", ASK, &[&question[..], &[wanted]].concat(), b"");
        assert_eq!((leave.status, leave.body.len()), (200, 0));
        assert_eq!(leave.header("access-control-allow-methods"), Some("GET,HEAD,POST"));
        assert_eq!(leave.header("access-control-allow-headers"), Some(asked));
    }
    for headers in [&question[..], &[]] {
        let leave = server.send("OPTIONS", ASK, headers, b"");
        assert_eq!((leave.status, leave.header("access-control-allow-headers")), (200, None));
    }
}

#[test]
fn a_byte_order_mark_before_json_is_skipped() {
    let server = Server::start();
    for (path, body) in [
        (ASK, json!({"game": "tic-tac-toe"})),
        ("/analyze", json!({"game": "tic-tac-toe", "depth": 1})),
        ("/review", json!({"game": "tic-tac-toe", "moves": ["4"], "depth": 1})),
        ("/position", json!({"game": "tic-tac-toe"})),
        ("/tree", json!({"game": "tic-tac-toe", "depth": 1})),
        ("/mcp", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})),
    ] {
        let marked = server.post(path, format!("\u{feff}{body}"));
        assert_eq!(marked.status, 200, "{path}: {}", marked.text());
        assert_eq!(marked.text(), server.post(path, body.to_string()).text(), "{path}");
    }
    let kind = ("content-type", "application/x-ndjson");
    let lines = "\u{feff}{\"game\":\"tic-tac-toe\"}\n\u{feff}{\"game\":\"chess\",\"depth\":1}\n";
    let answers = server.stream("/best-move/batch", &[kind], lines.as_bytes()).text();
    assert_eq!(answers.matches("\"best_move\"").count(), 2, "{answers}");
}

#[test]
fn a_slash_at_the_end_of_a_path_is_the_same_route() {
    let server = Server::start();
    let id = [("x-request-id", "same"), JSON];
    for (route, _) in http::routes() {
        let path = route.replace("{game}", "chess").replace("{file}", "pieces.svg");
        // The page of the contract is found elsewhere, since its addresses are relative.
        if ["/", "/docs", "/metrics"].contains(&path.as_str()) {
            continue;
        }
        for (method, body) in [("GET", &b""[..]), ("HEAD", b""), ("POST", b"{}"), ("PUT", b"{}")] {
            let ask = |path: &str| {
                let answer = server.send(method, path, &id, body);
                (answer.status, answer.header("allow").map(str::to_owned), answer.text())
            };
            let plain = ask(&format!("{path}?game=chess&depth=1"));
            assert_eq!(ask(&format!("{path}/?game=chess&depth=1")), plain, "{method} {path}");
        }
        let twice = server.send("GET", &format!("{path}//"), &id, b"");
        let before = server.send("GET", &format!("/{path}"), &id, b"");
        assert_eq!((twice.status, before.status), (404, 404), "{path}");
    }
    assert_eq!(server.get("/metrics/").status, 200);
    assert_eq!(server.get("/nothing/").status, 404);
    let metrics = server.get("/metrics").text();
    assert!(!metrics.contains(r#"/",method"#), "labels have no slash: {metrics}");
}
