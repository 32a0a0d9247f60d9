//! How good a checkers position looks.

use super::board::{Board, KING_ROWS};
use super::moves::Route;
use crate::game::{Evaluator, Position};

/// The evaluators of checkers. Their scores are hundredths of a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// A man counts 100 and a king 140, less the opponent's.
    Material,
}

const MAN: i32 = 100;
const KING: i32 = 140;

impl Evaluator<Board> for Opinion {
    #[inline]
    fn score(&self, board: &Board) -> i32 {
        match self {
            Self::Material => worth(board, board.own()) - worth(board, board.other()),
        }
    }

    /// A man more is reckoned as three quarters of the points.
    fn half_value(&self) -> i32 {
        MAN
    }

    /// What the move gains on the spot.
    #[inline]
    fn promise(&self, board: &Board, route: Route) -> i32 {
        const SCALE: i32 = 1 << 8;
        let (from, to) = (1 << route.from(), 1 << route.to());
        let crowns =
            board.kings() & from == 0 && to & KING_ROWS[board.side_to_move() as usize] != 0;
        let crowned = if crowns { KING - MAN } else { 0 };
        SCALE * (worth(board, route.captured()) + crowned)
    }
}

/// What `pieces` of the board are worth.
#[inline]
fn worth(board: &Board, pieces: u64) -> i32 {
    let kings = (pieces & board.kings()).count_ones() as i32;
    MAN * pieces.count_ones() as i32 + (KING - MAN) * kings
}
