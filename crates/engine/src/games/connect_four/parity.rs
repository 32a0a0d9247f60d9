//! Bounds by following: what a side gets for certain by answering straight above each stone. Only a board with an even
//! number of rows has such bounds.
//!
//! In the comments rows count from 1 at the bottom, and the *first* player is the one to move when the
//! number of stones is even. A column is *odd* while it holds an odd number of stones; its landing cell
//! is in an even row. A *winning cell* of a side is an empty one that would complete its four.
//!
//! # The second player follows
//!
//! The first player is to move, so the number of odd columns is even. It puts a stone in a column:
//!
//! - If the column was even, the stone lies in an odd row and the second player answers straight above.
//! - If it was odd, the stone lies on its landing cell. Another odd column is left, and the second
//!   player answers on the landing cell of that one.
//!
//! Both leave an even number of odd columns, and a column that was even stays even between the two
//! answers. So the second player gets all empty cells of even rows but the landing cells of the odd
//! columns, and none of the odd rows. Who gets those landing cells is open. If the second player is to
//! move, it takes one of them first.
//!
//! # Zugzwang
//!
//! The second player is to move, so the number of odd columns is odd. In one of them the first player
//! has a winning cell in an odd row. There it answers straight above each stone, and in the other
//! columns it follows as above: the number of other odd columns is even. So the first player gets the
//! odd rows of that column up to the winning cell, all even rows of the other columns but the landing
//! cells of the odd ones, and is never the one to run out of answers. In the end the second player must
//! fill the cell below the winning cell. If the first player is to move, it takes the landing cell of
//! another odd column first.
//!
//! # When the opponent of the follower can't win
//!
//! Each line of cells that the opponent may get must come too late. It does
//!
//! - if it holds a cell above a winning cell that the follower gets for certain: that one is filled
//!   before;
//! - if it lies above a line in the same direction, on the same columns, whose cells all go to the
//!   follower for certain: in each column the lower cell is filled before the upper one.
//!
//! If this holds for all lines, the follower gets a draw at least, and wins if there is a line among the
//! cells that are certain.
//!
//! # How soon the follower wins
//!
//! - When the last cell of a line is filled, which lies in row r, the cells above it are unused.
//! - Take all columns with winning cells that are certain, and in each the lowest one and the cell below
//!   it. Only the opponent plays on a cell below, and the answer wins. So at the end no stone but the
//!   last two lies on any of these cells or above them.

use num_traits::{PrimInt, Zero};

use super::ConnectFourOn;
use super::board::{fours, holds_four};
use super::size::{BoardSize, is_one, lowest};
use super::threats::{Threats, above, landing_cells};
use crate::game::SolverScore;

/// Both sides by the parity of their turns.
pub(super) struct Parity<S: BoardSize> {
    game: ConnectFourOn<S>,
    first: S::Cells,
    second: S::Cells,
    /// The winning cells of the first and of the second player.
    first_wins: S::Cells,
    second_wins: S::Cells,
    first_is_to_move: bool,
    empty: S::Cells,
    /// The landing cells of the odd columns.
    odd_landing: S::Cells,
}

impl<S: BoardSize> Parity<S> {
    #[inline]
    pub(super) fn of(threats: &Threats<S>) -> Self {
        let first_is_to_move = threats.plies % 2 == 0;
        let (first, second, first_wins, second_wins) = if first_is_to_move {
            (threats.own, threats.other, threats.own_wins, threats.other_wins)
        } else {
            (threats.other, threats.own, threats.other_wins, threats.own_wins)
        };
        let game = threats.game;
        let empty = game.cells() & !threats.stones;
        let odd_landing = landing_cells(game, threats.stones) & game.even_rows();
        Self { game, first, second, first_wins, second_wins, first_is_to_move, empty, odd_landing }
    }

    /// A bound that tells whether the solver score of the side to move is `beta` or more, if one is known.
    #[inline]
    pub(super) fn decided(&self, beta: SolverScore) -> Option<SolverScore> {
        if !self.game.rows().is_multiple_of(2) {
            return None;
        }
        if self.first_is_to_move {
            let high = self.second_follows(1 - beta).map(|value| -value);
            high.or_else(|| self.zugzwang(beta))
        } else {
            self.second_follows(beta).or_else(|| self.zugzwang(1 - beta).map(|value| -value))
        }
    }

