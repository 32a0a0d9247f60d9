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

/// Positions in which the values of a selective search depend on `top`, each with a depth.
const SELECTIVE: [(&str, &str, u32); 4] = [
    ("chess", "3r1rk1/2p1qbp1/ppp1np1p/8/4P3/2N1QPBP/PPP3PK/3RR3 w - - 0 21", 5),
    ("chess", "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", 5),
    ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    ("checkers", "B:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15", 9),
];

#[test]
fn with_exact_the_best_moves_are_the_first_ones_of_a_longer_list() {
    let server = Server::start();
    for (game, position, depth) in SELECTIVE {
        let body = json!({"game": game, "position": position, "depth": depth, "exact": true});
        let all = ask(&server, "/analyze", &body);
        let count = moves(&all).len();
        for top in [1, 2, 3, count - 1, count, count + 1] {
            let mut few = body.clone();
            few["top"] = json!(top);
            let few = ask(&server, "/analyze", &few);
            let told = few["moves"].as_array().expect("moves are listed");
            assert_eq!(told.len(), top.min(count));
            assert_eq!(told[..], all["moves"].as_array().expect("moves are listed")[..told.len()]);
            for field in ["best_move", "evaluation", "principal_variation", "search"] {
                assert_eq!(few[field], all[field], "{position} {top}");
            }
        }
    }
}

#[test]
fn with_exact_limits_hold_and_the_last_completed_depth_answers() {
    let server = Server::start();
    let (game, position, _) = SELECTIVE[0];
    let root = ask(&server, "/position", &json!({"game": game, "position": position}));
    // Each root move has a value, at depth 1 a static one where the limit strikes.
    let root_moves = root["legal_moves"].as_array().map_or(0, Vec::len) as u64;
    for nodes in [1, 100, 3_000] {
        let body =
            json!({"game": game, "position": position, "nodes": nodes, "exact": true, "top": 2});
        let few = ask(&server, "/analyze", &body);
        assert_eq!(moves(&few).len(), 2);
        let count = few["search"]["nodes"].as_u64().expect("a count");
        assert!(count <= nodes + root_moves, "{nodes}: {count}");
        if few["search"]["depth"] != 1 {
            let depth = &few["search"]["depth"];
            let body = json!({"game": game, "position": position, "depth": depth, "exact": true, "top": 2});
            assert_eq!(ask(&server, "/analyze", &body)["moves"], few["moves"]);
        }
    }
}

#[test]
fn a_bound_of_the_plies_is_marked_as_one() {
    let server = Server::start();
    // Mate in two, by a rook to the last rank behind another; with a man more than the tables have.
    let position = "7k/8/8/8/8/8/R6P/1R5K w - - 0 1";
    let bound = |algorithm: &str, position: &str| {
        let body =
            json!({"game": "chess", "position": position, "depth": 6, "algorithm": algorithm});
        let evaluation = ask(&server, "/analyze", &body)["moves"][0]["evaluation"].clone();
        assert_eq!(ask(&server, "/best-move", &body)["evaluation"], evaluation);
        (
            evaluation["outcome"].clone(),
            evaluation["plies"].clone(),
            evaluation["plies_bound"].clone(),
        )
    };
    let at_most = json!("at-most");
    assert_eq!(bound("selective", position), (json!("win"), json!(3), at_most.clone()));
    assert_eq!(bound("alpha-beta", position), (json!("win"), json!(3), Value::Null));
    // After a move of the rook: the loser has one move, or two.
    let lost = "7k/R7/8/8/8/8/7P/1R5K b - - 0 1";
    assert_eq!(bound("selective", lost), (json!("loss"), json!(2), Value::Null));
    let won = "7k/R7/8/8/8/8/7P/1R5K w - - 0 1";
    assert_eq!(bound("selective", won), (json!("win"), json!(1), Value::Null));
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
