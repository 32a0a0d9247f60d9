//! The threats of a Connect Four position.
//!
//! A *winning cell* of a side is an empty cell that would complete a four of the side.

use num_traits::PrimInt;

use super::ConnectFourOn;
use super::board::BoardOf;
use super::size::BoardSize;
use crate::game::SolverScore;

/// A position with the winning cells of both sides.
pub(super) struct Threats<S: BoardSize> {
    pub(super) game: ConnectFourOn<S>,
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
        let (game, own, other, stones) = (board.game, board.own, board.other(), board.stones);
        let empty = game.all_cells() & !stones;
        Self {
            game,
            own,
            other,
            stones,
            own_wins: winning_cells(game, own) & empty,
            other_wins: winning_cells(game, other) & empty,
            plies: empty.count_ones() as SolverScore,
        }
    }
}

/// The cells that would complete a line of four, whether empty or not.
#[inline]
pub(super) fn winning_cells<S: BoardSize>(game: ConnectFourOn<S>, own: S::Cells) -> S::Cells {
    let upward = own << 1 & own << 2 & own << 3;
    let [_, sideways @ ..] = game.directions();
    sideways.iter().fold(upward, |cells, &direction| {
        let (left, right) = (own << direction, own >> direction);
        let (left_pair, right_pair) = (left & left << direction, right & right >> direction);
        let leftward = left_pair & (left << (2 * direction) | right);
        let rightward = right_pair & (right >> (2 * direction) | left);
        cells | leftward | rightward
    })
}

/// The landing cells: the lowest empty cell of each column.
#[inline]
pub(super) fn landing_cells<S: BoardSize>(game: ConnectFourOn<S>, stones: S::Cells) -> S::Cells {
    (stones + game.bottom()) & game.all_cells()
}

/// All cells above `cells`.
pub(super) fn above<S: BoardSize>(game: ConnectFourOn<S>, cells: S::Cells) -> S::Cells {
    let all = game.all_cells();
    (1..game.rows()).fold(cells << 1 & all, |above, _| above | above << 1 & all)
}
