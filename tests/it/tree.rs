//! `POST /tree`.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::common::{Server, knowledge};
use bestmove_engine::game::{Game, Position, SelectiveHooks, SolverHooks};
use bestmove_engine::games::checkers::Checkers;
use bestmove_engine::games::connect_four::ConnectFour;
use bestmove_engine::search::{self, Algorithm, SearchLimits, Source, Task};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

fn ask(server: &Server, body: &Value) -> Value {
    let answer = server.post("/tree", body.to_string());
    assert_eq!(answer.status, 200, "{body}: {}", answer.text());
    answer.json()
}

fn children(node: &Value) -> &Vec<Value> {
    node["children"].as_array().expect("a node has children, if only none")
}

/// A tree as an indented list of moves and values, each with the side to move.
fn outline(node: &Value, depth: usize, text: &mut String) {
    let mv = node["move"].as_str().unwrap_or("root");
    let value = node["evaluation"]["value"].as_f64().unwrap_or(f64::NAN);
    let side = node["side_to_move"].as_str().unwrap_or_default();
    let _ = writeln!(text, "{}{mv} {value:+} {side}", "  ".repeat(depth));
    for child in children(node) {
        outline(child, depth + 1, text);
    }
}

fn outlined(server: &Server, position: &str, depth: u32) -> String {
    let body = json!({"game": "tic-tac-toe", "position": position, "depth": depth});
    let mut text = String::new();
    outline(&ask(server, &body)["tree"], 0, &mut text);
    text
}

#[test]
fn a_tree_of_two_moves_is_the_textbooks() {
    let expected = "\
root +0 O
  0 -1 X
    7 -1 O
  7 +0 X
    0 +0 O
";
    assert_eq!(outlined(&Server::start(), ".XOOOXX.X", 2), expected);
}

#[test]
fn a_tree_of_three_moves_is_the_textbooks() {
    let expected = "\
root +0 X
  0 -1 O
    1 -1 X
    3 +0 X
      1 +0 O
  1 +0 O
    0 +0 X
      3 +0 O
    3 +0 X
      0 +0 O
  3 -1 O
    0 +0 X
      1 +0 O
    1 -1 X
";
    assert_eq!(outlined(&Server::start(), "..O.OXXOX", 3), expected);
}

#[test]
fn nodes_are_numbered_as_they_are_tried_and_the_chosen_path_is_marked() {
    fn check(node: &Value, next: &mut u64) {
        assert_eq!(node["order"], *next);
        *next += 1;
        let chosen = children(node).iter().filter(|child| child["best"] == true).count();
        let expected = usize::from(node["best"] == true && !children(node).is_empty());
        assert_eq!(chosen, expected, "{node}");
        for child in children(node) {
            assert_ne!(child["maximizing"], node["maximizing"]);
            check(child, next);
        }
    }
    let server = Server::start();
    let answer = ask(&server, &json!({"game": "tic-tac-toe", "position": "..O.OXXOX", "depth": 3}));
    let mut next = 0;
    check(&answer["tree"], &mut next);
    assert_eq!(answer["search"]["nodes"], next - 1);
    assert_eq!(answer["principal_variation"], json!(["1", "0", "3"]));
}

