//! Alpha-beta is exact with kings that shuffle, and finds short wins.

use crate::{cases, data, evaluator};
use bestmove_engine::game::{
    DRAWING_OCCURRENCE, Evaluator, Game, History, Notation, Position, SelectiveHooks, SolverHooks,
};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard, CheckersMove};
use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
use proptest::prelude::*;
use proptest::sample::Index;

use super::{board, boards, plain, unfinished, wander};

/// A score of its own for every position, so that no mistake is hidden by equal scores.
struct Noise;

impl Evaluator<CheckersBoard> for Noise {
    type Accumulator = ();

    fn score(&self, board: &CheckersBoard) -> i32 {
        (board.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as i32 - 128
    }
}

impl SelectiveHooks<CheckersBoard> for Noise {}

impl SolverHooks<CheckersBoard> for Noise {}

/// Counts material, and knows no endgame: what it is asked must be searched.
pub(super) struct Material;

impl Evaluator<CheckersBoard> for Material {
    type Accumulator = ();

    fn score(&self, board: &CheckersBoard) -> i32 {
        evaluator::<Checkers>("material").score(board)
    }

    fn ordering_hint(&self, board: &CheckersBoard, mv: CheckersMove) -> i32 {
        evaluator::<Checkers>("material").ordering_hint(board, mv)
    }
}

impl SelectiveHooks<CheckersBoard> for Material {}

impl SolverHooks<CheckersBoard> for Material {}

/// The task of searching the last position of a line with the others as its history.
pub(super) fn task(
    line: &[CheckersBoard],
    depth: u32,
    algorithm: Algorithm,
) -> Task<CheckersBoard> {
    let (position, earlier) = line.split_last().expect("a line has a position");
    let mut history = History::default();
    for position in earlier {
        history.played(position.key());
    }
    Task { history, ..Task::new(*position, SearchLimits::depth(depth), algorithm) }
}

/// Minimax and alpha-beta say the same, where the game goes on.
fn assert_exact(line: &[CheckersBoard], depth: u32) {
    let position = line[line.len() - 1];
    let occurrences = line.iter().filter(|earlier| earlier.key() == position.key()).count();
    if occurrences >= DRAWING_OCCURRENCE || position.plies_to_forced_draw() == Some(0) {
        return;
    }
    assert_equal_answers(line, depth, 1, &Material);
    assert_equal_answers(line, depth, 1, &Noise);
    assert_equal_answers(line, depth, 4, &Noise);
}

/// The `top` best moves have the same values, and the best of all is the same.
fn assert_equal_answers<E: SelectiveHooks<CheckersBoard> + SolverHooks<CheckersBoard>>(
    line: &[CheckersBoard],
    depth: u32,
    top: usize,
    kind: &E,
) {
    let answer = |algorithm| {
        let report = search::run(&Task { top, ..task(line, depth, algorithm) }, kind);
        let moves = report.variations.iter();
        let values: Vec<_> = moves.map(|known| (known.mv, known.score, known.outcome)).collect();
        (values, report.outcome, report.depth, report.stopped_by)
    };
    let text = Checkers::write_position(&line[line.len() - 1]);
    let plies = line.len() - 1;
    assert_eq!(answer(Algorithm::AlphaBeta), answer(Algorithm::Minimax), "{text}, {plies} plies");
}

/// A line of reversible moves only, as long as there are any and the choices last.
pub(super) fn shuffle(start: CheckersBoard, choices: &[Index]) -> Vec<CheckersBoard> {
    let mut line = vec![start];
    for choice in choices {
        let last = line[line.len() - 1];
        let children = last.legal_moves().map(|mv| last.play(mv));
        let quiet: Vec<CheckersBoard> = children
            .filter(|child| child.reversible_plies() > 0 && child.outcome().is_none())
            .filter(|child| child.plies_to_forced_draw() != Some(0))
            .collect();
        if quiet.is_empty() {
            break;
        }
        line.push(quiet[choice.index(quiet.len())]);
    }
    line
}

pub(super) fn choices(
    plies: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), plies)
}

