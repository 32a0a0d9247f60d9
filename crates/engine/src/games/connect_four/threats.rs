//! The threats of a Connect Four position.
//!
//! A *winning cell* of a side is an empty one that would complete its four.

use super::board::BoardOf;
use super::size::{BoardSize, CellSet};
use crate::game::SolverScore;

/// A position with the winning cells of both sides.
pub(super) struct Threats<S: BoardSize> {
    pub(super) size: S,
    pub(super) own: S::Cells,
    pub(super) other: S::Cells,
    pub(super) stones: S::Cells,
    /// The winning cells of the side to move and of its opponent.
    pub(super) own_wins: S::Cells,
    pub(super) other_wins: S::Cells,
    /// The plies that are left.
    pub(super) plies: SolverScore,
}

impl<S: BoardSize> Threats<S> {
    #[inline]
    pub(super) fn of(board: &BoardOf<S>) -> Self {
        let (size, own, other, stones) = (board.size, board.own(), board.other(), board.stones());
        let empty = size.cells() & !stones;
        Self {
            size,
            own,
            other,
            stones,
            own_wins: winning_cells(size, own) & empty,
            other_wins: winning_cells(size, other) & empty,
            plies: empty.count() as SolverScore,
        }
    }
}

/// The cells that would complete a line of four, whether empty or not.
#[inline]
pub(super) fn winning_cells<S: BoardSize>(size: S, own: S::Cells) -> S::Cells {
    let mut cells = own << 1 & own << 2 & own << 3;
    let [_, sideways @ ..] = size.directions();
    for direction in sideways {
        let (left, right) = (own << direction, own >> direction);
        let (left_pair, right_pair) = (left & left << direction, right & right >> direction);
        cells |= left_pair & (left << (2 * direction) | right);
        cells |= right_pair & (right >> (2 * direction) | left);
    }
    cells
}

/// The cells on which the next stone may come to lie.
#[inline]
pub(super) fn landing_cells<S: BoardSize>(size: S, stones: S::Cells) -> S::Cells {
    (stones + size.bottom()) & size.cells()
}

/// All cells above these.
pub(super) fn above<S: BoardSize>(size: S, cells: S::Cells) -> S::Cells {
    let all = size.cells();
    (1..size.rows()).fold(cells << 1 & all, |above, _| above | above << 1 & all)
}