/// The first child that was cut off below each node of a kind, and the windows around it.
#[test]
fn alpha_beta_cuts_off_what_the_minimizing_side_would_never_allow() {
    let server = Server::start();
    let body = json!({"game": "tic-tac-toe", "depth": 2, "algorithm": "alpha-beta", "evaluator": "open-lines",
        "search_moves": ["4", "0"]});
    let answer = ask(&server, &body);
    let [first, second] = &children(&answer["tree"])[..] else { panic!("{answer}") };
    // The order is the game's, so the corner comes first and the centre is better.
    assert_eq!((&first["move"], &first["evaluation"]["score"]), (&json!("0"), &json!(-1)));
    assert_eq!((&second["move"], &second["evaluation"]["score"]), (&json!("4"), &json!(1)));
    assert_eq!(second["window"], json!({"alpha": -1, "beta": null}));
    assert!(children(second).iter().all(|child| child.get("pruned").is_none()));

    let body = json!({"game": "tic-tac-toe", "position": ".........", "depth": 2, "algorithm": "alpha-beta",
        "evaluator": "open-lines", "moves": []});
    let answer = ask(&server, &body);
    let edge = &children(&answer["tree"])[1];
    assert_eq!((&edge["move"], &edge["bound"]), (&json!("1"), &json!("at-most")));
    let pruned: Vec<_> = children(edge).iter().filter(|child| child["pruned"] == true).collect();
    assert!(!pruned.is_empty(), "{edge}");
    for child in pruned {
        let untold = ["order", "evaluation", "window", "bound"];
        assert!(untold.iter().all(|name| child.get(name).is_none()), "{child}");
        assert_eq!((&child["best"], &child["children"]), (&json!(false), &json!([])));
    }
    let worst = children(edge).iter().rfind(|child| child.get("pruned").is_none());
    let worst = &worst.expect("one was tried")["evaluation"]["score"];
    assert_eq!(&edge["evaluation"]["score"], worst, "the last one tried did it");
    assert_eq!(edge["window"]["alpha"], -1);
    assert!(worst.as_i64() <= Some(-1));
}

/// All cut-off nodes below a node, each with its parent.
fn cuts<'a>(node: &'a Value, found: &mut Vec<(&'a Value, &'a Value)>) {
    for child in children(node) {
        if child["pruned"] == true {
            found.push((node, child));
        }
        cuts(child, found);
    }
}

#[test]
fn a_cut_off_node_tells_the_bound_that_its_parent_has_met() {
    let server = Server::start();
    let mut bounds = BTreeSet::new();
    let body = json!({"game": "tic-tac-toe", "position": "X...O....", "depth": 3, "algorithm": "alpha-beta"});
    let answer = ask(&server, &body);
    let mut found = Vec::new();
    cuts(&answer["tree"], &mut found);
    for (parent, node) in found {
        let cut = &node["cut"];
        let [bound, value] =
            [&cut["bound"], &cut["value"]].map(|it| it.as_i64().expect("a number"));
        let by = cut["by"].as_str().expect("a name");
        assert_eq!(cut["bound"], parent["window"][by], "{parent}");
        assert_eq!(cut["value"], parent["evaluation"]["score"], "{parent}");
        assert_eq!(by == "beta", parent["maximizing"] == true, "{parent}");
        assert!(if by == "beta" { value >= bound } else { value <= bound }, "{cut}");
        let text = cut["text"].as_str().expect("a sentence");
        for told in [&format!(" {value} "), &format!(" {bound} "), by] {
            assert!(text.contains(told), "{text}");
        }
        bounds.insert(by);
    }
    assert_eq!(bounds.into_iter().collect::<Vec<_>>(), ["alpha", "beta"]);
}

#[test]
fn a_tree_from_the_first_sides_view_is_the_other_one_negated() {
    /// Compares values and windows of both views.
    fn compare(own: &Value, first: &Value) {
        let score = |node: &Value| node["evaluation"]["score"].as_i64();
        assert_eq!(score(own).map(|score| -score), score(first));
        assert_ne!(own["maximizing"], first["maximizing"]);
        let end = |node: &Value, name: &str| node["window"][name].as_i64();
        assert_eq!(end(own, "alpha").map(|it| -it), end(first, "beta"));
        assert_eq!(own["cut"]["value"].as_i64().map(|it| -it), first["cut"]["value"].as_i64());
        children(own).iter().zip(children(first)).for_each(|(own, first)| compare(own, first));
    }
    let server = Server::start();
    let body = |position: &str, view: &str| json!({"game": "tic-tac-toe", "position": position, "depth": 3, "algorithm": "alpha-beta", "view": view});
    let [own, first] = ["mover", "first"].map(|view| ask(&server, &body("X...O.X..", view)));
    assert_eq!(own["side_to_move"], "O");
    compare(&own["tree"], &first["tree"]);
    let [own, first] = ["mover", "first"].map(|view| ask(&server, &body("X...O....", view)));
    assert_eq!(own, first, "X is the first side");
}

