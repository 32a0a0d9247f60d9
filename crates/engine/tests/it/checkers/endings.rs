//! Endgame tables say what the rules and known answers say.

use crate::{cases, data, evaluator};
use bestmove_engine::game::{KnowledgeKind, Notation, Outcome, Position, Score, known_value};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard, CheckersMove};
use bestmove_engine::search::{self, Algorithm, Report, SearchLimits, Source, StoppedBy, Task};
use proptest::prelude::*;
use serde_json::Value;

use super::search::{Material, choices, few_pieces, shuffle, task};
use super::{board, plain, played};

fn known(board: &CheckersBoard) -> Option<Score> {
    known_value(&evaluator::<Checkers>("material"), board)
}

/// The answer from the tables to a caller who sets no depth, after this line of play.
fn recalled(line: &[CheckersBoard]) -> Report<CheckersMove> {
    let task = task(line, 1, Algorithm::AlphaBeta);
    search::run(&Task { probe_limit: None, ..task }, &evaluator::<Checkers>("material"))
}

/// The answer that an exact search finds by itself.
fn found(line: &[CheckersBoard], depth: u32) -> Report<CheckersMove> {
    search::run(&task(line, depth, Algorithm::AlphaBeta), &Material)
}

/// The plies after which the move counter ends a game without captures and moves of men.
const COUNTER: u64 = 80;

/// A win that may outlast the move counter is not proven, but it is scored and played as one.
fn assert_scored(ending: &Value, report: &Report<CheckersMove>) {
    assert!(ending["plies"].as_u64().is_some_and(|plies| plies > COUNTER), "{ending}");
    assert_eq!(ending["value"] == "win", report.score() > Score::DRAWN, "{ending}");
    assert!(is_among(report, &ending["ok_moves"]), "{ending}");
}

/// Whether the best move is one of these.
fn is_among(report: &Report<CheckersMove>, moves: &Value) -> bool {
    let squares = report.best_move().squares().iter().map(u8::to_string).collect::<Vec<_>>();
    let is_it =
        |mv: &Value| mv.as_str().is_some_and(|mv| mv.replace('x', "-") == squares.join("-"));
    moves.as_array().expect("a list").iter().any(is_it)
}

/// Value, plies and a best move are as the collection says; the line runs to the end.
fn assert_perfect(ending: &Value) {
    let report = recalled(&[board(ending["fen"].as_str().expect("a position"))]);
    if report.outcome.is_none() {
        return assert_scored(ending, &report);
    }
    let value = match report.outcome {
        Some(Outcome::Win) => "win",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Loss) => "loss",
        None => unreachable!("it was proven"),
    };
    assert_eq!(value, ending["value"], "{ending}");
    assert_eq!(report.score().plies().map(u64::from), ending["plies"].as_u64(), "{ending}");
    assert!(is_among(&report, &ending["best_moves"]), "{ending}: {:?}", report.best_move());
    assert_eq!(
        (report.source, report.stopped_by),
        (Source::Stored(KnowledgeKind::Tables), StoppedBy::Solved)
    );
    if let Some(plies) = report.score().plies() {
        assert_eq!(report.principal_variation().len() as u32, plies, "{ending}");
    }
}

#[test]
fn collected_endings_with_up_to_four_pieces_are_played_perfectly() {
    for name in ["endings.jsonl", "named.jsonl"] {
        for line in data(&format!("checkers/{name}")).lines() {
            let ending: Value = serde_json::from_str(line).expect("a line of JSON");
            let commas = ending["fen"].as_str().map_or(0, |fen| fen.matches(',').count());
            if commas <= 2 {
                assert_perfect(&ending);
            }
        }
    }
}

