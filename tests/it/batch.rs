//! Many requests over one connection: `POST /best-move/batch`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::common::{Answer, LONG, Server, Setup, read_chunk, request};
use serde_json::{Value, json};

const NDJSON: (&str, &str) = ("content-type", "application/x-ndjson");

fn lines(answer: &Answer) -> Vec<Value> {
    let text = answer.text();
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn ask(server: &Server, body: &str) -> Vec<Value> {
    let answer =
        server.stream("/best-move/batch", &[NDJSON, ("x-request-id", "many")], body.as_bytes());
    let told = (answer.status, answer.header("content-type"));
    assert_eq!(told, (200, Some("application/x-ndjson")));
    lines(&answer)
}

#[test]
fn every_line_is_answered_as_if_it_came_alone() {
    let server = Server::start();
    let requests = [
        r#"{"game":"tic-tac-toe"}"#,
        r#"{"game":"connect-four","depth":6}"#,
        r#"{"game":"checkers","depth":3}"#,
        r#"{"game":"tic-tac-toe","position":"X...O....","depth":9}"#,
    ];
    let requests: Vec<_> = requests.into_iter().cycle().take(300).collect();
    let answers = ask(&server, &requests.join("\n"));
    assert_eq!(answers.len(), requests.len());
    for (request, answer) in requests.iter().zip(&answers).take(4) {
        assert_eq!(&server.post("/best-move", request).json(), answer);
    }
    for (i, answer) in answers.iter().enumerate() {
        assert_eq!(answer, &answers[i % 4]);
    }
}

#[test]
fn a_line_that_fails_is_a_problem_on_its_own_line() {
    let server = Server::start();
    let long = format!(r#"{{"game":"{}"}}"#, "x".repeat(70_000));
    let body = [
        r#"{"game":"tic-tac-toe"}"#,
        "{",
        r#"{"game":"go"}"#,
        &long,
        r#"{"game":"tic-tac-toe","moves":["0","0"]}"#,
        "\u{1}",
        r#"{"game":"tic-tac-toe","position":"XXXOO...."}"#,
        r#"{"game":"tic-tac-toe"}"#,
    ];
    let answers = ask(&server, &body.join("\n"));
    let told: Vec<_> = answers.iter().map(|answer| answer["status"].as_u64()).collect();
    let expected =
        [0, 400, 422, 413, 422, 400, 422, 0].map(|status| Some(status).filter(|&it| it > 0));
    assert_eq!(told, expected);
    assert_eq!(answers[4]["field"], "/moves/1");
    assert_eq!(answers[6]["winner"], "X");
    assert!(answers[1..7].iter().all(|answer| answer["request_id"] == "many"));
    assert_eq!(answers[0], answers[7]);
}

#[test]
fn an_id_is_echoed_by_answers_and_problems() {
    let server = Server::start();
    let plain = r#"{"game":"tic-tac-toe","depth":3}"#;
    let body = [
        r#"{"id":7,"game":"tic-tac-toe","depth":3}"#,
        r#"{"game":"tic-tac-toe","depth":3,"id":"a b"}"#,
        r#"{"id":null,"game":"tic-tac-toe","depth":3}"#,
        r#"{"id":-1,"game":"go"}"#,
        r#"{"id":"late","game":"tic-tac-toe","depth":"3"}"#,
        r#"{"id":[1],"game":"tic-tac-toe"}"#,
        r#"{"id":1,"id":2,"game":"tic-tac-toe"}"#,
        plain,
    ];
    let mut answers = ask(&server, &body.join("\n"));
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
    let none = Value::Null;
    assert_eq!(ids[..5], [json!(7), json!("a b"), none.clone(), json!(-1), json!("late")]);
    assert_eq!(answers[5]["field"], "/id");
    assert_eq!(answers[6]["field"], "/id");
    let unmarked = answers.pop().expect("the last line is answered");
    for answer in &mut answers[..3] {
        answer.as_object_mut().expect("an object").remove("id");
        assert_eq!(*answer, unmarked);
    }
    assert_eq!(server.post("/best-move", body[0]).problem(422, "invalid-request")["field"], "/id");
}

#[test]
fn blank_lines_are_skipped_and_the_last_line_needs_no_end() {
    let server = Server::start();
    let one = r#"{"game":"tic-tac-toe"}"#;
    assert_eq!(ask(&server, &format!("\n\r\n  \n{one}\r\n\n{one}")).len(), 2);
    assert_eq!(ask(&server, &format!("{one}\n")).len(), 1);
    assert_eq!(ask(&server, ""), Vec::<Value>::new());
    assert_eq!(ask(&server, "\n\n \n"), Vec::<Value>::new());
}

#[test]
fn the_limit_of_a_body_holds_for_each_line() {
    let server = Server::start();
    let one = r#"{"game":"tic-tac-toe"}"#;
    let padded = |length: usize| one.to_owned() + &" ".repeat(length - one.len());
    let answers =
        ask(&server, &[padded(65_536), padded(65_537), padded(200_000), padded(99)].join("\n"));
    let told: Vec<_> = answers.iter().map(|answer| answer["status"].as_u64()).collect();
    assert_eq!(told, [None, Some(413), Some(413), None]);
}

/// A client that has sent the head of a request without end.
fn open(server: &Server) -> TcpStream {
    let mut client = server.connect();
    let head = "POST /best-move/batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n\
                transfer-encoding: chunked\r\n\r\n";
    client.write_all(head.as_bytes()).expect("the server reads");
    client
}

fn send(client: &mut impl Write, text: &str) {
    let chunk = format!("{:x}\r\n{text}\r\n", text.len());
    client.write_all(chunk.as_bytes()).expect("the server reads");
}

fn next_line(client: &mut impl Read) -> Value {
    let chunk = read_chunk(client).expect("the answer goes on").expect("there is a line");
    serde_json::from_slice(&chunk).expect("a line is JSON")
}

#[test]
fn an_answer_comes_before_the_next_line_is_sent() {
    let server = Server::start();
    let mut client = open(&server);
    for part in 0..3 {
        send(&mut client, r#"{"game":"tic-"#);
        send(&mut client, "tac-toe\"}\n");
        if part == 0 {
            assert_eq!(Answer::read_head(&mut client).expect("the server answers").status, 200);
        }
        assert_eq!(next_line(&mut client)["best_move"], "0");
    }
    send(&mut client, r#"{"game":"tic-tac-toe"}"#);
    client.write_all(b"0\r\n\r\n").expect("the server reads");
    assert_eq!(next_line(&mut client)["best_move"], "0");
    assert_eq!(read_chunk(&mut client).expect("the answer ends"), None);
}

#[test]
fn a_client_that_sends_nothing_more_is_told_so() {
    let mut setup = Setup::default();
    setup.http.arrival = Duration::from_millis(200);
    let server = Server::with(setup);
    let mut client = open(&server);
    send(&mut client, "{\"game\":\"tic-tac-toe\"}\n{\"game\":");
    Answer::read_head(&mut client).expect("the server answers");
    assert_eq!(next_line(&mut client)["best_move"], "0");
    assert_eq!(next_line(&mut client)["type"], "/problems/request-timeout");
}

#[test]
fn a_batch_on_which_no_byte_moves_is_closed() {
    for sent in ["", "{\"game\":\"tic-tac-toe\"}\n"] {
        let mut setup = Setup::default();
        setup.http.idle = Duration::from_millis(200);
        let server = Server::with(setup);
        let mut client = open(&server);
        if !sent.is_empty() {
            send(&mut client, sent);
        }
        Answer::read_head(&mut client).expect("the server answers");
        if !sent.is_empty() {
            assert_eq!(next_line(&mut client)["best_move"], "0");
        }
        assert_eq!(next_line(&mut client)["type"], "/problems/request-timeout");
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).expect("the server closes the connection");
        assert_eq!(rest, b"0\r\n\r\n");
    }
}

#[test]
fn a_single_request_goes_before_the_waiting_lines() {
    let mut setup = Setup::default();
    setup.service.workers = 1;
    let server = Server::with(setup);
    let line =
        json!({"game": "connect-four", "position": "444544121", "algorithm": "minimax", "time_ms": 200}).to_string() + "\n";
    let mut batch = server.connect();
    let head = request("POST", "/best-move/batch", &[NDJSON], line.repeat(400).as_bytes());
    batch.write_all(&head).expect("the server reads");
    server.await_metric("bestmove_searches_running", 1.0);
    for _ in 0..3 {
        assert_eq!(server.post("/best-move", r#"{"game":"tic-tac-toe"}"#).status, 200);
    }
    Answer::read_head(&mut batch).expect("the server answers");
    assert_eq!(next_line(&mut batch)["search"]["stopped_by"], "time");
}

#[test]
fn a_client_that_leaves_stops_all_its_lines() {
    let server = Server::start();
    let mut client = server.connect();
    let body = [LONG; 200].join("\n");
    client
        .write_all(&request("POST", "/best-move/batch", &[NDJSON], body.as_bytes()))
        .expect("it is read");
    server.await_metric("bestmove_searches_running", 2.0);
    drop(client);
    server.await_metric("bestmove_searches_running", 0.0);
    assert_eq!(server.metric("bestmove_searches_waiting").to_string(), "0");
}

#[test]
fn only_best_moves_are_asked_for_by_the_line() {
    let server = Server::start();
    for path in ["/best-move", "/analyze", "/tree", "/position"] {
        let answer = server.send("POST", path, &[NDJSON], br#"{"game":"tic-tac-toe"}"#);
        answer.problem(415, "unsupported-media-type");
    }
}

#[test]
fn lines_that_come_while_the_server_drains_are_refused_one_by_one() {
    let mut server = Server::start();
    let mut client = open(&server);
    send(
        &mut client,
        "{\"game\":\"connect-four\",\"position\":\"444544121\",\"algorithm\":\"minimax\",\"time_ms\":500}\n",
    );
    server.await_metric("bestmove_searches_running", 1.0);
    server.signal();
    server.await_status("/health/ready", 503);
    send(&mut client, "{\"game\":\"tic-tac-toe\"}\n{\"game\":\"tic-tac-toe\"}\n");
    Answer::read_head(&mut client).expect("the server answers");
    assert_eq!(next_line(&mut client)["search"]["stopped_by"], "time");
    let mut text = String::new();
    while text.lines().count() < 2 {
        let chunk = read_chunk(&mut client).expect("the answer goes on").expect("there are lines");
        text += std::str::from_utf8(&chunk).expect("answers are UTF-8");
    }
    assert_eq!(text.matches("/problems/overloaded").count(), 2, "{text}");
    drop(client);
    server.join();
}