#[test]
fn the_root_is_what_the_best_move_says() {
    let server = Server::start();
    for algorithm in ["minimax", "alpha-beta"] {
        for body in [
            json!({"game": "tic-tac-toe", "position": "X...O.X..", "depth": 6}),
            json!({"game": "tic-tac-toe", "position": "X....OOX.", "depth": 5}),
            json!({"game": "tic-tac-toe", "position": "X.X.X..OO O", "depth": 4}),
            json!({"game": "connect-four", "moves": ["4", "4"], "depth": 4, "max_nodes": 3000}),
            json!({"game": "checkers", "depth": 3, "search_moves": ["11-15", "9-13"]}),
        ] {
            let mut body = body;
            body["algorithm"] = json!(algorithm);
            let tree = ask(&server, &body);
            body.as_object_mut().map(|body| body.remove("max_nodes"));
            let best = server.post("/best-move", body.to_string()).json();
            for field in ["position", "best_move", "evaluation", "after"] {
                assert_eq!(tree[field], best[field], "{body}");
            }
            assert_eq!(tree["tree"]["evaluation"], best["evaluation"]);
            let chosen = children(&tree["tree"]).iter().find(|child| child["best"] == true);
            assert_eq!(chosen.map(|child| &child["move"]), Some(&best["best_move"]), "{body}");
        }
    }
}

#[test]
fn a_lost_root_chooses_the_move_that_resists_best() {
    let server = Server::start();
    let body = json!({"game": "tic-tac-toe", "moves": ["4", "0", "2", "8"], "depth": 4, "search_moves": ["1", "3"]});
    let fine = ask(&server, &body);
    assert_eq!(fine["search"]["algorithm"], "minimax");
    let body = json!({"game": "tic-tac-toe", "moves": ["5", "0", "2", "8", "4"], "depth": 4});
    let lost = ask(&server, &body);
    assert_eq!(lost["evaluation"]["outcome"], "loss", "{}", lost["evaluation"]);
    assert!(["3", "6"].iter().any(|mv| lost["best_move"] == *mv), "{}", lost["best_move"]);
}

#[test]
fn draws_by_repetition_and_by_the_counter_end_a_line_of_checkers() {
    let server = Server::start();
    // Two kings go back and forth; both positions have stood once before.
    let moves = ["1-5", "32-27", "5-1", "27-32", "1-5", "32-27", "5-1"];
    let body = json!({"game": "checkers", "position": "B:WK32:BK1", "moves": moves, "depth": 1});
    let answer = ask(&server, &body);
    let back = children(&answer["tree"]).iter().find(|child| child["move"] == "27-32");
    let back = back.expect("the king may go back");
    let value = json!({"outcome": "unknown", "score": 0, "value": 0.0});
    assert_eq!((&back["evaluation"], &back["children"]), (&value, &json!([])));
    let line = ["1-5", "32-27", "5-1", "27-32"];
    let body =
        json!({"game": "checkers", "position": "B:WK32:BK1", "depth": 5, "max_nodes": 20000});
    let mut node = ask(&server, &body)["tree"].clone();
    for mv in line {
        let next = children(&node).iter().find(|child| child["move"] == mv).cloned();
        node = next.unwrap_or_else(|| panic!("{mv} is legal"));
    }
    assert_eq!((&node["evaluation"], &node["children"]), (&value, &json!([])));
}

