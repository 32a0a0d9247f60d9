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
    /// The squares, each for a man and for a king.
    const SLOTS: u16 = 35 << 1;

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
        SCALE * (worth(board, route.captured()) + crown(board, route))
    }

    /// A compulsory capture.
    #[inline]
    fn is_forced(&self, board: &Board) -> bool {
        board.jumpers() != 0
    }

    /// What is captured, and the crown.
    #[inline]
    fn gain(&self, board: &Board, route: Route) -> Option<i32> {
        let gain = worth(board, route.captured()) + crown(board, route);
        (gain > 0).then_some(gain)
    }

    #[inline]
    fn slot(&self, board: &Board, route: Route) -> u16 {
        let is_king = board.kings() >> route.from() & 1 != 0;
        u16::from(route.to()) << 1 | u16::from(is_king)
    }
}

/// What `pieces` of the board are worth.
#[inline]
fn worth(board: &Board, pieces: u64) -> i32 {
    let kings = (pieces & board.kings()).count_ones() as i32;
    MAN * pieces.count_ones() as i32 + (KING - MAN) * kings
}

/// What the move wins by making a man a king.
#[inline]
fn crown(board: &Board, route: Route) -> i32 {
    let (from, to) = (1 << route.from(), 1 << route.to());
    let crowns = board.kings() & from == 0 && to & KING_ROWS[board.side_to_move() as usize] != 0;
    if crowns { KING - MAN } else { 0 }
}
