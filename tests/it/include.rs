//! `include`: what a front end needs for the next turn, in the answer to this one.

use crate::common::{Answer, JSON, Server, Setup};
use bestmove_engine::games::catalogue;
use serde_json::{Value, json};

fn post(server: &Server, path: &str, body: &Value) -> Value {
    let answer = server.post(path, body.to_string());
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.json()
}

fn game_names() -> impl Iterator<Item = &'static str> {
    catalogue().iter().map(|game| game.info().name)
}

/// What `/position` says of the game after these moves.
fn position(server: &Server, game: &str, moves: &[Value]) -> Value {
    post(server, "/position", &json!({"game": game, "moves": moves}))
}

fn without(mut answer: Value, at: &str, fields: &[&str]) -> Value {
    let object = answer.pointer_mut(at).and_then(Value::as_object_mut).expect("an object");
    for field in fields {
        object.remove(*field);
    }
    answer
}

const ADDED: [&str; 3] = ["board", "last_move", "legal_moves"];

#[test]
fn a_whole_game_needs_one_request_a_turn() {
    let server = Server::start();
    for game in game_names() {
        let mut moves: Vec<Value> = Vec::new();
        for _ in 0..10 {
            let body = json!({"game": game, "moves": moves, "depth": 2});
            let plain = post(&server, "/best-move", &body);
            let body = json!({
                "game": game, "moves": moves, "depth": 2, "include": ["legal_moves", "board"],
            });
            let turn = post(&server, "/best-move", &body);
            assert_eq!(without(turn.clone(), "/after", &ADDED), plain, "nothing else is changed");
            moves.push(turn["best_move"].clone());
            let there = position(&server, game, &moves);
            for field in ADDED {
                assert_eq!(turn["after"][field], there[field], "{game} {field}");
            }
            if turn["after"]["state"] != "ongoing" {
                assert_eq!(turn["after"]["legal_moves"], json!([]));
                break;
            }
        }
    }
}

#[test]
fn only_what_is_asked_for_is_included() {
    let server = Server::start();
    let added = |include: Value| {
        let body = json!({"game": "tic-tac-toe", "position": "XX.OO....", "include": include});
        let answer = post(&server, "/best-move", &body);
        ADDED.map(|field| answer["after"].get(field).is_some())
    };
    assert_eq!(added(json!([])), [false; 3]);
    assert_eq!(added(Value::Null), [false; 3]);
    assert_eq!(added(json!(["board"])), [true, true, false]);
    assert_eq!(added(json!(["legal_moves"])), [false, false, true]);
    assert_eq!(added(json!(["board", "legal_moves", "board"])), [true; 3]);
}

#[test]
fn an_analysis_describes_the_position_asked_about() {
    let server = Server::start();
    for game in game_names() {
        let start = position(&server, game, &[]);
        let moves = vec![start["legal_moves"][0]["move"].clone()];
        let body =
            json!({"game": game, "moves": moves, "depth": 2, "include": ["legal_moves", "board"]});
        let answer = post(&server, "/analyze", &body);
        let there = position(&server, game, &moves);
        for field in ADDED {
            assert_eq!(answer[field], there[field], "{game} {field}");
        }
        let plain = post(&server, "/analyze", &json!({"game": game, "moves": moves, "depth": 2}));
        assert_eq!(without(answer, "", &ADDED), plain);
    }
}

#[test]
fn every_form_of_the_request_includes_the_same() {
    let server = Server::start();
    let body = json!({"game": "chess", "moves": ["e4", "e5"], "depth": 2, "include": ["board", "legal_moves"]});
    let posted = server.post("/best-move", body.to_string()).text();
    for query in ["include=legal_moves,board", "include=legal_moves&include=board"] {
        let target = format!("/best-move?game=chess&moves=e4,e5&depth=2&{query}");
        assert_eq!(server.get(&target).text(), posted);
        let stream = server.get(&target.replace("/best-move", "/best-move/stream")).text();
        assert!(stream.contains(&format!("event: result\ndata: {posted}\n")), "{stream}");
    }
    let stream = server.stream("/best-move/stream", &[JSON], body.to_string().as_bytes()).text();
    assert!(stream.contains(&format!("event: result\ndata: {posted}\n")), "{stream}");
    let lines = format!("{body}\n{body}\n");
    let kind = ("content-type", "application/x-ndjson");
    let batch = server.stream("/best-move/batch", &[kind], lines.as_bytes()).text();
    assert_eq!(batch, format!("{posted}\n{posted}\n"));
}

