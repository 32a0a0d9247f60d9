//! Whether a game can lead to a board.
//!
//! The stones are taken back one by one, the last stone first: each time a stone that lies on top of a column, of the
//! sides in turn. A game leads to the board if some order leads back to the empty board, and no line of four is left
//! once the last stone is gone. (Fewer stones have no more lines.)
//!
//! The heights of the columns determine the stones that are left, and each set of stones is looked at once. A board that games
//! lead to takes some hundreds of sets, a hard one on seven columns and six rows up to 290 000. The search ends after
//! [`MOST_SETS`], some tens of microseconds, and then the board is accepted: a few boards that no game leads to are
//! searched like others, and nobody can keep a processor busy with boards alone.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use num_traits::Zero;

use super::ConnectFourOn;
use super::board::holds_four;
use super::size::BoardSize;
use crate::game::Side;

/// The sets of stones after which a board is accepted.
const MOST_SETS: u32 = 1_000;

/// Whether a game that ends with a move of `last` can lead to the stones `by_side`. No stone lies above a gap.
pub(super) fn is_reachable<S: BoardSize>(
    game: ConnectFourOn<S>,
    by_side: [S::Cells; 2],
    last: Side,
) -> bool {
    let stones = by_side[0] | by_side[1];
    if stones == S::Cells::zero() {
        return true;
    }
    let failed = HashSet::with_capacity_and_hasher(MOST_SETS as usize, RandomState::default());
    let mut search = Retraction { game, by_side, failed, looked_at: 0 };
    (0..game.columns()).any(|column| {
        search.taken(stones, column, last).is_some_and(|(rest, cell)| {
            !by_side.iter().any(|&own| holds_four(game, own & !cell))
                && search.leads_back(rest, last.other())
        })
    })
}

/// The search for an order in which to take the stones back.
struct Retraction<S: BoardSize> {
    game: ConnectFourOn<S>,
    by_side: [S::Cells; 2],
    /// The sets of stones that lead back to no empty board. The number of stones in a set tells who moved last.
    failed: HashSet<S::Cells, RandomState>,
    /// The number of sets of stones looked at.
    looked_at: u32,
}

impl<S: BoardSize> Retraction<S> {
    /// Whether the stones that are left, `last` having moved last, lead back to the empty board, as far as
    /// [`MOST_SETS`] tell.
    fn leads_back(&mut self, stones: S::Cells, last: Side) -> bool {
        if stones == S::Cells::zero() || self.looked_at == MOST_SETS {
            return true;
        }
        if self.failed.contains(&stones) {
            return false;
        }
        self.looked_at += 1;
        let leads_back = (0..self.game.columns()).any(|column| {
            self.taken(stones, column, last)
                .is_some_and(|(rest, _)| self.leads_back(rest, last.other()))
        });
        if !leads_back {
            self.failed.insert(stones);
        }
        leads_back
    }

    /// The stones without the top stone of a column, and the cell of the top stone; `None` where the top stone is not of
    /// `last`.
    fn taken(&self, stones: S::Cells, column: usize, last: Side) -> Option<(S::Cells, S::Cells)> {
        let in_column = stones & self.game.column_cells(column);
        // A carry runs through the stones of the column to the cell above them.
        let top = (in_column + self.game.cell(column, 0)) >> 1 & in_column;
        (self.by_side[last as usize] & top != S::Cells::zero()).then_some((stones & !top, top))
    }
}
