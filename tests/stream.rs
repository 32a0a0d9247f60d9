//! Progress as server-sent events.

mod common;

use std::io::Write;

use common::{Answer, JSON, LONG, Server, Setup, read_chunk, request};
use serde_json::Value;

const EVENTS: (&str, &str) = ("accept", "text/event-stream");

/// The events of an answer, each with its name.
fn events(answer: &Answer) -> Vec<(String, Value)> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    let text = answer.text();
    let blocks = text.split("\n\n").filter(|block| block.starts_with("event: "));
    let read = blocks.map(|block| {
        let (name, json) = block.split_once('\n').expect("an event has a name and data");
        let json = json.strip_prefix("data: ").expect("data stand on one line");
        (name["event: ".len()..].to_owned(), serde_json::from_str(json).expect("data are JSON"))
    });
    read.collect()
}

#[test]
fn every_depth_is_told_before_the_result() {
    let server = Server::start();
    for path in ["/best-move", "/analyze"] {
        let body = br#"{"game":"connect-four","depth":6,"algorithm":"alpha-beta"}"#;
        let answer = server.stream(path, &[JSON, EVENTS], body);
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("vary"), Some("accept"));
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
    let answer = server.stream("/best-move", &[JSON, EVENTS], br#"{"game":"tic-tac-toe"}"#);
    let events = events(&answer);
    assert_eq!(events.last().map(|(name, _)| name.as_str()), Some("result"));
    assert_eq!(events.last().map(|(_, result)| &result["best_move"]), Some(&Value::from("0")));
}

#[test]
fn what_fails_at_once_is_a_plain_problem() {
    let server = Server::start();
    let ask = |body: &[u8]| server.send("POST", "/best-move", &[JSON, EVENTS], body);
    ask(b"{").problem(400, "malformed-json");
    ask(br#"{"game":"go"}"#).problem(422, "unknown-game");
    ask(br#"{"game":"tic-tac-toe","position":"XXXOO...."}"#).problem(422, "game-over");
    let mut setup = Setup::default();
    (setup.service.workers, setup.service.queue) = (1, 0);
    let server = Server::with(setup);
    let _searching = server.search_long();
    let refusal = server.send("POST", "/best-move", &[JSON, EVENTS], br#"{"game":"tic-tac-toe"}"#);
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
    client.write_all(&request("POST", "/best-move", &[JSON, EVENTS], body)).expect("it is read");
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
    let request = request("POST", "/best-move", &[JSON, EVENTS], LONG.as_bytes());
    client.write_all(&request).expect("the server reads");
    Answer::read_head(&mut client).expect("the server answers");
    let first = read_chunk(&mut client).expect("the answer goes on");
    assert!(first.is_some_and(|chunk| chunk.starts_with(b"event: progress\n")));
    drop(client);
    server.await_metric("bestmove_searches_running", 0.0);
    server.await_metric("bestmove_searches_abandoned_total", 1.0);
}
