//! Static evaluations in hundredths of a disc.

use super::board::{CORNERS, OthelloBoard, around, mobility};
use super::expansion::{LAST, expand};
use crate::game::{Evaluator, Expansion, SelectiveHooks, SolverHooks, SolverScore, Trainable};

/// The evaluators of Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OthelloEvaluator {
    /// Corners, the squares beside empty corners, moves, and discs beside empty squares.
    Mobility,
    /// The discs on the board.
    Discs,
}

impl Evaluator<OthelloBoard> for OthelloEvaluator {
    type Accumulator = ();

    fn score(&self, board: &OthelloBoard) -> i32 {
        match self {
            Self::Mobility => {
                side(board.own, board.other, board.mobility)
                    - side(board.other, board.own, mobility(board.other, board.own))
            }
            Self::Discs => 100 * (board.own.count_ones() as i32 - board.other.count_ones() as i32),
        }
    }

    fn half_value(&self) -> i32 {
        800
    }
}

impl SelectiveHooks<OthelloBoard> for OthelloEvaluator {
    fn unit(&self) -> i32 {
        300
    }
}

impl SolverHooks<OthelloBoard> for OthelloEvaluator {
    const KEPT_ABOVE: SolverScore = 2 * LAST as SolverScore;

    fn expand(
        &self,
        board: &OthelloBoard,
        beta: SolverScore,
        child: impl FnMut(OthelloBoard, i32),
    ) -> Expansion {
        expand(board, beta, child)
    }

    /// Measured on positions of games: each empty square more takes two and a half times as many.
    fn proof_nodes(&self, board: &OthelloBoard) -> Option<u64> {
        Some(proof_nodes(board.empty().count_ones()))
    }

    fn guessed_value(&self, board: &OthelloBoard) -> SolverScore {
        (self.score(board) / 200).clamp(-32, 32) as SolverScore
    }
}

/// The positions of a proof with so many empty squares.
fn proof_nodes(empty: u32) -> u64 {
    let more = empty.saturating_sub(10);
    (0..more.min(30)).fold(3_000, |nodes, _| nodes * 12 / 5)
}

impl Trainable<OthelloBoard> for OthelloEvaluator {}

/// What one side has: textbook weights.
fn side(own: u64, other: u64, moves: u64) -> i32 {
    let count = |squares: u64| squares.count_ones() as i32;
    let empty = !(own | other);
    let beside_corners = around(CORNERS & empty);
    1000 * count(own & CORNERS) - 300 * count(own & beside_corners) + 90 * count(moves)
        - 45 * count(own & around(empty))
}