    /// The solver score that the second player has for certain by following, if it is `wanted` or more.
    #[inline]
    fn second_follows(&self, wanted: SolverScore) -> Option<SolverScore> {
        let follower = Follower {
            game: self.game,
            stones: self.second,
            followed: self.empty & self.game.even_rows() & !self.odd_landing,
            wins: self.second_wins,
        };
        if self.first_is_to_move {
            follower.value(wanted)
        } else {
            follower.value_after_a_move(self.odd_landing, wanted)
        }
    }

    /// The solver score that the first player has for certain by zugzwang, if it is `wanted` or more.
    #[inline]
    fn zugzwang(&self, wanted: SolverScore) -> Option<SolverScore> {
        let game = self.game;
        let mut cells = self.first_wins & game.odd_rows() & upward(game, self.odd_landing);
        while cells != S::Cells::zero() {
            let column = game.column_cells(cells.trailing_zeros() as usize / game.stride());
            cells = cells & !column;
            let rows = game.even_rows() & !column & !self.odd_landing | game.odd_rows() & column;
            let (stones, wins) = (self.first, self.first_wins);
            let follower = Follower { game, stones, followed: self.empty & rows, wins };
            let value = if self.first_is_to_move {
                follower.value_after_a_move(self.odd_landing & !column, wanted)
            } else {
                follower.value(wanted)
            };
            if value.is_some() {
                return value;
            }
        }
        None
    }
}

/// A side that answers straight above.
struct Follower<S: BoardSize> {
    game: ConnectFourOn<S>,
    stones: S::Cells,
    /// The empty cells that it gets for certain.
    followed: S::Cells,
    /// Its winning cells, certain or not.
    wins: S::Cells,
}

impl<S: BoardSize> Follower<S> {
    /// The solver score that it has for certain with the opponent to move, if it is `wanted` or more.
    #[inline]
    fn value(&self, wanted: SolverScore) -> Option<SolverScore> {
        let game = self.game;
        let certain = self.stones | self.followed;
        let wins = self.wins & self.followed;
        if wanted > 0 && !holds_four(game, certain) {
            return None;
        }
        let possible = game.cells() & !certain & below_lowest(game, wins);
        for direction in game.directions() {
            let later = below_lowest(game, fours(certain, direction));
            if fours(possible, direction) & later != S::Cells::zero() {
                return None;
            }
        }
        let value = self.line_value().max(value_of_wins(game, wins));
        (value >= wanted).then_some(value)
    }

    /// The same where it moves before, on one of these landing cells.
    #[inline]
    fn value_after_a_move(&self, landing: S::Cells, wanted: SolverScore) -> Option<SolverScore> {
        if !is_one(landing) {
            // What does not do with all of them does not with one.
            let all = Self { followed: self.followed | landing, ..*self };
            all.value(wanted.min(1))?;
        }
        let mut rest = landing;
        while rest != S::Cells::zero() {
            let cell = lowest(rest);
            rest = rest ^ cell;
            let value = Self { stones: self.stones | cell, ..*self }.value(wanted);
            if value.is_some() {
                return value;
            }
        }
        None
    }

    /// The solver score by the line of certain cells whose highest empty cell is the lowest.
    #[inline]
    fn line_value(&self) -> SolverScore {
        let (game, all) = (self.game, self.game.rows());
        let holds =
            |rows: usize| holds_four(game, self.stones | self.followed & rows_up_to(game, rows));
        (0..=all).find(|&rows| holds(rows)).map_or(0, |rows| (all + 1 - rows) as SolverScore)
    }
}

/// The solver score by all columns with one of these winning cells.
#[inline]
fn value_of_wins<S: BoardSize>(game: ConnectFourOn<S>, wins: S::Cells) -> SolverScore {
    let lowest = wins & !above(game, wins);
    let unused = upward(game, lowest).count_ones() + lowest.count_ones();
    (unused as SolverScore - 1).max(0)
}

/// The cells below the lowest of these in each column; all cells of a column with none of them. (With
/// them come the others of these cells, and bits above the top.)
#[inline]
fn below_lowest<S: BoardSize>(game: ConnectFourOn<S>, cells: S::Cells) -> S::Cells {
    (cells | game.above_top()) - game.bottom()
}

/// These cells, at most one a column, and all above them.
#[inline]
fn upward<S: BoardSize>(game: ConnectFourOn<S>, cells: S::Cells) -> S::Cells {
    let shifted = (1..=game.rows()).fold(S::Cells::zero(), |bits, rows| bits | cells << rows);
    (shifted & game.above_top()) - cells
}

/// The cells of the rows up to this one.
#[inline]
fn rows_up_to<S: BoardSize>(game: ConnectFourOn<S>, row: usize) -> S::Cells {
    (game.bottom() << row) - game.bottom()
}
