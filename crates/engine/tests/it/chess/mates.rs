//! The elementary mates, from random positions, by the search that ships against itself.

use bestmove_engine::game::{History, Outcome, Position};
use bestmove_engine::games::chess::{Chess, ChessBoard};
use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};

use super::{Move, read};
use crate::evaluator;

/// The positions visited for a move of the side that mates, and of the lone king.
const ATTACK: u64 = 40_000;
const DEFENCE: u64 = 4_000;

/// Positions of each ending, drawn once by lot: White to move, nothing hangs.
const ENDINGS: [(&str, [&str; 2]); 4] = [
    ("queen", ["8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "6Q1/8/8/2k5/8/8/8/7K w - - 0 1"]),
    ("rook", ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "7R/8/4k3/8/8/8/1K6/8 w - - 0 1"]),
    ("bishops", ["8/8/8/3k4/8/8/8/K1B2B2 w - - 0 1", "8/8/2B5/8/1B3k2/8/8/K7 w - - 0 1"]),
    ("bishop and knight", ["8/8/8/3k4/8/8/8/KB4N1 w - - 0 1", "7K/8/8/8/2k5/8/5B2/6N1 w - - 0 1"]),
];

fn best(board: &ChessBoard, history: &History, nodes: u64) -> Move {
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::depth(64) };
    let mut task = Task::new(board.clone(), limits, Algorithm::Selective);
    task.history = history.clone();
    search::run(&task, &evaluator::<Chess>("full")).best_move()
}

/// The plies to mate; none where White lets a draw happen.
fn plies_to_mate(fen: &str) -> Option<u32> {
    let (mut board, mut history) = (read(fen), History::default());
    for ply in 0.. {
        if let Some(outcome) = board.outcome() {
            return (outcome == Outcome::Loss).then_some(ply);
        }
        let (key, reversible) = (board.key(), board.reversible_plies());
        if board.plies_to_draw() == Some(0) || history.occurrences(key, reversible) >= 2 {
            return None;
        }
        let mv = best(&board, &history, if ply % 2 == 0 { ATTACK } else { DEFENCE });
        history.played(key);
        board = board.play(mv);
    }
    None
}

#[test]
fn the_elementary_mates_are_won() {
    for (pieces, positions) in ENDINGS {
        for fen in positions {
            assert!(plies_to_mate(fen).is_some(), "{pieces}: {fen} is drawn");
        }
    }
}
