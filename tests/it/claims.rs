//! Draws that must be claimed do not end a game: every way of asking goes on past them.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{JSON, Server};
use crate::uci::conversation;
use serde_json::{Value, json};

/// The start of chess for the third time.
const THREEFOLD: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
/// Fifty moves without a capture or a pawn move.
const FIFTY: &str = "4k3/8/8/8/8/8/8/4KR2 w - - 100 80";

/// Chess and checkers with a draw that may be claimed, and its name.
fn claimable() -> [(Value, &'static str); 4] {
    let kings = ["32-27", "1-6", "27-32", "6-1"].repeat(2);
    [
        (json!({"game": "chess", "moves": THREEFOLD}), "threefold-repetition"),
        (json!({"game": "chess", "position": FIFTY}), "fifty-moves"),
        (
            json!({"game": "chess", "position": FIFTY.replace("100", "149"), "moves": []}),
            "fifty-moves",
        ),
        (
            json!({"game": "checkers", "position": "B:WK1:BK32", "moves": kings}),
            "threefold-repetition",
        ),
    ]
}

fn with(body: &Value, more: &Value) -> Value {
    let fields = |value: &Value| value.as_object().expect("an object").clone();
    Value::Object(fields(body).into_iter().chain(fields(more)).collect())
}

#[track_caller]
fn ask(server: &Server, path: &str, body: &Value) -> Value {
    let answer = server.post(path, body.to_string());
    assert_eq!(answer.status, 200, "{path} {body}: {}", answer.text());
    answer.json()
}

#[test]
fn a_claim_stands_beside_the_state_and_the_moves_are_legal() {
    let server = Server::start();
    for (body, claim) in claimable() {
        let there = ask(&server, "/position", &body);
        let told = (there["state"].as_str(), there["claim"].as_str());
        assert_eq!(told, (Some("ongoing"), Some(claim)), "{body}");
        assert!(!there["legal_moves"].as_array().expect("moves").is_empty(), "{body}");
        assert_eq!(there.get("reason"), None, "{body}");
    }
    let goes_on = format!("{THREEFOLD} 5. e4");
    let there = ask(&server, "/position", &json!({"game": "chess", "moves": goes_on}));
    assert_eq!((&there["state"], there.get("claim")), (&json!("ongoing"), None));
}

#[test]
fn the_moves_that_lead_to_a_claim_tell_of_it() {
    let server = Server::start();
    let before = THREEFOLD.trim_end_matches(" Ng8");
    let there = ask(&server, "/position", &json!({"game": "chess", "moves": before}));
    let moves = there["legal_moves"].as_array().expect("moves");
    let claims: Vec<_> = moves.iter().filter(|mv| mv.get("claim").is_some()).collect();
    assert_eq!(claims.len(), 1);
    assert_eq!((&claims[0]["move"], &claims[0]["state"]), (&json!("f6g8"), &json!("ongoing")));
    let only = json!({"game": "chess", "moves": before, "search_moves": ["Ng8"], "depth": 2});
    for (path, include) in [("/best-move", json!([])), ("/analyze", json!(["board"]))] {
        let answer = ask(&server, path, &with(&only, &json!({"include": include})));
        assert_eq!(answer["after"]["claim"], "threefold-repetition", "{path}");
        assert_eq!(answer["evaluation"]["score"], 0, "{path}: a search counts it as a draw");
    }
}

#[test]
fn every_search_answers_a_move_where_a_draw_may_be_claimed() {
    let server = Server::start();
    for (body, _) in claimable() {
        let legal = ask(&server, "/position", &body)["legal_moves"].clone();
        let legal: Vec<_> = legal.as_array().expect("moves").iter().map(|mv| &mv["move"]).collect();
        let mut asked = vec![("/tree", json!({"depth": 2})), ("/analyze", json!({"depth": 3}))];
        asked.extend(
            ["minimax", "alpha-beta", "selective"]
                .map(|algorithm| ("/best-move", json!({"depth": 3, "algorithm": algorithm}))),
        );
        asked.extend([1, 5, 10].map(|level| ("/best-move", json!({"level": level, "seed": 3}))));
        for (path, more) in asked {
            let answer = ask(&server, path, &with(&body, &more));
            assert!(legal.contains(&&answer["best_move"]), "{path} {body} {more}: {answer}");
        }
        let question = with(&body, &json!({"depth": 2}));
        let expected = ask(&server, "/best-move", &question);
        let streamed = server.stream("/best-move/stream", &[JSON], question.to_string().as_bytes());
        assert!(streamed.text().contains(&expected["best_move"].to_string()), "{body}");
        let batch = [("content-type", "application/x-ndjson")];
        let line = format!("{question}\n");
        let batch = server.stream("/best-move/batch", &batch, line.as_bytes());
        assert_eq!(batch.text().trim_end(), server.post("/best-move", question.to_string()).text());
    }
}

#[test]
fn the_whole_tree_below_a_claim_is_shown() {
    let server = Server::start();
    for (body, _) in claimable() {
        for algorithm in ["minimax", "alpha-beta"] {
            let more = json!({"depth": 2, "algorithm": algorithm});
            let tree = ask(&server, "/tree", &with(&body, &more));
            let found = ask(&server, "/best-move", &with(&body, &more));
            for field in ["best_move", "evaluation"] {
                assert_eq!(tree[field], found[field], "{algorithm} {body}");
            }
        }
    }
}

#[test]
fn the_ends_of_a_game_have_a_reason_and_no_claim() {
    let server = Server::start();
    let knights = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(4);
    for (body, reason) in [
        (json!({"game": "chess", "moves": knights}), "fivefold repetition"),
        (
            json!({"game": "chess", "position": "4k3/8/8/8/8/8/8/4KR2 w - - 150 120"}),
            "seventy-five moves",
        ),
        (
            json!({"game": "chess", "position": "4k3/8/8/8/8/8/8/4KB2 w - - 120 120"}),
            "insufficient material",
        ),
        (json!({"game": "chess", "position": "R5k1/5ppp/8/8/8/8/8/K7 b - - 150 120"}), "checkmate"),
        (json!({"game": "chess", "position": "k7/2Q5/1K6/8/8/8/8/8 b - - 149 120"}), "stalemate"),
    ] {
        let there = ask(&server, "/position", &body);
        assert_eq!((&there["reason"], there.get("claim")), (&json!(reason), None), "{body}");
        assert_eq!(there["legal_moves"], json!([]), "{body}");
        let refused = server.post("/best-move", body.to_string()).problem(422, "game-over");
        assert_eq!(refused["reason"], reason);
    }
}

#[test]
fn games_that_must_end_know_no_claim() {
    let server = Server::start();
    for game in ["tic-tac-toe", "connect-four"] {
        let there = ask(&server, "/position", &json!({"game": game, "moves": "4"}));
        assert!(!there.to_string().contains("claim"), "{game}");
    }
}

#[test]
fn a_game_that_goes_on_past_a_claim_is_reviewed() {
    let server = Server::start();
    let moves = format!("{THREEFOLD} 5. e4 e5");
    let review = ask(&server, "/review", &json!({"game": "chess", "moves": moves, "nodes": 500}));
    assert_eq!((&review["state"], review.get("claim")), (&json!("ongoing"), None));
    assert_eq!(review["moves"][9]["played"]["san"], "e5");
    let review =
        ask(&server, "/review", &json!({"game": "chess", "moves": THREEFOLD, "nodes": 500}));
    assert_eq!(review["claim"], "threefold-repetition");
}

#[test]
fn searches_of_one_position_with_other_histories_are_told_apart() {
    // The notation of checkers shows no history: the moves alone tell the searches apart.
    let server = Server::start();
    let cycle = ["32-27", "1-6", "27-32", "6-1"];
    let after = |cycles: usize| {
        let moves = [cycle.repeat(cycles), cycle[..3].to_vec()].concat();
        let body = json!({"game": "checkers", "position": "B:WK1:BK32", "moves": moves, "depth": 3,
                          "search_moves": ["6-1"]});
        let after = ask(&server, "/best-move", &body)["after"].clone();
        (after["state"].clone(), after.get("claim").cloned())
    };
    let repeated = Some(json!("threefold-repetition"));
    for (cycles, expected) in [
        (0, (json!("ongoing"), None)),
        (1, (json!("ongoing"), repeated.clone())),
        (2, (json!("ongoing"), repeated)),
        (3, (json!("drawn"), None)),
    ] {
        assert_eq!(after(cycles), expected, "{cycles} cycles");
    }
}

#[test]
fn uci_answers_a_move_where_a_draw_may_be_claimed() {
    let cycle = "g1f3 g8f6 f3g1 f6g8 ";
    for position in [
        format!("startpos moves {}", cycle.repeat(2)),
        format!("startpos moves {}e2e4", cycle.repeat(3)),
        format!("fen {FIFTY}"),
        format!("fen {}", FIFTY.replace("100", "149")),
    ] {
        let text = conversation(&format!("position {position}\ngo depth 3\n"));
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with("bestmove ") && !last.contains("(none)"), "{position}: {text}");
    }
}

#[test]
fn a_draw_is_claimed_in_the_terminal() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bestmove"));
    let program = program.args(["play", "chess", "--side", "both", "--position", FIFTY]);
    let mut process =
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    process.stdin.take().expect("piped").write_all(b"Rf2\ndraw\n").expect("it reads");
    let output = process.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("draw ends the game by fifty moves\nwhite> "), "{text}");
    assert!(text.ends_with("black> a draw: fifty moves, claimed\n"), "{text}");
}