#[test]
fn endings_by_the_book_are_played_perfectly() {
    let cases = [
        // First Position (Payne, *Introduction to the Game of Draughts*, 1756).
        ("W:WK19,K23:B12,K28", Some(Outcome::Win), Some(61)),
        ("B:WK19,K23:B12,K28", Some(Outcome::Draw), None),
        // A king in the double corner draws against two.
        ("W:WK18:BK29,K30", Some(Outcome::Draw), None),
        // A win in 109 takes longer than the rules allow without a capture or a man's move. The table does
        // not say that there are enough in time.
        ("W:W14,27:B1,3", None, None),
    ];
    for (fen, outcome, plies) in cases {
        let report = recalled(&[board(fen)]);
        assert_eq!((report.outcome, report.score().plies()), (outcome, plies), "{fen}");
        assert_eq!(report.source, Source::Stored(KnowledgeKind::Tables), "{fen}");
    }
}

#[test]
fn a_depth_keeps_out_what_lies_beyond_it() {
    let source = |fen, depth| {
        let task = Task::new(board(fen), SearchLimits::depth(depth), Algorithm::AlphaBeta);
        search::run(&task, &evaluator::<Checkers>("material")).source
    };
    assert_eq!(source("B:WK26:BK16", 9), Source::Stored(KnowledgeKind::Tables), "a win in 9");
    assert_eq!(source("B:WK26:BK16", 8), Source::Search);
    assert_eq!(source("W:WK18:BK29,K30", 9), Source::Search, "a draw has no end");
}

#[test]
fn a_win_that_comes_too_late_is_played_and_not_promised() {
    // Two kings drive one out of the corner without any capture, and no man moves.
    let start = board("W:WK6,K9:BK15");
    let there_and_back = ["6-1", "15-19", "1-6", "19-15"];
    let late = (0..15).flat_map(|_| there_and_back).fold(start, |board, mv| played(&board, mv));
    assert_eq!((late.key(), late.plies_to_draw()), (start.key(), Some(20)));
    let [in_time, too_late] = [start, late].map(|board| recalled(&[board]));
    assert_eq!((in_time.outcome, in_time.score().plies()), (Some(Outcome::Win), Some(27)));
    assert_eq!((too_late.outcome, too_late.source), (None, Source::Stored(KnowledgeKind::Tables)));
    assert_eq!(too_late.best_move(), in_time.best_move());
    // The line ends where the counter draws.
    assert_eq!(too_late.principal_variation(), in_time.principal_variation()[..20]);
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn a_known_value_is_the_best_of_those_after_one_move(position in few_pieces()) {
        let Some(value) = known(&position) else { return Ok(()) };
        let children = plain::Board::from_fen(&Checkers::write_position(&position)).moves();
        let value_of = |fen: &str| {
            let child = board(fen);
            known(&child).unwrap_or(Score::lost_in(0)).seen_from_root(1)
        };
        let best = children.iter().map(|(_, fen)| -value_of(fen)).max();
        prop_assert_eq!(best, Some(value), "{:?}", position);
    }

    #[test]
    fn tables_answer_as_an_exact_search_does(position in few_pieces()) {
        let Some(plies) = known(&position).map(Score::plies) else { return Ok(()) };
        let depth = plies.map_or(7, |plies| plies.min(7));
        let (recalled, found) = (recalled(&[position]), found(&[position], depth));
        if plies == Some(depth) {
            prop_assert_eq!(recalled.best_move(), found.best_move(), "{:?}", position);
            prop_assert_eq!(recalled.score(), found.score(), "{:?}", position);
            prop_assert_eq!(recalled.outcome, found.outcome, "{:?}", position);
            prop_assert_eq!(recalled.principal_variation().len(), found.principal_variation().len());
        } else {
            prop_assert_eq!(found.score().plies(), None, "{:?}", position);
        }
    }

    #[test]
    fn a_promised_end_comes_before_any_draw(start in few_pieces(), choices in choices(60..80)) {
        let line = shuffle(start, &choices);
        let position = line[line.len() - 1];
        let is_over = line.iter().filter(|earlier| earlier.key() == position.key()).count() >= 3;
        if is_over || known(&position).is_none() {
            return Ok(());
        }
        let recalled = recalled(&line);
        if let (Some(plies @ ..=7), Some(outcome)) = (recalled.score().plies(), recalled.outcome) {
            let found = found(&line, plies);
            prop_assert_eq!((found.score(), found.outcome), (recalled.score(), Some(outcome)));
        }
    }
}
