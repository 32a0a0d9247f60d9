//! Levels: opponents as strong as the player wants.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use crate::common::{Server, knowledge};
use bestmove_engine::game::{LevelNumber, Skill, expected_points};
use bestmove_engine::games::any::{
    Answer, AnyBoard, AnyGame, Evaluation, GameStatus, SearchParameters,
};
use bestmove_engine::games::catalogue;
use bestmove_engine::search::Algorithm;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

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

fn searched(board: &dyn AnyBoard, parameters: &SearchParameters) -> Answer {
    board.search(parameters, knowledge()).expect("the game offers it").run(&AtomicBool::new(false))
}

fn answer(board: &dyn AnyBoard, level: u64, seed: u64) -> Answer {
    let level = LevelNumber::new(level);
    let parameters = SearchParameters { level, seed: Some(seed), ..SearchParameters::default() };
    searched(board, &parameters)
}

/// The moves that end the game as the winner.
fn wins_at_once(board: &dyn AnyBoard) -> BTreeSet<String> {
    let moves = board.legal_moves().into_iter();
    let wins = moves.filter(|legal| matches!(legal.status, GameStatus::Won { .. }));
    wins.map(|legal| legal.mv.text).collect()
}

/// Whether the opponent can win at once after this move.
fn leaves_a_win(game: &dyn AnyGame, moves: &[String], mv: &str) -> bool {
    let moves: Vec<_> = moves.iter().cloned().chain([mv.to_owned()]).collect();
    !wins_at_once(&*game.board(None, &moves).expect("legal moves")).is_empty()
}

fn points(evaluation: &Evaluation) -> f64 {
    expected_points(f64::from(evaluation.score), evaluation.half_value)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn from_level_4_up_no_win_in_one_is_missed_or_left_to_the_opponent(
        choices in prop::collection::vec(any::<Index>(), 0..40),
        seed in any::<u64>(),
    ) {
        for game in catalogue() {
            let (moves, board) = played(*game, &choices);
            if board.state().status != GameStatus::Ongoing {
                continue;
            }
            let wins = wins_at_once(&*board);
            let mut safe = board.legal_moves().into_iter();
            let can_be_safe = safe.any(|legal| !leaves_a_win(*game, &moves, &legal.mv.text));
            for level in 4..8 {
                let best = answer(&*board, level, seed).best_move.text;
                prop_assert!(wins.is_empty() || wins.contains(&best), "{:?} {} {}", moves, level, best);
                let is_safe = !leaves_a_win(*game, &moves, &best);
                prop_assert!(is_safe || !can_be_safe, "{:?} {} {}", moves, level, best);
            }
        }
    }

    #[test]
    fn a_level_that_searches_varies_only_among_moves_that_are_about_equal(
        choices in prop::collection::vec(any::<Index>(), 0..24),
        seed in any::<u64>(),
    ) {
        for game in catalogue() {
            let (moves, board) = played(*game, &choices);
            if board.state().status != GameStatus::Ongoing {
                continue;
            }
            for (number, level) in LevelNumber::all().zip(game.info().levels).take(9) {
                let Skill::Search { depth, nodes, algorithm, lapses: 0 } = level.skill else { continue };
                let taken = answer(&*board, number.get().into(), seed);
                let own = SearchParameters {
                    depth: depth.map(u64::from),
                    nodes,
                    algorithm: algorithm.and_then(Algorithm::named),
                    ..SearchParameters::default()
                };
                let legal = board.legal_moves().into_iter().map(|legal| legal.mv.text);
                let is_safe = |mv: &String| !leaves_a_win(*game, &moves, mv);
                let safe: Vec<_> = legal.filter(is_safe).collect();
                let search_moves = Some(safe).filter(|safe| !safe.is_empty());
                let own = SearchParameters { search_moves, ..own };
                if moves.len() >= 20 {
                    prop_assert_eq!(taken.best_move, searched(&*board, &own).best_move);
                    continue;
                }
                let all = searched(&*board, &SearchParameters { top: Some(6), ..own }).variations;
                let same = all.iter().find(|other| other.mv == taken.best_move);
                prop_assert_eq!(same.map(|same| same.evaluation), Some(taken.evaluation));
                let best = all[0].evaluation;
                match best.outcome {
                    Some(_) => prop_assert_eq!(taken.evaluation, best),
                    None => prop_assert!(points(&taken.evaluation) >= points(&best) - 0.02),
                }
            }
        }
    }
}