#[test]
fn what_is_included_is_part_of_the_answer_and_of_its_tag() {
    let server = Server::start();
    let target = "/best-move?game=connect-four&moves=4,4&depth=6";
    let tag = |answer: &Answer| answer.header("etag").map(str::to_owned).expect("a tag");
    let plain = server.get(target);
    let with_board = server.get(&format!("{target}&include=board"));
    let with_all = server.get(&format!("{target}&include=board,legal_moves"));
    let again = server.get(&format!("{target}&include=legal_moves&include=board"));
    assert_eq!(server.metric("bestmove_cache_misses_total").to_string(), "3");
    assert_eq!(server.metric("bestmove_cache_hits_total").to_string(), "1");
    assert_eq!((tag(&again), &again.body), (tag(&with_all), &with_all.body));
    assert!(tag(&plain) != tag(&with_board) && tag(&with_board) != tag(&with_all));
    let held = [("if-none-match", &*tag(&plain))];
    let asked = server.send("GET", &format!("{target}&include=board"), &held, b"");
    assert_eq!(asked.status, 200, "what is held has no board");
}

#[test]
fn what_is_not_cached_is_extended_too() {
    let mut setup = Setup::default();
    setup.service.cache = 0;
    let server = Server::with(setup);
    for limit in ["time_ms", "depth"] {
        let body =
            json!({"game": "tic-tac-toe", "position": "XX.OO....", limit: 5, "include": ["board"]});
        let answer = post(&server, "/best-move", &body);
        assert_eq!(
            answer["after"]["board"],
            json!([["X", "X", "X"], ["O", "O", ""], ["", "", ""]])
        );
        assert_eq!(answer["after"]["line"], json!([[0, 0], [0, 1], [0, 2]]));
    }
}

/// The value that an answer tells, with those of its moves.
fn values(answer: &Value) -> Vec<f64> {
    let moves = answer["moves"].as_array().into_iter().flatten();
    let all = std::iter::once(answer).chain(moves);
    all.map(|it| it["evaluation"]["value"].as_f64().expect("a value")).collect()
}

#[test]
fn values_are_told_from_the_first_sides_view_where_that_is_asked_for() {
    let server = Server::start();
    for (path, moves) in
        [("/best-move", json!(["4"])), ("/analyze", json!(["4"])), ("/analyze", json!([]))]
    {
        let body = |view| json!({"game": "connect-four", "moves": moves, "depth": 4, "view": view});
        let [own, first] = ["mover", "first"].map(|view| post(&server, path, &body(view)));
        let sign = if own["side_to_move"] == "red" { 1.0 } else { -1.0 };
        assert_eq!(values(&own).iter().map(|it| sign * it).collect::<Vec<_>>(), values(&first));
        assert!(values(&own).iter().any(|value| *value != 0.0), "a sign shows");
        assert_eq!(own["best_move"], first["best_move"]);
    }
    let refusal = server.post("/best-move", r#"{"game":"chess","view":"white"}"#);
    assert_eq!(refusal.problem(422, "invalid-request")["allowed"], json!(["mover", "first"]));
}

#[test]
fn the_progress_of_a_search_has_the_view_of_its_result() {
    let server = Server::start();
    let body = r#"{"game":"connect-four","moves":["4"],"depth":6,"view":"first"}"#;
    let stream = server.stream("/best-move/stream", &[JSON], body.as_bytes()).text();
    let result = server.post("/best-move", body).json();
    let events = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    let events: Vec<Value> =
        events.map(|event| serde_json::from_str(event).expect("JSON")).collect();
    let [.., last, end] = &events[..] else { panic!("{stream}") };
    assert_eq!((end, &last["evaluation"]), (&result, &result["evaluation"]));
}

#[test]
fn an_unknown_name_is_told() {
    let server = Server::start();
    for answer in [
        server.post("/best-move", r#"{"game":"chess","include":["board","moves"]}"#),
        server.post("/analyze", r#"{"game":"chess","include":["board","moves"]}"#),
        server.get("/best-move?game=chess&include=board,moves"),
    ] {
        let problem = answer.problem(422, "invalid-request");
        assert_eq!(problem["field"], "/include/1");
        assert_eq!(
            problem["allowed"],
            json!(["legal_moves", "board", "reasons", "threat", "chances"])
        );
    }
}
