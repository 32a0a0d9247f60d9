//! What the solver can decide of a Connect Four position without a search.

use num_traits::{One, PrimInt, Zero};

use super::parity::Parity;
use super::size::{BoardSize, is_one};
use super::threats::{Threats, landing_cells, winning_cells};
use crate::game::{Expansion, SolverScore};

/// The number of plies left from which on the bounds of all next positions are computed before a next position is searched.
/// With fewer plies left, the bound of a position is computed when the position is searched, which is cheaper.
const LOOK_AHEAD: SolverScore = 16;

/// The number of plies left from which on the lines through a cell count in the order of moves.
const RANK_LINES: SolverScore = 24;

/// The rise in rank of a move for a winning cell that the move makes; for a line through the cell without stones of the
/// opponent, by the number of own stones; and for a line without own stones, by the number of stones of the opponent.
/// Found by trial: the nodes on positions after 8 to 18 plies.
const WINNING_CELL: i32 = 10;
const OWN_LINE: [i32; 4] = [2, 3, 4, 0];
const OTHER_LINE: [i32; 4] = [0, 1, 2, 0];

impl<S: BoardSize> Threats<S> {
    /// Whether the side to move can complete a four.
    fn wins_at_once(&self) -> bool {
        self.own_wins & landing_cells(self.game, self.stones) != S::Cells::zero()
    }

    /// The answer to the question whether the solver score is at least `beta`, or the moves that don't
    /// lose at once, each with its rank.
    #[inline]
    pub(super) fn expand(
        &self,
        beta: SolverScore,
        mut child: impl FnMut(S::Cells, i32),
    ) -> Expansion {
        if self.wins_at_once() {
            return Expansion::Decided(self.plies);
        }
        let moves = self.moves_that_do_not_lose();
        let soonest_loss = 1 - self.plies;
        if moves == S::Cells::zero() {
            return Expansion::Decided(soonest_loss);
        }
        if self.plies <= 2 {
            return Expansion::Decided(0);
        }
        let (low, high) = (soonest_loss + 2, self.plies - 2);
        if low >= beta {
            return Expansion::Decided(low);
        }
        if high < beta {
            return Expansion::Decided(high);
        }
        if is_one(moves) {
            // The position after a forced move is looked at one ply later.
            child(moves, 0);
            return Expansion::Open { low, high, rest: SolverScore::MIN };
        }
        if self.plies < LOOK_AHEAD - 1
            && let Some(value) = Parity::of(self).decided(beta)
        {
            return Expansion::Decided(value);
        }
        self.expand_moves(moves, beta, low, high, child)
    }

    /// As [`expand`](Self::expand) where there is a choice of moves and the solver score lies between `low` and `high`.
    #[inline]
    fn expand_moves(
        &self,
        moves: S::Cells,
        beta: SolverScore,
        low: SolverScore,
        high: SolverScore,
        mut child: impl FnMut(S::Cells, i32),
    ) -> Expansion {
        let (mut decided, mut is_open) = (SolverScore::MIN, false);
        for &column in self.game.centre_first() {
            let cell = moves & self.game.column_cells(usize::from(column));
            if cell == S::Cells::zero() {
                continue;
            }
            let threats = self.winning_after(cell);
            if self.wins_next(cell, threats) {
                return Expansion::Decided(high);
            }
            if self.plies >= LOOK_AHEAD
                && let Some(value) = Parity::of(&self.after(cell, threats)).decided(1 - beta)
            {
                decided = decided.max(-value);
                continue;
            }
            child(cell, self.rank(cell, threats));
            is_open = true;
        }
        let high = (high - 2).max(low);
        if high < beta {
            return Expansion::Decided(high);
        }
        if decided >= beta || !is_open {
            return Expansion::Decided(decided);
        }
        Expansion::Open { low, high, rest: decided }
    }

    /// The winning cells of the side to move after a stone on `cell`.
    #[inline]
    fn winning_after(&self, cell: S::Cells) -> S::Cells {
        winning_cells(self.game, self.own | cell) & self.game.all_cells() & !(self.stones | cell)
    }

    /// The threats after the stone on `cell`, where the side that moved has the winning cells `threats`.
    #[inline]
    fn after(&self, cell: S::Cells, threats: S::Cells) -> Self {
        Self {
            game: self.game,
            own: self.other,
            other: self.own | cell,
            stones: self.stones | cell,
            own_wins: self.other_wins & !cell,
            other_wins: threats,
            plies: self.plies - 1,
        }
    }

    /// The rank of the stone on `cell`, which makes the winning cells `threats`. A winning cell counts one, but nothing
    /// straight above a winning cell of the opponent, who plays there first. A stone straight under an own winning cell gives
    /// the winning cell away. Far from the end few moves make winning cells, and the lines through the cell count too.
    #[inline]
    fn rank(&self, cell: S::Cells, threats: S::Cells) -> i32 {
        let useful = threats & !(self.other_wins << 1);
        let gives_away = self.own_wins & cell << 1 != S::Cells::zero();
        let rank = useful.count_ones() as i32 - 2 * i32::from(gives_away);
        if self.plies < RANK_LINES {
            return rank;
        }
        WINNING_CELL * rank + self.lines_through(cell)
    }

    /// The worth of the lines through an empty cell.
    fn lines_through(&self, cell: S::Cells) -> i32 {
        let mut worth = 0;
        for direction in self.game.directions() {
            let first = S::Cells::one();
            let pair = first | first << direction;
            let line = pair | pair << (2 * direction);
            for place in 0..4 {
                let Some(first) = (cell.trailing_zeros() as usize).checked_sub(place * direction)
                else {
                    break;
                };
                let cells = line << first & self.game.all_cells();
                let (own, other) = (cells & self.own, cells & self.other);
                if cells.count_ones() < 4 {
                    continue;
                }
                if other == S::Cells::zero() {
                    worth += OWN_LINE[own.count_ones() as usize];
                }
                if own == S::Cells::zero() {
                    worth += OTHER_LINE[other.count_ones() as usize];
                }
            }
        }
        worth
    }

    /// The landing cells after which the opponent can't win at once.
    #[inline]
    fn moves_that_do_not_lose(&self) -> S::Cells {
        let landing = landing_cells(self.game, self.stones);
        let forced = self.other_wins & landing;
        let moves = if forced == S::Cells::zero() {
            landing
        } else if is_one(forced) {
            forced
        } else {
            S::Cells::zero()
        };
        moves & !(self.other_wins >> 1)
    }

    /// Whether the stone on `cell`, which makes the winning cells `threats`, wins with the next stone after any reply.
    #[inline]
    fn wins_next(&self, cell: S::Cells, threats: S::Cells) -> bool {
        let landing = landing_cells(self.game, self.stones | cell);
        let now = threats & landing;
        if now == S::Cells::zero() {
            // Every reply opens a winning cell above itself.
            landing & !(threats >> 1) == S::Cells::zero()
        } else {
            !is_one(now) || threats & now << 1 != S::Cells::zero()
        }
    }
}
