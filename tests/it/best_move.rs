//! `POST` and `GET /best-move`.

use std::io::Write;
use std::time::Duration;

use crate::common::{Answer, LONG, Server, Setup};
use serde_json::{Value, json};

#[test]
fn the_answer_has_the_documented_fields_in_their_order() {
    let server = Server::start();
    let answer =
        server.post("/best-move", r#"{"game":"tic-tac-toe","position":"X...O....","depth":9}"#);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let text = answer.text();
    let fields = [
        r#"{"game":"tic-tac-toe","position":"X...O.... X","side_to_move":"X","best_move":"1","#,
        r#""evaluation":{"outcome":"draw","score":0,"value":0.0},"principal_variation":["1","#,
        r#""search":{"algorithm":"solve","source":"search","depth":7,"nodes":"#,
        r#""stopped_by":"solved"},"after":{"position":"XX..O.... O","side_to_move":"O","state":"ongoing"}}"#,
    ];
    let mut rest = text.as_str();
    for part in fields {
        let start = rest.find(part).unwrap_or_else(|| panic!("{part} is not next in {rest}"));
        rest = &rest[start + part.len()..];
    }
    assert!(rest.is_empty(), "{rest}");
}

#[test]
fn a_finished_game_after_the_move_says_who_won_and_why() {
    let server = Server::start();
    let answer =
        server.post("/best-move", r#"{"game":"tic-tac-toe","position":"XX.OO...."}"#).json();
    assert_eq!(answer["evaluation"], json!({"outcome":"win","plies":1,"score":31999,"value":1.0}));
    let after = json!({"position":"XXXOO.... O","side_to_move":"O","state":"won","winner":"X","reason":"three in a row", "line": [[0, 0], [0, 1], [0, 2]]});
    assert_eq!(answer["after"], after);
    let answer =
        server.post("/best-move", r#"{"game":"tic-tac-toe","position":"XOXXOOO.X"}"#).json();
    let after =
        json!({"position":"XOXXOOOXX O","side_to_move":"O","state":"drawn","reason":"board full"});
    assert_eq!(answer["after"], after);
}

#[test]
fn a_position_comes_as_text_or_as_rows_in_every_spelling() {
    let server = Server::start();
    let answer = |position: Value| {
        server.post("/best-move", json!({"game": "tic-tac-toe", "position": position}).to_string())
    };
    let expected = answer(json!("X...O.... X"));
    assert_eq!(expected.status, 200);
    for same in [
        json!("X--/-O-/---"),
        json!(["X..", ".O.", "..."]),
        json!([["X", ".", ""], ["", "O", null], [null, null, null]]),
        json!([["X", null, null], ".O.", "___"]),
    ] {
        assert_eq!(answer(same.clone()).body, expected.body, "{same}");
    }
}

#[test]
fn null_means_absent() {
    let server = Server::start();
    let all = r#"{"game":"connect-four","position":null,"moves":null,"depth":4,"time_ms":null,
                  "nodes":null,"search_moves":null,"algorithm":null,"evaluator":null}"#;
    let few = r#"{"game":"connect-four","depth":4}"#;
    assert_eq!(server.post("/best-move", all).body, server.post("/best-move", few).body);
    server.post("/best-move", r#"{"game":null}"#).problem(422, "invalid-request");
}

#[test]
fn a_whole_number_may_be_written_with_a_fraction() {
    let server = Server::start();
    let answers = ["3", "3.0", "0.3e1", "30e-1"].map(|depth| {
        server.post("/best-move", format!(r#"{{"game":"connect-four","depth":{depth}}}"#))
    });
    assert_eq!(answers[0].status, 200);
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
}

#[test]
fn the_query_of_a_get_means_the_same_as_a_body() {
    let server = Server::start();
    let body = r#"{"game":"connect-four","position":"44","moves":["4","3"],"depth":5,"nodes":900000,
                   "search_moves":["1","2"],"algorithm":"alpha-beta","evaluator":"outcome"}"#;
    let query = "game=connect-four&position=44&moves=4,3&depth=5&nodes=900000&search_moves=1,2\
                 &algorithm=alpha-beta&evaluator=outcome";
    let answer = server.get(&format!("/best-move?{query}"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.body, server.post("/best-move", body).body);
    let escaped = server.get("/best-move?game=tic%2Dtac-toe&position=X...O....+X&moves=&");
    let plain = server.get("/best-move?position=X...O....%20X&game=tic-tac-toe");
    assert_eq!((escaped.status, &escaped.body), (200, &plain.body));
}

#[test]
fn a_bad_query_is_told_like_a_bad_body() {
    let server = Server::start();
    for (query, field, detail) in [
        ("", "/game", "game: expected the name of a game but it is missing"),
        ("game=&depth=3", "/game", "game: expected the name of a game but it is missing"),
        ("game=tic-tac-toe&depth=3x", "/depth", "but got the string \"3x\""),
        ("game=tic-tac-toe&depth=0", "/depth", "but got 0"),
        ("game=tic-tac-toe&depth=1.5", "/depth", "but got 1.5"),
        ("game=tic-tac-toe&time_ms=3600001", "/time_ms", "from 1 to 3600000 but got 3600001"),
        ("game=tic-tac-toe&levels=", "/levels", "unknown field"),
        ("game=tic-tac-toe&game=tic-tac-toe", "/game", "repeated"),
        ("game=tic-tac-toe&top=3", "/top", "unknown field"),
        ("%zz=1", "/%zz", "unknown field"),
    ] {
        let problem = server.get(&format!("/best-move?{query}")).problem(422, "invalid-request");
        assert_eq!(problem["field"].as_str().unwrap_or_default(), field, "{query}: {problem}");
        assert!(problem["detail"].as_str().is_some_and(|it| it.contains(detail)), "{problem}");
    }
}

#[test]
fn fields_that_a_form_leaves_blank_are_absent() {
    let server = Server::start();
    let plain = server.get("/best-move?game=chess&depth=1&moves=e4,e5").json();
    for query in [
        "moves=e4,e5&level=&nodes=&variant=&evaluator=+&algorithm=&view=&search_moves=&include=&position=",
        "moves[]=e4&moves[]=e5",
    ] {
        let answer = server.get(&format!("/best-move?game=chess&depth=1&{query}")).json();
        assert_eq!(answer, plain, "{query}");
    }
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    let server = Server::start();
    let other = Server::start();
    for request in [
        r#"{"game":"connect-four","depth":8}"#,
        r#"{"game":"connect-four","position":"444544121","nodes":20000}"#,
        r#"{"game":"tic-tac-toe","algorithm":"minimax"}"#,
    ] {
        let expected = server.post("/best-move", request);
        assert_eq!(expected.status, 200);
        for _ in 0..5 {
            assert_eq!(server.post("/best-move", request).body, expected.body);
            assert_eq!(other.post("/best-move", request).body, expected.body);
        }
    }
}

#[test]
fn the_servers_limit_ends_a_search_that_asks_for_more() {
    let max_time = Duration::from_millis(100);
    let mut setup = Setup::default();
    setup.service.max_time = max_time;
    let server = Server::with(setup);
    let deep = r#"{"game":"connect-four","position":"444544121","depth":42,"algorithm":"minimax"}"#;
    for request in [deep, LONG] {
        let answer = server.post("/best-move", request);
        assert_eq!(answer.json()["search"]["stopped_by"], "time");
        let timing = answer.header("server-timing").expect("times are told").to_owned();
        let search = timing.split("search;dur=").nth(1).and_then(|time| time.parse::<f64>().ok());
        assert!(search.is_some_and(|time| (100.0..5000.0).contains(&time)), "{timing}");
    }
}

#[test]
fn a_client_that_leaves_stops_its_search() {
    let server = Server::start();
    drop(server.search_long());
    server.await_metric("bestmove_searches_running", 0.0);
    server.await_metric("bestmove_searches_abandoned_total", 1.0);
}

#[test]
fn head_answers_without_a_body() {
    let server = Server::start();
    let target = "/best-move?game=tic-tac-toe";
    let head = server.send("HEAD", target, &[], b"");
    let get = server.get(target);
    assert_eq!(head.status, 200);
    assert_eq!(head.header("content-length"), get.header("content-length"));
    let head = server.send("HEAD", "/best-move", &[], b"");
    assert_eq!((head.status, head.header("content-type")), (422, Some("application/problem+json")));
}

#[test]
fn a_body_may_come_in_pieces() {
    let server = Server::start();
    let mut client = server.connect();
    let head = "POST /best-move HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                transfer-encoding: chunked\r\n\r\n";
    client.write_all(head.as_bytes()).expect("the server reads");
    for piece in ["{\"game\":", "\"tic-tac-toe\"", "}"] {
        let chunk = format!("{:x}\r\n{piece}\r\n", piece.len());
        client.write_all(chunk.as_bytes()).expect("the server reads");
        std::thread::sleep(Duration::from_millis(20));
    }
    client.write_all(b"0\r\n\r\n").expect("the server reads");
    assert_eq!(Answer::read(&mut client).expect("the server answers").status, 200);
}
