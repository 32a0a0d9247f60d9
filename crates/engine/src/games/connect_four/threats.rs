//! The threats of a Connect Four position.
//!
//! A *winning cell* of a side is an empty one that would complete its four.

use super::board::{BOTTOM, CELLS, ConnectFourBoard, ROWS, STRIDE};
use crate::game::SolverScore;

/// The cells of rows 1, 3 and 5.
pub(super) const ODD_ROWS: u64 = BOTTOM | BOTTOM << 2 | BOTTOM << 4;
/// The cells of rows 2, 4 and 6.
pub(super) const EVEN_ROWS: u64 = ODD_ROWS << 1;

/// A position with the winning cells of both sides.
pub(super) struct Threats {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) stones: u64,
    /// The winning cells of the side to move and of its opponent.
    pub(super) own_wins: u64,
    pub(super) other_wins: u64,
    /// The plies that are left.
    pub(super) plies: SolverScore,
}

impl Threats {
    #[inline]
    pub(super) fn of(board: &ConnectFourBoard) -> Self {
        let (own, other, stones) = (board.own(), board.other(), board.stones());
        let empty = CELLS & !stones;
        Self {
            own,
            other,
            stones,
            own_wins: winning_cells(own) & empty,
            other_wins: winning_cells(other) & empty,
            plies: empty.count_ones() as SolverScore,
        }
    }
}

/// The cells that would complete a line of four, whether empty or not.
#[inline]
pub(super) fn winning_cells(own: u64) -> u64 {
    let mut cells = own << 1 & own << 2 & own << 3;
    for direction in [STRIDE, STRIDE - 1, STRIDE + 1] {
        let (left, right) = (own << direction, own >> direction);
        let (left_pair, right_pair) = (left & left << direction, right & right >> direction);
        cells |= left_pair & (left << (2 * direction) | right);
        cells |= right_pair & (right >> (2 * direction) | left);
    }
    cells
}

/// The cells on which the next stone may come to lie.
#[inline]
pub(super) fn landing_cells(stones: u64) -> u64 {
    (stones + BOTTOM) & CELLS
}

/// All cells above these.
pub(super) fn above(cells: u64) -> u64 {
    (1..ROWS).fold(cells << 1 & CELLS, |above, _| above | above << 1 & CELLS)
}
