//! `POST /analyze`.

use crate::common::Server;
use serde_json::{Value, json};

fn ask(server: &Server, path: &str, body: &Value) -> Value {
    let answer = server.post(path, body.to_string());
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.json()
}

fn moves(answer: &Value) -> Vec<&str> {
    let moves = answer["moves"].as_array().expect("moves are listed").iter();
    moves.filter_map(|mv| mv["move"].as_str()).collect()
}

#[test]
fn every_move_has_the_value_that_it_has_alone() {
    let server = Server::start();
    for body in [
        json!({"game": "tic-tac-toe", "position": "X...O...."}),
        json!({"game": "tic-tac-toe", "position": "X...O....", "depth": 3}),
        json!({"game": "connect-four", "moves": ["4", "4", "3"], "depth": 7}),
        json!({"game": "checkers", "depth": 5, "algorithm": "alpha-beta"}),
    ] {
        let analysis = ask(&server, "/analyze", &body);
        assert_eq!(server.post("/analyze", body.to_string()).json(), analysis);
        let board = json!({"game": body["game"], "position": analysis["position"]});
        let legal = ask(&server, "/position", &board)["legal_moves"].as_array().map(Vec::len);
        assert_eq!(Some(moves(&analysis).len()), legal);
        for mv in analysis["moves"].as_array().expect("moves are listed") {
            let mut alone = body.clone();
            alone["search_moves"] = json!([mv["move"]]);
            let alone = ask(&server, "/best-move", &alone);
            assert_eq!(alone["evaluation"]["score"], mv["evaluation"]["score"], "{body} {mv}");
            assert_eq!(mv["principal_variation"][0], mv["move"]);
        }
    }
}

#[test]
fn the_best_come_first_and_agree_with_the_best_move() {
    let server = Server::start();
    for algorithm in ["minimax", "alpha-beta"] {
        let body =
            json!({"game": "connect-four", "position": "4453", "depth": 5, "algorithm": algorithm});
        let analysis = ask(&server, "/analyze", &body);
        let best = ask(&server, "/best-move", &body);
        for field in ["best_move", "evaluation", "position", "after"] {
            assert_eq!(analysis[field], best[field], "{field}");
        }
        assert_eq!(moves(&analysis)[0], best["best_move"]);
        let scores = analysis["moves"].as_array().expect("moves are listed").iter();
        let scores: Vec<_> = scores.filter_map(|mv| mv["evaluation"]["score"].as_i64()).collect();
        assert!(scores.len() == 7 && scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }
}

#[test]
fn as_many_moves_are_told_as_were_asked_for() {
    let server = Server::start();
    let body = |top: Value| json!({"game": "tic-tac-toe", "position": "X....O.XO", "top": top});
    let all = ask(&server, "/analyze", &body(Value::Null));
    assert_eq!(moves(&all).len(), 5);
    for top in [1, 3, 9] {
        let some = ask(&server, "/analyze", &body(json!(top)));
        assert_eq!(moves(&some), moves(&all)[..top.min(5)]);
    }
    let few = json!({"game": "tic-tac-toe", "search_moves": ["1", "4"]});
    assert_eq!(moves(&ask(&server, "/analyze", &few)), ["1", "4"]);
    for (top, came) in [(json!(0), "0"), (json!("all"), "\"all\""), (json!(-1), "-1")] {
        let problem = server.post("/analyze", body(top).to_string());
        let problem = problem.problem(422, "invalid-request");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(problem["field"] == "/top" && detail.contains(came), "{problem}");
    }
    server.post("/best-move", body(json!(1)).to_string()).problem(422, "invalid-request");
}
