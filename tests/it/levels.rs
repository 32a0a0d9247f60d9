//! Levels: opponents as strong as the player wants.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use crate::common::Server;
use bestmove_engine::game::LEVELS;
use bestmove_engine::games::CATALOGUE;
use bestmove_engine::games::any::{Answer, AnyBoard, AnyGame, GameStatus, SearchParameters};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;

/// The board after these moves, each chosen from the legal ones.
fn played(game: &dyn AnyGame, choices: &[Index]) -> (Vec<String>, Box<dyn AnyBoard>) {
    let mut moves = Vec::new();
    loop {
        let board = game.board(None, &moves).expect("legal moves");
        let legal = board.legal_moves();
        match choices.get(moves.len()) {
            Some(choice) if !legal.is_empty() => {
                moves.push(legal[choice.index(legal.len())].mv.text.clone());
            }
            _ => return (moves, board),
        }
    }
}

fn answer(board: &dyn AnyBoard, level: &str, seed: u64) -> Answer {
    let parameters = SearchParameters {
        level: Some(level.to_owned()),
        seed: Some(seed),
        ..SearchParameters::default()
    };
    board.search(&parameters).expect("the game offers levels").run(&AtomicBool::new(false))
}

/// The moves that end the game as the winner.
fn wins_at_once(board: &dyn AnyBoard) -> BTreeSet<String> {
    let moves = board.legal_moves().into_iter();
    let wins = moves.filter(|legal| matches!(legal.after.status, GameStatus::Won { .. }));
    wins.map(|legal| legal.mv.text).collect()
}

/// Whether the opponent can win at once after this move.
fn leaves_a_win(game: &dyn AnyGame, moves: &[String], mv: &str) -> bool {
    let moves: Vec<_> = moves.iter().cloned().chain([mv.to_owned()]).collect();
    !wins_at_once(&*game.board(None, &moves).expect("legal moves")).is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn from_amateur_up_no_win_in_one_is_missed_or_left_to_the_opponent(
        choices in prop::collection::vec(any::<Index>(), 0..40),
        seed in any::<u64>(),
    ) {
        for game in CATALOGUE {
            let (moves, board) = played(*game, &choices);
            if board.state().status != GameStatus::Ongoing {
                continue;
            }
            let wins = wins_at_once(&*board);
            let mut safe = board.legal_moves().into_iter();
            let can_be_safe = safe.any(|legal| !leaves_a_win(*game, &moves, &legal.mv.text));
            for level in &LEVELS[1..3] {
                let best = answer(&*board, level, seed).best_move.text;
                prop_assert!(wins.is_empty() || wins.contains(&best), "{:?} {} {}", moves, level, best);
                let is_safe = !leaves_a_win(*game, &moves, &best);
                prop_assert!(is_safe || !can_be_safe, "{:?} {} {}", moves, level, best);
            }
        }
    }

    #[test]
    fn whoever_does_not_take_the_best_move_takes_one_that_looks_nearly_as_good(
        choices in prop::collection::vec(any::<Index>(), 0..12),
        seed in any::<u64>(),
    ) {
        for game in CATALOGUE {
            let (_, board) = played(*game, &choices);
            if board.state().status != GameStatus::Ongoing {
                continue;
            }
            for (name, level) in LEVELS.into_iter().zip(game.levels()).take(3) {
                let taken = answer(&*board, name, seed);
                let own = SearchParameters {
                    depth: level.depth.map(u64::from),
                    nodes: level.nodes,
                    algorithm: level.algorithm.map(str::to_owned),
                    evaluator: level.evaluator.map(str::to_owned),
                    ..SearchParameters::default()
                };
                let search = |parameters: &SearchParameters| {
                    board.search(parameters).expect("a search").run(&AtomicBool::new(false))
                };
                if search(&own).best_move == taken.best_move {
                    continue;
                }
                prop_assert!(level.lapses.percent > 0, "{} {:?}", name, taken);
                let depth = own.depth.map_or(2, |depth| depth.min(2));
                let glance = SearchParameters {
                    depth: Some(depth),
                    nodes: None,
                    algorithm: None,
                    top: Some(u64::MAX),
                    ..own
                };
                let all = search(&glance).variations;
                let same = all.iter().find(|other| other.mv == taken.best_move);
                prop_assert_eq!(same.map(|same| same.evaluation), Some(taken.evaluation));
                let least = all[0].evaluation.value - level.lapses.worth;
                prop_assert!(taken.evaluation.value >= least, "{} {:?}", name, taken);
            }
        }
    }
}

#[test]
fn levels_rise_and_the_last_one_never_takes_a_lesser_move() {
    for game in CATALOGUE {
        let lapses = game.levels().map(|level| level.lapses.percent);
        assert!(lapses.is_sorted_by(|a, b| a >= b), "{lapses:?}");
        assert_eq!(lapses[3], 0);
    }
}

#[test]
fn a_seed_repeats_its_choice_and_seeds_differ() {
    let server = Server::start();
    let ask = |seed: serde_json::Value| {
        let request = json!({"game": "checkers", "level": "beginner", "seed": seed});
        let answer = server.post("/best-move", request.to_string());
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text()
    };
    let texts: BTreeSet<_> = (0..30).map(|seed| ask(seed.into())).collect();
    assert!(texts.len() > 1, "thirty seeds make one choice");
    assert!(texts.contains(&ask(7.into())));
    assert_eq!(ask(json!(null)), ask(json!(null)));
}

#[test]
fn a_level_stands_in_place_of_all_other_terms() {
    let server = Server::start();
    for (field, value) in [
        ("depth", json!(3)),
        ("time_ms", json!(100)),
        ("nodes", json!(100)),
        ("algorithm", json!("minimax")),
        ("evaluator", json!("lines")),
    ] {
        let request = json!({"game": "tic-tac-toe", "level": "amateur", field: value});
        let problem = server.post("/best-move", request.to_string());
        problem.problem(422, "invalid-request");
        assert_eq!(problem.json()["field"], format!("/{field}"));
    }
    let unknown = server.post("/best-move", r#"{"game":"chess","level":"grandmaster"}"#);
    unknown.problem(422, "invalid-request");
    assert_eq!(unknown.json()["allowed"], json!(LEVELS));
    let lonely = server.post("/best-move", r#"{"game":"chess","seed":1}"#);
    lonely.problem(422, "invalid-request");
    assert_eq!(lonely.json()["field"], "/seed");
    let analysis = server.post("/analyze", r#"{"game":"chess","level":"master"}"#);
    analysis.problem(422, "invalid-request");
}

#[test]
fn a_level_can_be_asked_for_in_a_url_and_is_bounded_by_the_moves_to_consider() {
    let server = Server::start();
    let answer = server.get("/best-move?game=tic-tac-toe&level=master&search_moves=1,3");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(["1", "3"].contains(&answer.json()["best_move"].as_str().expect("a move")));
    assert!(answer.header("etag").is_some(), "it is a pure function of the request");
}