#[test]
fn a_tree_that_is_too_large_is_refused() {
    let server = Server::start();
    let ask = |body: Value| server.post("/tree", body.to_string());
    // Six empty cells: 1957 nodes with the root.
    let six = |max_nodes: Value| {
        ask(
            json!({"game": "tic-tac-toe", "position": "X...O.X..", "depth": 6, "max_nodes": max_nodes}),
        )
    };
    let whole = ask(json!({"game": "connect-four", "depth": 4}));
    assert_eq!(whole.problem(422, "too-large-a-tree")["field"], "/depth");
    assert_eq!(six(Value::Null).status, 200);
    six(json!(10)).problem(422, "too-large-a-tree");
    let nodes = six(Value::Null).json()["search"]["nodes"].as_u64().expect("nodes are told");
    assert_eq!(six(json!(nodes + 1)).status, 200);
    six(json!(nodes)).problem(422, "too-large-a-tree");
    let deep = json!({"game": "checkers", "depth": 64, "max_nodes": 20000});
    ask(deep).problem(422, "too-large-a-tree");
}

#[test]
fn what_makes_no_tree_is_refused() {
    let server = Server::start();
    for (body, field) in [
        (json!({"game": "tic-tac-toe"}), "/depth"),
        (json!({"game": "tic-tac-toe", "depth": 10}), "/depth"),
        (json!({"game": "tic-tac-toe", "depth": 2, "algorithm": "solve"}), "/algorithm"),
        (json!({"game": "tic-tac-toe", "depth": 2, "max_nodes": 20001}), "/max_nodes"),
        (json!({"game": "tic-tac-toe", "depth": 2, "time_ms": 5}), "/time_ms"),
        (json!({"game": "tic-tac-toe", "depth": 2, "search_moves": []}), "/search_moves"),
    ] {
        let problem = server.post("/tree", body.to_string()).problem(422, "invalid-request");
        assert_eq!(problem["field"], field, "{problem}");
    }
    let over = json!({"game": "tic-tac-toe", "position": "XXXOO....", "depth": 2});
    server.post("/tree", over.to_string()).problem(422, "game-over");
}

fn wander<G: Game>(choices: &[Index]) -> G::Position {
    let mut position = G::VARIANTS[0].start();
    for choice in choices {
        let moves: Vec<_> = position.legal_moves().into_iter().collect();
        let next = position.play(moves[choice.index(moves.len())]);
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// The tree has the value, the move and the outcome of the search, whatever is cut off. A book may name
/// another one of several best moves.
fn agrees<P: Position>(
    position: &P,
    depth: u32,
    evaluator: &(impl SelectiveHooks<P> + SolverHooks<P>),
) {
    let never = std::sync::atomic::AtomicBool::new(false);
    for algorithm in [Algorithm::Minimax, Algorithm::AlphaBeta] {
        let task = Task::new(position.clone(), SearchLimits::depth(depth), algorithm);
        let tree = search::build_tree(&task, evaluator, 1_000_000, &never).expect("it has room");
        let report = search::run(&task, evaluator);
        let told = |other: &search::Report<P::Move>| {
            let mv = (report.source == Source::Search).then(|| other.best_move());
            (other.score(), other.outcome, mv)
        };
        assert_eq!(told(&tree.report), told(&report), "{position:?}");
        if algorithm == Algorithm::Minimax {
            assert_eq!(search::minimax(&task, evaluator).1, tree.report.nodes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn a_tree_agrees_with_the_search(
        choices in prop::collection::vec(any::<Index>(), 0..40),
        depth in 1u32..=4,
    ) {
        let segments = ConnectFour::evaluator("segments", &knowledge().of::<ConnectFour>());
        agrees(&wander::<ConnectFour>(&choices), depth, &segments.expect("segments"));
        let material = Checkers::evaluator("material", &knowledge().of::<Checkers>());
        agrees(&wander::<Checkers>(&choices), depth, &material.expect("material"));
    }
}
