//! Endings of up to four men: the tables say what the rules and known answers say.

use bestmove_engine::game::{KnowledgeKind, Notation, Outcome, Position, Score, known_value};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use bestmove_engine::search::{self, Algorithm, Report, SearchLimits, Source, StoppedBy, Task};
use proptest::prelude::*;

use super::plain_retrograde::Solution;
use super::{Move, read};
use crate::{cases, evaluator, stride};

fn known(board: &ChessBoard) -> Option<Score> {
    known_value(&evaluator::<Chess>("material"), board)
}

/// The answer from the tables to a caller who sets no depth.
fn recalled(board: &ChessBoard) -> Report<Move> {
    let task = Task::new(board.clone(), SearchLimits::depth(8), Algorithm::Selective);
    search::run(&Task { probe_limit: None, ..task }, &evaluator::<Chess>("full"))
}

#[test]
fn endings_by_the_book_have_their_values() {
    let (win, draw, loss) = (Some(Outcome::Win), Some(Outcome::Draw), Some(Outcome::Loss));
    let cases = [
        // The longest wins (Nalimov's tables list them).
        ("7k/8/8/8/8/8/8/K1BN4 w - - 0 1", win, None),
        ("8/8/8/8/3k4/8/8/KBN5 w - - 0 1", win, None),
        // A rook pawn with the wrong bishop.
        ("7k/3B4/7K/7P/8/8/8/8 w - - 0 1", draw, None),
        ("7k/4B3/7K/7P/8/8/8/8 w - - 0 1", win, None),
        // King and pawn: the opposition.
        ("8/8/1k6/8/1PK5/8/8/8 w - - 0 1", draw, None),
        ("8/5k2/8/8/6K1/6P1/8/8 w - - 0 1", win, None),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", loss, None),
        // Reti's study (1921).
        ("7K/8/k1P5/7p/8/8/8/8 w - - 0 1", draw, None),
        // Saavedra's study (1895): the pawn becomes a rook.
        ("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", win, None),
        // Two knights mate nobody.
        ("8/8/3k4/8/8/3K4/3NN3/8 w - - 0 1", draw, None),
        // A stalemate and a mate are a move away.
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", win, Some(1)),
        // The capture en passant is the only move that draws.
        ("8/8/8/8/k1pP4/8/8/2K5 b - d3 0 1", None, None),
    ];
    for (fen, outcome, plies) in cases {
        let report = recalled(&read(fen));
        assert_eq!(report.source, Source::Stored(KnowledgeKind::Tables), "{fen}");
        assert_eq!(report.stopped_by, StoppedBy::Solved, "{fen}");
        if outcome.is_some() {
            assert_eq!(report.outcome, outcome, "{fen}");
        }
        if plies.is_some() {
            assert_eq!(report.score().plies(), plies, "{fen}");
        }
    }
}

/// Compares all positions of the king and one of these pieces against the king with a plain retrograde analysis.
fn compare_with_a_plain_analysis(pieces: &[char]) {
    let mut solved: Vec<(char, Solution)> = Vec::new();
    for &piece in pieces {
        let solution = Solution::of(piece, &solved);
        let mut decided = 0;
        for (board, value) in solution.values().step_by(stride()) {
            if board.outcome().is_none() {
                assert_eq!(known(board), Some(value), "{}", Chess::write_position(board));
                decided += u32::from(value != Score::DRAWN);
            }
        }
        assert!(
            decided as usize > 100_000 / stride() || matches!(piece, 'n' | 'b'),
            "{piece}: {decided}"
        );
        solved.push((piece, solution));
    }
}

#[test]
fn a_plain_retrograde_analysis_finds_the_same() {
    compare_with_a_plain_analysis(&['r']);
}

#[test]
#[ignore = "takes five minutes"]
fn a_plain_retrograde_analysis_finds_the_same_for_every_piece() {
    // A pawn may become any of the others.
    compare_with_a_plain_analysis(&['r', 'q', 'n', 'b', 'p']);
}

#[test]
fn castling_rights_are_not_in_the_tables() {
    let with_rights = read("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let without = read("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    assert_eq!(known(&with_rights), None);
    assert!(known(&without).is_some_and(Score::is_won));
}

#[test]
fn a_win_counts_only_where_the_fifty_moves_admit_it() {
    let fen = |clock: u32| format!("8/8/8/8/3k4/8/8/KBN5 w - - {clock} 60");
    let in_time = recalled(&read(&fen(0)));
    let plies = in_time.score().plies().expect("a win");
    assert_eq!(in_time.outcome, Some(Outcome::Win));
    let last = recalled(&read(&fen(100 - plies)));
    assert_eq!((last.outcome, last.score().plies()), (Some(Outcome::Win), Some(plies)));
    let too_late = recalled(&read(&fen(101 - plies)));
    assert_ne!(too_late.outcome, Some(Outcome::Win));
    assert_eq!(too_late.best_move(), last.best_move(), "it is played all the same");
}

#[test]
fn a_depth_keeps_out_what_lies_beyond_it() {
    let source = |depth| {
        let board = read("8/8/8/8/3k4/8/8/KBN5 w - - 0 1");
        let task = Task::new(board, SearchLimits::depth(depth), Algorithm::Selective);
        search::run(&task, &evaluator::<Chess>("full")).source
    };
    assert_eq!(source(4), Source::Search);
}

/// Up to two men beside the kings anywhere, either side to move.
fn few_men() -> impl Strategy<Value = ChessBoard> {
    let man = prop::sample::select(&['Q', 'R', 'B', 'N', 'P', 'q', 'r', 'b', 'n', 'p'][..]);
    let men = prop::collection::vec((man, 0..64_usize), 1..=2);
    (men, 0..64_usize, 0..64_usize, any::<bool>()).prop_filter_map("a legal position", |place| {
        let (men, white, black, is_white) = place;
        let mut cells = ['1'; 64];
        for (man, square) in men.into_iter().chain([('K', white), ('k', black)]) {
            cells[square] = man;
        }
        let ranks: Vec<String> = cells.chunks(8).map(|rank| rank.iter().collect()).collect();
        let side = if is_white { 'w' } else { 'b' };
        let text = format!("{} {side} - - 0 1", ranks.join("/"));
        let board =
            Chess::Standard.read_position(&bestmove_engine::game::PositionText::Text(text)).ok()?;
        board.outcome().is_none().then_some(board)
    })
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn best_play_mates_in_exactly_the_plies_that_are_told(start in few_men()) {
        let report = recalled(&start);
        prop_assert_eq!(report.score(), known(&start).expect("few men"));
        let line = report.principal_variation();
        let Some(plies) = report.score().plies() else { return Ok(()) };
        prop_assert_eq!(line.len() as u32, plies);
        let end = line.into_iter().fold(start, |board, mv| board.play(mv));
        prop_assert_eq!(end.outcome(), Some(Outcome::Loss));
    }
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn tables_answer_as_an_exact_search_does(start in few_men()) {
        const DEPTH: u32 = 4;
        let value = known(&start).expect("few men");
        let within = value.plies().filter(|&plies| plies <= DEPTH);
        let task = Task::new(start, SearchLimits::depth(DEPTH), Algorithm::AlphaBeta);
        let found = search::run(&task, &super::search::Whim);
        let found_within = found.score().plies().filter(|&plies| plies <= DEPTH);
        prop_assert_eq!(found_within, within);
        if within.is_some() {
            prop_assert_eq!(found.score(), value);
        }
    }
}
