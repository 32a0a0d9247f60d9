//! `POST /position`.

use crate::common::Server;
use serde_json::{Value, json};

fn ask(server: &Server, body: &Value) -> Value {
    let answer = server.post("/position", body.to_string());
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.json()
}

fn list<'a>(value: &'a Value, field: &str) -> &'a Vec<Value> {
    value[field].as_array().unwrap_or_else(|| panic!("{field} is no list in {value}"))
}

#[test]
fn the_answer_has_the_documented_fields_in_their_order() {
    let server = Server::start();
    let body = r#"{"game":"tic-tac-toe","position":".XOOOXX.X","moves":["7"]}"#;
    let answer = server.post("/position", body);
    let expected = concat!(
        r#"{"game":"tic-tac-toe","position":".XOOOXXOX X","side_to_move":"X","state":"ongoing","#,
        r#""board":[["","X","O"],["O","O","X"],["X","O","X"]],"#,
        r#""last_move":{"move":"7","path":[[2,1]]},"#,
        r#""legal_moves":[{"move":"0","path":[[0,0]],"symmetric_to":"0","#,
        r#""position":"XXOOOXXOX O","state":"drawn","reason":"board full"}],"text":" |X|O\n-----\nO|O|X\n-----\nX|O|X\n"}"#
    );
    assert_eq!(answer.text(), expected);
}

#[test]
fn a_finished_game_is_told_with_its_line_and_has_no_moves() {
    let server = Server::start();
    let won = ask(&server, &json!({"game": "tic-tac-toe", "position": "XXXOO...."}));
    let told = ["state", "winner", "reason", "line", "legal_moves"].map(|name| won[name].clone());
    let line = json!([[0, 0], [0, 1], [0, 2]]);
    let expected = [json!("won"), json!("X"), json!("three in a row"), line, json!([])];
    assert_eq!(told, expected);
    let drawn = ask(&server, &json!({"game": "tic-tac-toe", "position": "XOXXOOOXX"}));
    assert_eq!((&drawn["state"], &drawn["reason"]), (&json!("drawn"), &json!("board full")));
    assert_eq!((drawn.get("winner"), drawn.get("line")), (None, None));
    let four = ask(&server, &json!({"game": "connect-four", "position": "1212121"}));
    assert_eq!(four["line"], json!([[2, 0], [3, 0], [4, 0], [5, 0]]));
}

#[test]
fn three_first_moves_of_tic_tac_toe_differ_and_four_of_connect_four() {
    let server = Server::start();
    for (game, expected) in [
        ("tic-tac-toe", ["0", "1", "0", "1", "4", "1", "0", "1", "0"].as_slice()),
        ("connect-four", ["4", "3", "3", "2", "2", "1", "1"].as_slice()),
    ] {
        let start = ask(&server, &json!({"game": game}));
        let mut moves = list(&start, "legal_moves").clone();
        let same: Vec<_> = moves.iter_mut().map(|mv| mv["symmetric_to"].take()).collect();
        assert_eq!(json!(same), json!(expected), "{game}");
    }
}

#[test]
fn games_without_symmetries_mark_nothing() {
    let server = Server::start();
    let start = ask(&server, &json!({"game": "checkers"}));
    assert_eq!(list(&start, "legal_moves").len(), 7);
    assert!(list(&start, "legal_moves").iter().all(|mv| mv.get("symmetric_to").is_none()));
    assert!(start.get("last_move").is_none());
}

#[test]
fn what_a_position_says_of_itself_can_be_sent_back() {
    let server = Server::start();
    for game in bestmove_engine::games::catalogue().iter().map(|game| game.info().name) {
        let start = ask(&server, &json!({"game": game}));
        for mv in list(&start, "legal_moves") {
            let by_move = ask(&server, &json!({"game": game, "moves": [mv["move"]]}));
            let by_position = ask(&server, &json!({"game": game, "position": mv["position"]}));
            assert_eq!(by_move["last_move"]["move"], mv["move"]);
            assert_eq!(by_move["last_move"]["path"], mv["path"]);
            assert_eq!(by_move["position"], mv["position"]);
            assert_eq!(by_move["state"], mv["state"]);
            assert_eq!(by_move["legal_moves"], by_position["legal_moves"]);
            assert_eq!(by_move["text"], by_position["text"]);
        }
    }
}

/// A game in which one side plays the best move of a shallow search and the other one any move.
fn play(server: &Server, game: &str, seed: usize) -> Value {
    let mut moves: Vec<Value> = Vec::new();
    loop {
        let body = json!({"game": game, "moves": moves});
        let board = ask(server, &body);
        if board["state"] != "ongoing" || moves.len() > 200 {
            return board;
        }
        let legal = list(&board, "legal_moves");
        let chosen = if (moves.len() + seed).is_multiple_of(2) {
            let body = json!({"game": game, "moves": moves, "depth": 2});
            let answer = server.post("/best-move", body.to_string()).json();
            let best = answer["best_move"].clone();
            let known = legal.iter().find(|mv| mv["move"] == best);
            let known = known.unwrap_or_else(|| panic!("{answer} is not legal in {board}"));
            assert_eq!(answer["after"]["position"], known["position"]);
            assert_eq!(answer["after"]["state"], known["state"]);
            best
        } else {
            legal[(moves.len() * 7 + seed * 13) % legal.len()]["move"].clone()
        };
        moves.push(chosen);
    }
}

#[test]
fn boards_and_best_moves_play_whole_games_together() {
    let server = Server::start();
    for game in bestmove_engine::games::catalogue().iter().map(|game| game.info().name) {
        let ends: Vec<_> = (0..4).map(|seed| play(&server, game, seed)).collect();
        assert!(ends.iter().any(|end| end["state"] != "ongoing"), "{game}: {ends:?}");
    }
}
