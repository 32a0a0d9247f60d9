//! `include`: why moves are good or bad.

use crate::common::{JSON, Server};
use bestmove_engine::games::catalogue;
use serde_json::{Value, json};

fn post(server: &Server, path: &str, body: &Value) -> Value {
    let answer = server.post(path, body.to_string());
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.json()
}

fn array(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no array"))
}

/// The kinds of some reasons.
fn kinds(reasons: &Value) -> Vec<&str> {
    array(reasons).iter().map(|reason| reason["kind"].as_str().expect("a kind")).collect()
}

#[test]
fn reasons_are_of_listed_kinds_and_change_nothing_else() {
    let server = Server::start();
    let mut told = 0;
    for game in catalogue().iter().map(|game| game.info().name) {
        let described = server.get(&format!("/games/{game}")).json();
        let listed: Vec<_> =
            array(&described["reasons"]).iter().map(|kind| kind["name"].clone()).collect();
        let mut moves: Vec<Value> = Vec::new();
        for _ in 0..5 {
            let body = json!({"game": game, "moves": moves, "depth": 2, "top": 2});
            let plain = post(&server, "/analyze", &body);
            let mut with = body.clone();
            with["include"] = json!(["reasons", "threat"]);
            let mut explained = post(&server, "/analyze", &with);
            for mv in explained["moves"].as_array_mut().expect("moves") {
                let reasons = mv.as_object_mut().and_then(|mv| mv.remove("reasons"));
                let reasons = reasons.expect("an array, if only an empty one");
                assert!(array(&reasons).len() <= 3);
                for reason in array(&reasons) {
                    assert!(listed.contains(&reason["kind"]), "{game}: {reason}");
                    told += 1;
                }
            }
            explained.as_object_mut().expect("an object").remove("threat");
            assert!(explained["search"]["nodes"].as_u64() > plain["search"]["nodes"].as_u64());
            explained["search"]["nodes"] = plain["search"]["nodes"].clone();
            assert_eq!(explained, plain, "nothing is told that was not asked for");
            // The worse move of two leads to positions in which something happens.
            let worst = array(&plain["moves"]).last().expect("a move").clone();
            moves.push(worst["move"].clone());
            if post(&server, "/position", &json!({"game": game, "moves": moves}))["state"]
                != "ongoing"
            {
                break;
            }
        }
    }
    assert!(told > 10, "{told}");
}

#[test]
fn every_form_of_a_request_gives_the_same_reasons() {
    let server = Server::start();
    let body = json!({"game": "chess", "position": "r3k3/8/8/3N4/8/8/PPP5/4K3 w - - 0 1", "depth": 4, "include": ["reasons"]});
    let plain = post(&server, "/best-move", &body);
    assert_eq!(kinds(&plain["reasons"])[0], "fork");
    assert_eq!(
        post(&server, "/best-move", &body),
        plain,
        "the answer is cached, the reasons are the same"
    );
    let query = "/best-move?game=chess&position=r3k3/8/8/3N4/8/8/PPP5/4K3+w+-+-+0+1&depth=4&include=reasons";
    assert_eq!(server.get(query).json(), plain);
    let stream = server.stream("/best-move/stream", &[JSON], body.to_string().as_bytes()).text();
    let last = stream.lines().rev().find_map(|line| line.strip_prefix("data: "));
    let last: Value = serde_json::from_str(last.expect("a result")).expect("JSON");
    assert_eq!(last, plain);
    let ndjson = ("content-type", "application/x-ndjson");
    let line = server.stream("/best-move/batch", &[ndjson], body.to_string().as_bytes()).json();
    assert_eq!(line, plain);
}

#[test]
fn a_reason_names_its_squares_and_moves() {
    let server = Server::start();
    let body = json!({"game": "chess", "position": "r3k3/8/8/3N4/8/8/PPP5/4K3 w - - 0 1", "depth": 4, "include": ["reasons"]});
    let fork = &post(&server, "/best-move", &body)["reasons"][0];
    assert_eq!(fork["squares"], json!([[1, 2], [0, 0], [0, 4]]));
    assert_eq!(fork["moves"][0], "d5c7");
    let text = "The knight on c7 forks the rook on a8 and the king on e8.";
    assert_eq!(fork["text"], text);
    assert_eq!(fork["gain"], 200, "the knight is lost in the corner");
}