#[test]
fn level_1_takes_every_second_win_in_one_and_level_4_each() {
    for (name, moves, win) in [
        ("tic-tac-toe", &["0", "3", "1", "4"][..], "2"),
        ("connect-four", &["4", "1", "4", "1", "4", "2"], "4"),
        ("chess", &["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6"], "h5f7"),
    ] {
        let game = bestmove_engine::games::find(name).expect("the game is there");
        let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
        let board = game.board(None, &moves).expect("legal moves");
        let taken = |level| {
            let best = (0..200).map(|seed| answer(&*board, level, seed).best_move.text);
            best.filter(|best| best == win).count()
        };
        assert!((75..=125).contains(&taken(1)), "{name}: {}", taken(1));
        assert_eq!(taken(4), 200, "{name}");
    }
}

#[test]
fn careless_players_err_less_from_level_to_level() {
    for game in catalogue() {
        let levels = game.info().levels.map(|level| match level.skill {
            Skill::Careless { errors, wins } => {
                (errors.depth, errors.overlooks, errors.temperature, wins)
            }
            Skill::Search { .. } => (u32::MAX, 0, 0.0, 100),
        });
        let name = game.info().name;
        assert!(levels.is_sorted_by(|a, b| a.0 <= b.0 && a.3 <= b.3), "{name}");
        assert!(levels.is_sorted_by(|a, b| a.1 >= b.1 && a.2 >= b.2), "{name}");
        assert_eq!((levels[0].3, levels[3].3), (50, 100), "{name}");
    }
}

#[test]
fn twenty_seeds_make_ten_different_games_at_weak_and_strong_levels() {
    for name in ["checkers", "chess"] {
        let game = bestmove_engine::games::find(name).expect("the game is there");
        for level in [1, 4, 7] {
            let line = |seed| {
                let mut moves = Vec::new();
                while moves.len() < 8 {
                    let board = game.board(None, &moves).expect("legal moves");
                    moves.push(answer(&*board, level, seed).best_move.text);
                }
                moves
            };
            let lines: BTreeSet<_> = (0..20).map(line).collect();
            assert!(lines.len() >= 10, "{name} {level}: {}", lines.len());
        }
    }
}

