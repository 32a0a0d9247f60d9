//! Progress as server-sent events.

use std::io::Write;

use crate::common::{Answer, JSON, LONG, Server, Setup, read_chunk, request};
use serde_json::Value;

/// The events of an answer, each with its name.
fn events(answer: &Answer) -> Vec<(String, Value)> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let text = answer.text();
    let blocks = text.split("\n\n").filter(|block| block.starts_with("event: "));
    let read = blocks.map(|block| {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
        let name = field("event: ").expect("an event has a name");
        let is_last = matches!(name, "result" | "problem");
        assert_eq!(field("id: "), is_last.then_some("end"), "only the last event has an id");
        let json = field("data: ").expect("an event has data on one line");
        (name.to_owned(), serde_json::from_str(json).expect("data are JSON"))
    });
    read.collect()
}

#[test]
fn every_depth_is_told_before_the_result() {
    let server = Server::start();
    for path in ["/best-move", "/analyze"] {
        let body = br#"{"game":"connect-four","depth":6,"algorithm":"alpha-beta"}"#;
        let answer = server.stream(&format!("{path}/stream"), &[JSON], body);
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let events = events(&answer);
        let (name, result) = events.last().expect("there is a result");
        assert_eq!((name.as_str(), result), ("result", &server.post(path, body).json()));
        let depths = events[..events.len() - 1].iter().map(|(name, progress)| {
            assert_eq!((name.as_str(), progress.get("after")), ("progress", None));
            assert!(progress["principal_variation"].is_array(), "{progress}");
            progress["search"]["depth"].as_u64().expect("the depth is told")
        });
        assert_eq!(depths.collect::<Vec<_>>(), (1..=6).collect::<Vec<_>>());
    }
}

#[test]
fn a_proof_is_told_at_once() {
    let server = Server::start();
    let answer = server.stream("/best-move/stream", &[JSON], br#"{"game":"tic-tac-toe"}"#);
    let events = events(&answer);
    assert_eq!(events.last().map(|(name, _)| name.as_str()), Some("result"));
    assert_eq!(events.last().map(|(_, result)| &result["best_move"]), Some(&Value::from("0")));
}

#[test]
fn what_fails_at_once_is_a_plain_problem() {
    let server = Server::start();
    let ask = |body: &[u8]| server.post("/best-move/stream", body);
    ask(b"{").problem(400, "malformed-json");
    ask(br#"{"game":"go"}"#).problem(422, "unknown-game");
    ask(br#"{"game":"tic-tac-toe","position":"XXXOO...."}"#).problem(422, "game-over");
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.queue) = (1, 0);
    let server = Server::with(setup);
    let _searching = server.search_long();
    let refusal = server.post("/best-move/stream", br#"{"game":"tic-tac-toe"}"#);
    refusal.problem(503, "overloaded");
}

#[test]
fn silence_is_broken_by_comments() {
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.queue) = (1, 1);
    let server = Server::with(setup);
    let searching = server.search_long();
    let mut client = server.connect();
    let body = br#"{"game":"tic-tac-toe"}"#;
    client.write_all(&request("POST", "/best-move/stream", &[JSON], body)).expect("it is read");
    let head = Answer::read_head(&mut client).expect("the server answers");
    assert_eq!(head.status, 200);
    let comment = read_chunk(&mut client).expect("the answer goes on");
    assert_eq!(comment.as_deref(), Some(&b":\n\n"[..]));
    drop(searching);
    let mut rest = Vec::new();
    while let Some(chunk) = read_chunk(&mut client).expect("the answer goes on") {
        rest.extend(chunk);
    }
    assert!(String::from_utf8_lossy(&rest).contains("event: result\n"));
}

#[test]
fn a_client_that_leaves_in_the_middle_stops_its_search() {
    let server = Server::start();
    let mut client = server.connect();
    let request = request("POST", "/best-move/stream", &[JSON], LONG.as_bytes());
    client.write_all(&request).expect("the server reads");
    Answer::read_head(&mut client).expect("the server answers");
    let first = read_chunk(&mut client).expect("the answer goes on");
    assert!(first.is_some_and(|chunk| chunk.starts_with(b"event: progress\n")));
    drop(client);
    server.await_metric("bestmove_searches_running", 0.0);
    server.await_metric("bestmove_searches_abandoned_total", 1.0);
}

/// Sends a GET and reads an answer that ends by itself, chunk by chunk.
fn get_stream(server: &Server, target: &str, headers: &[(&str, &str)]) -> Answer {
    let mut client = server.connect();
    client.write_all(&request("GET", target, headers, b"")).expect("the server reads");
    let mut answer = Answer::read_head(&mut client).expect("the server answers");
    while answer.status == 200
        && let Some(chunk) = read_chunk(&mut client).expect("the answer goes on")
    {
        answer.body.extend(chunk);
    }
    answer
}

#[test]
fn an_event_source_gets_the_same_events() {
    let server = Server::start();
    let query = "game=connect-four&depth=4&moves=4,4&moves=3";
    let answer = get_stream(&server, &format!("/best-move/stream?{query}"), &[]);
    let events = events(&answer);
    assert_eq!(events.len(), 5);
    let (name, result) = events.last().expect("there is a result");
    let plain = server.get(&format!("/best-move?{query}")).json();
    assert_eq!((name.as_str(), result), ("result", &plain));
}

#[test]
fn an_event_source_that_has_seen_the_end_is_told_to_stop() {
    let server = Server::start();
    let end = [("last-event-id", "end")];
    let answer = get_stream(&server, "/best-move/stream?game=tic-tac-toe", &end);
    assert_eq!((answer.status, answer.body.len()), (204, 0));
}

#[test]
fn an_event_source_sees_a_refusal_as_an_event() {
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.queue) = (1, 0);
    let server = Server::with(setup);
    let refusal = |query: &str| {
        let answer = get_stream(&server, &format!("/best-move/stream?{query}"), &[]);
        let id = answer.header("x-request-id").map(String::from);
        let events = events(&answer);
        assert_eq!((events.len(), events[0].0.as_str()), (1, "problem"));
        assert_eq!(events[0].1["request_id"].as_str(), id.as_deref());
        events[0].1["type"].clone()
    };
    assert_eq!(refusal("game=go"), "/problems/unknown-game");
    assert_eq!(refusal("game=tic-tac-toe&depth=x"), "/problems/invalid-request");
    let _searching = server.search_long();
    assert_eq!(refusal("game=tic-tac-toe"), "/problems/overloaded");
}