#[test]
fn a_threat_is_what_the_other_side_would_do() {
    let server = Server::start();
    let body = |moves: &str| json!({"game": "tic-tac-toe", "moves": moves, "include": ["threat"]});
    let told = post(&server, "/analyze", &body("0 4 1"));
    let threat = json!({"kind": "threat", "moves": ["2"], "plies": 1, "proven": true,
        "text": "Threatens a win in one move: 2."});
    assert_eq!(told["threat"], threat);
    assert!(post(&server, "/analyze", &body("0"))["threat"]["plies"].as_u64() > Some(1));
    let in_check =
        json!({"game": "chess", "moves": "1. e4 f6 2. Qh5+", "depth": 2, "include": ["threat"]});
    let told = post(&server, "/analyze", &in_check);
    assert!(told.get("threat").is_none(), "nobody may pass in check");
}

#[test]
fn a_review_explains_moves_and_finds_exercises() {
    let server = Server::start();
    let body = json!({"game": "tic-tac-toe", "moves": ["0", "1", "4", "8", "3", "5"], "include": ["reasons", "exercises"]});
    let review = post(&server, "/review", &body);
    let moves = array(&review["moves"]);
    let blunder = moves.iter().find(|mv| mv["label"] == "blunder").expect("the second move loses");
    assert_eq!(kinds(&blunder["reasons"])[..2], ["throws-away", "allows"], "{blunder}");
    assert!(blunder["best"]["reasons"].is_array());
    assert!(moves.iter().all(|mv| mv["reasons"].is_array()));
    let plain = post(&server, "/review", &json!({"game": "tic-tac-toe", "moves": ["0", "1"]}));
    assert!(plain.get("exercises").is_none() && plain["moves"][0].get("reasons").is_none());
    // O blocks the wrong cell in a position with one right move.
    let body =
        json!({"game": "tic-tac-toe", "moves": ["0", "4", "1", "8"], "include": ["exercises"]});
    let exercises = &post(&server, "/review", &body)["exercises"];
    let [exercise] = &array(exercises)[..] else { panic!("{exercises}") };
    assert_eq!((&exercise["ply"], &exercise["solution"][0]), (&json!(4), &json!("2")));
    assert_eq!(exercise["accepted"], json!(["2"]));
    assert_eq!(exercise["hints"][2], "Play 2.");
    assert_eq!(exercise["kind"], "only-move");
    // X has several winning moves, and plays another one.
    let of = |game: &str, position: Option<&str>, moves: &str| {
        let body =
            json!({"game": game, "position": position, "moves": moves, "include": ["exercises"]});
        post(&server, "/review", &body)
    };
    let review = of("tic-tac-toe", None, "0185");
    let missed =
        array(&review["exercises"]).iter().find(|it| it["ply"] == 3).expect("a win was there");
    assert!(array(&missed["accepted"]).len() > 1, "{missed}");
    assert!(array(&missed["accepted"]).iter().all(|mv| *mv != missed["played"]["move"]));
    assert!(review.get("no_exercises").is_none());
    for (game, position, moves, why) in [
        ("tic-tac-toe", None, "04", "no-mistake"),
        ("tic-tac-toe", Some("XOXXOOOX. X"), "8", "no-choice"),
        ("connect-four", None, "44444", "lost"),
        ("chess", Some("r3k3/5ppp/8/8/8/2N5/5PPP/6K1 w - - 0 1"), "Kh1", "decided"),
    ] {
        let review = of(game, position, moves);
        assert_eq!((&review["exercises"], &review["no_exercises"]), (&json!([]), &json!(why)));
    }
    let refusal = server.post("/review", r#"{"game":"chess","moves":"e4","include":["board"]}"#);
    assert_eq!(refusal.problem(422, "invalid-request")["allowed"], json!(["reasons", "exercises"]));
}