/// Boards with up to six pieces, most of them kings: they shuffle, meet and come back.
pub(super) fn few_pieces() -> impl Strategy<Value = CheckersBoard> {
    let piece = prop_oneof![1 => Just('b'), 3 => Just('B'), 1 => Just('w'), 3 => Just('W')];
    let pieces = prop::collection::vec((piece, 0usize..32), 2..=6);
    (pieces, any::<bool>()).prop_filter_map("a side without moves", |(pieces, black_to_move)| {
        let mut squares = ['.'; 32];
        for (piece, square) in pieces {
            squares[square] = piece;
        }
        unfinished(&plain::Board::scattered(&squares, black_to_move))
    })
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn alpha_beta_is_minimax_from_any_position(board in boards(), depth in 1u32..=5) {
        assert_exact(&[board], depth);
    }

    #[test]
    fn alpha_beta_is_minimax_after_a_game(choices in choices(0..120), depth in 1u32..=5) {
        assert_exact(&wander(Checkers.start(), &choices), depth);
    }

    #[test]
    fn alpha_beta_is_minimax_where_positions_recur(
        start in few_pieces(),
        choices in choices(0..30),
        depth in 1u32..=7,
    ) {
        assert_exact(&shuffle(start, &choices), depth);
    }

    #[test]
    fn alpha_beta_is_minimax_where_the_counter_runs_out(
        start in few_pieces(),
        choices in choices(74..80),
        depth in 1u32..=7,
    ) {
        let line = shuffle(start, &choices);
        assert_exact(&line, depth);
        assert_exact(&line[line.len() - 1..], depth);
    }

    #[test]
    fn alpha_beta_is_minimax_where_a_draw_may_be_claimed(
        start in few_pieces(),
        choices in choices(80..150),
        depth in 1u32..=6,
    ) {
        let line = shuffle(start, &choices);
        assert_exact(&line, depth);
        assert_exact(&line[line.len() - 1..], depth);
    }
}

/// The value of a field in a line of JSON that holds texts, numbers and lists of texts.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let name = format!("\"{name}\": ");
    let value = line.split_once(&name).map_or("", |(_, value)| value);
    let (value, end) = match value.as_bytes() {
        [b'"', ..] => (&value[1..], '"'),
        [b'[', ..] => (value, ']'),
        _ => (value, ','),
    };
    value.split_once(end).map_or("", |(value, _)| value)
}

fn assert_ends_in(fen: &str, value: &str, plies: u32, best_moves: &str) {
    let position = board(fen);
    let report = search::run(&task(&[position], plies, Algorithm::AlphaBeta), &Material);
    assert_eq!(report.score().plies(), Some(plies), "{fen}");
    assert_eq!(report.score().is_won(), value == "win", "{fen}");
    let squares: Vec<String> = report.best_move().squares().iter().map(u8::to_string).collect();
    let is_best =
        ["-", "x"].iter().any(|dash| best_moves.contains(&format!("\"{}\"", squares.join(dash))));
    assert!(is_best, "{fen}: {squares:?} is none of {best_moves}");
    assert_eq!(report.principal_variation().len() as u32, plies, "{fen}");
}

#[test]
fn short_endings_are_played_to_the_ply() {
    assert_ends_in("B:WK30:BK18", "win", 3, "\"18-22\"");
    assert_ends_in("B:WK26:BK16", "win", 9, "\"16-19\"");
    assert_ends_in("W:W31:BK6", "loss", 8, "\"31-27\"");
    assert_ends_in("W:WK3,K18:BK7,K14", "win", 1, "\"3x10x17\"");
    assert_ends_in("B:WK5,K7:BK2,K3,K6", "win", 5, "\"2x11\"");
}

#[test]
fn short_endings_of_the_collection_are_played_to_the_ply() {
    for line in data("checkers/endings.jsonl").lines() {
        if let Ok(plies @ ..=9) = field(line, "plies").parse() {
            let best_moves = field(line, "best_moves");
            assert_ends_in(field(line, "fen"), field(line, "value"), plies, best_moves);
        }
    }
}
