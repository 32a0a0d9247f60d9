//! Bounds by following: what a side gets for certain by answering straight above each stone. Only a board with an even
//! number of rows has such bounds.
//!
//! In the comments rows count from 1 at the bottom, and the *first* player is the one to move when the
//! number of stones is even. A column is *odd* while the column holds an odd number of stones; the landing
//! cell of an odd column is in an even row. A *winning cell* of a side is an empty cell that would complete
//! a four of the side.
//!
//! # The second player follows
//!
//! The first player is to move, so the number of odd columns is even. The first player puts a stone in a
//! column:
//!
//! - If the column was even, the stone lies in an odd row and the second player answers straight above.
//! - If the column was odd, the stone lies on the landing cell. Another odd column is left, and the second
//!   player answers on the landing cell of the other odd column.
//!
//! Both leave an even number of odd columns, and a column that was even stays even between the two
//! answers. So the second player gets all empty cells of even rows but the landing cells of the odd
//! columns, and no cell of an odd row. Who gets the landing cells of the odd columns is open. If the second
//! player is to move, the second player takes one of these landing cells first.
//!
//! # Zugzwang
//!
//! The second player is to move, so the number of odd columns is odd. In one odd column the first player
//! has a winning cell in an odd row. There the first player answers straight above each stone, and follows
//! as above in the other columns: the number of other odd columns is even. So the first player gets the
//! odd rows of that column up to the winning cell, all even rows of the other columns but the landing
//! cells of the odd columns, and never runs out of answers. In the end the second player must fill the cell
//! below the winning cell. If the first player is to move, the first player takes the landing cell of
//! another odd column first.
//!
//! # When the opponent of the follower can't win
//!
//! Each line of cells that the opponent may get must come too late. A line comes too late
//!
//! - if the line holds a cell above a winning cell that the follower gets for certain: the winning cell is
//!   filled before;
//! - if the line lies above another line in the same direction, on the same columns, whose cells all go to
//!   the follower for certain: in each column the lower cell is filled before the upper one.
//!
//! If this holds for all lines, the follower gets a draw at least, and wins if there is a line among the
//! cells that are certain.
//!
//! # How soon the follower wins
//!
//! - When the last cell of a line is filled, which lies in row r, the cells above it are unused.
//! - Take all columns with winning cells that are certain, and in each the lowest one and the cell below
//!   the winning cell. Only the opponent plays on a cell below, and the answer wins. So at the end no stone
//!   but the last two lies on any of these cells or above.

use num_traits::{PrimInt, Zero};

use super::ConnectFourOn;
use super::board::{fours, holds_four};
use super::size::{BoardSize, is_one, lowest};
use super::threats::{Threats, above, landing_cells};
use crate::game::SolverScore;

/// The stones of both sides, by the parity of turns.
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
        let empty = game.all_cells() & !threats.stones;
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
    /// The empty cells that the follower gets for certain.
    followed: S::Cells,
    /// The winning cells of the follower, certain or not.
    wins: S::Cells,
}

impl<S: BoardSize> Follower<S> {
    /// The solver score that the follower has for certain with the opponent to move, if the score is `wanted` or more.
    #[inline]
    fn value(&self, wanted: SolverScore) -> Option<SolverScore> {
        let game = self.game;
        let certain = self.stones | self.followed;
        let wins = self.wins & self.followed;
        if wanted > 0 && !holds_four(game, certain) {
            return None;
        }
        let possible = game.all_cells() & !certain & below_lowest(game, wins);
        for direction in game.directions() {
            let later = below_lowest(game, fours(certain, direction));
            if fours(possible, direction) & later != S::Cells::zero() {
                return None;
            }
        }
        let value = self.line_value().max(value_of_wins(game, wins));
        (value >= wanted).then_some(value)
    }

    /// As [`value`](Self::value), where the follower moves first, on one of the cells `landing`.
    #[inline]
    fn value_after_a_move(&self, landing: S::Cells, wanted: SolverScore) -> Option<SolverScore> {
        if !is_one(landing) {
            // Where all landing cells together are not enough, no single one is.
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

    /// The solver score by a line of certain cells: of all such lines, the line whose highest empty cell is lowest.
    #[inline]
    fn line_value(&self) -> SolverScore {
        let (game, all) = (self.game, self.game.rows());
        let holds =
            |rows: usize| holds_four(game, self.stones | self.followed & rows_up_to(game, rows));
        (0..=all).find(|&rows| holds(rows)).map_or(0, |rows| (all + 1 - rows) as SolverScore)
    }
}

/// The solver score by all columns that hold a cell of `wins`.
#[inline]
fn value_of_wins<S: BoardSize>(game: ConnectFourOn<S>, wins: S::Cells) -> SolverScore {
    let lowest = wins & !above(game, wins);
    let unused = upward(game, lowest).count_ones() + lowest.count_ones();
    (unused as SolverScore - 1).max(0)
}

/// In each column the cells below the lowest of `cells`; all cells of a column without any of `cells`. The result also has
/// the higher ones of `cells`, and bits above the top.
#[inline]
fn below_lowest<S: BoardSize>(game: ConnectFourOn<S>, cells: S::Cells) -> S::Cells {
    (cells | game.above_top()) - game.bottom()
}

/// The `cells`, at most one in a column, and all cells above.
#[inline]
fn upward<S: BoardSize>(game: ConnectFourOn<S>, cells: S::Cells) -> S::Cells {
    let shifted = (1..=game.rows()).fold(S::Cells::zero(), |bits, rows| bits | cells << rows);
    (shifted & game.above_top()) - cells
}

/// The cells of the rows up to `row`.
#[inline]
fn rows_up_to<S: BoardSize>(game: ConnectFourOn<S>, row: usize) -> S::Cells {
    (game.bottom() << row) - game.bottom()
}