#[test]
fn a_seed_repeats_its_choice_and_a_name_is_its_number() {
    let server = Server::start();
    let ask = |level: Value, seed: Value| {
        let request = json!({"game": "chess", "level": level, "seed": seed});
        let answer = server.post("/best-move", request.to_string());
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text()
    };
    let names = [("beginner", 2), ("amateur", 4), ("professional", 7), ("master", 10)];
    for (name, number) in names.into_iter().take(3) {
        let texts: BTreeSet<_> = (0..30).map(|seed| ask(number.into(), seed.into())).collect();
        assert!(texts.len() > 1, "thirty seeds make one choice");
        assert!(texts.contains(&ask(name.into(), 7.into())));
        assert_eq!(ask(name.into(), json!(null)), ask(number.into(), json!(null)));
        let in_url =
            |level: &str| server.get(&format!("/best-move?game=chess&level={level}")).text();
        assert_eq!(in_url(name), in_url(&number.to_string()));
    }
    let told = server.get("/games/chess").json();
    let levels = told["levels"].as_array().expect("levels are listed");
    let with_name = levels.iter().filter_map(|level| Some((level["name"].as_str()?, level)));
    let numbers: BTreeMap<_, _> =
        with_name.map(|(name, level)| (name, level["number"].as_u64().unwrap_or(0))).collect();
    assert_eq!(numbers, BTreeMap::from(names));
    assert_eq!(levels.len(), 10);
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
    let lonely = server.post("/best-move", r#"{"game":"chess","seed":1}"#);
    lonely.problem(422, "invalid-request");
    assert_eq!(lonely.json()["field"], "/seed");
    let analysis = server.post("/analyze", r#"{"game":"chess","level":"master"}"#);
    analysis.problem(422, "invalid-request");
}

#[test]
fn what_is_no_level_is_refused() {
    let server = Server::start();
    for level in
        [json!("grandmaster"), json!("4"), json!(0), json!(11), json!(-1), json!(1.5), json!([1])]
    {
        let request = json!({"game": "tic-tac-toe", "level": level});
        let problem = server.post("/best-move", request.to_string());
        problem.problem(422, "invalid-request");
        assert_eq!(problem.json()["field"], "/level", "{level}");
    }
    let unknown = server.get("/best-move?game=chess&level=11").json();
    let allowed = unknown["allowed"].as_array().expect("the levels are listed");
    // In JSON a number among these texts would be refused.
    assert_eq!(allowed.len(), 8, "the names; the text tells the numbers");
    assert!(unknown["detail"].as_str().is_some_and(|detail| detail.contains("from 1 to 10")));
}

#[test]
fn a_level_is_bounded_by_the_moves_to_consider() {
    let server = Server::start();
    for level in ["1", "beginner", "5", "master"] {
        let target = format!("/best-move?game=tic-tac-toe&level={level}&search_moves=1,3");
        let answer = server.get(&target);
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(["1", "3"].contains(&answer.json()["best_move"].as_str().expect("a move")));
        assert!(answer.header("etag").is_some(), "it is a pure function of the request");
    }
}

#[test]
fn the_evaluation_is_that_of_the_move_played() {
    let server = Server::start();
    for seed in 0..20 {
        // Cell 2 wins, and whoever does not play there must take 5 from the opponent.
        let request =
            json!({"game": "tic-tac-toe", "position": "XX.OO....", "level": 1, "seed": seed});
        let answer = server.post("/best-move", request.to_string()).json();
        let expected = match answer["best_move"].as_str() {
            Some("2") => json!("win"),
            Some("5") => answer["evaluation"]["outcome"].clone(),
            _ => json!("loss"),
        };
        assert_eq!(answer["evaluation"]["outcome"], expected, "{answer}");
        assert_eq!(answer["principal_variation"][0], answer["best_move"]);
    }
}

#[test]
fn the_chances_of_a_level_are_told_beside_any_search() {
    let server = Server::start();
    for game in catalogue().iter().map(|game| game.info().name) {
        let mut body = json!({"game": game, "level": 2, "include": ["chances", "legal_moves"]});
        let best = server.post("/best-move", body.to_string()).json();
        body["depth"] = json!(2);
        let analysis = server.post("/analyze", body.to_string()).json();
        let chances = analysis["chances"].as_array().expect("a list");
        let moves = |list: &Value| {
            let moves = list.as_array().into_iter().flatten().map(|it| it["move"].to_string());
            moves.collect::<BTreeSet<_>>()
        };
        assert_eq!(moves(&analysis["chances"]), moves(&analysis["legal_moves"]), "{game}");
        let probability = |it: &Value| it["probability"].as_f64().expect("a number");
        assert!((chances.iter().map(probability).sum::<f64>() - 1.0).abs() < 1e-9, "{game}");
        assert!(chances.iter().map(probability).is_sorted_by(|one, other| one >= other), "{game}");
        let full = json!({"game": game, "depth": 2});
        let full = server.post("/analyze", full.to_string()).json();
        assert_eq!(analysis["moves"], full["moves"], "{game}: the analysis is of full strength");
        assert_eq!(best["chances"], analysis["chances"], "{game}");
        let query = format!("/best-move?game={game}&level=2&include=chances");
        assert_eq!(server.get(&query).json()["chances"], analysis["chances"], "{game}");
    }
}

#[test]
fn chances_without_a_level_and_an_analysis_by_a_level_are_refused() {
    let server = Server::start();
    for (path, extra) in [
        ("/best-move", json!({"include": ["chances"]})),
        ("/analyze", json!({"include": ["chances"]})),
        ("/analyze", json!({"level": 3})),
    ] {
        let mut body = extra;
        body["game"] = "chess".into();
        let problem = server.post(path, body.to_string());
        assert_eq!((problem.status, &problem.json()["field"]), (422, &json!("/level")), "{path}");
    }
}

#[test]
fn chances_that_time_ended_are_left_out_and_kept_nowhere() {
    let server = Server::start();
    let body = json!({"game": "chess", "level": 5, "time_ms": 1, "include": ["chances"]});
    let answer = server.post("/analyze", body.to_string());
    assert_eq!(answer.json()["reasons_cut"], true, "{}", answer.text());
    assert_eq!(answer.json().get("chances"), None);
    assert_eq!(answer.header("etag"), None);
}
