//! What can be proven of a Connect Four position by looking at it.
//!
//! A *winning cell* of a side is an empty one that would complete its four. In the comments rows
//! count from 1 at the bottom, and the *first* player is the one to move when the number of stones
//! is even.

use super::board::{
    BOTTOM, Board, CELLS, CENTRE_FIRST, COLUMNS, ROWS, STRIDE, column_around, column_cells,
    holds_four,
};
use crate::game::{Expansion, Margin};

/// The cells of rows 1, 3 and 5.
pub(super) const ODD_ROWS: u64 = BOTTOM | BOTTOM << 2 | BOTTOM << 4;
/// The cells of rows 2, 4 and 6.
pub(super) const EVEN_ROWS: u64 = ODD_ROWS << 1;
/// The bit above the top cell of every column.
const ABOVE_TOP: u64 = BOTTOM << ROWS;

/// One look at a position: what both sides threaten and what the side to move may do about it.
pub(super) struct Look {
    own: u64,
    other: u64,
    stones: u64,
    /// The winning cells of the side to move and of its opponent.
    own_wins: u64,
    other_wins: u64,
    plies: Margin,
}

impl Look {
    #[inline]
    pub(super) fn at(board: &Board) -> Self {
        let (own, other, stones) = (board.own(), board.other(), board.stones());
        let empty = CELLS & !stones;
        Self {
            own,
            other,
            stones,
            own_wins: winning_cells(own) & empty,
            other_wins: winning_cells(other) & empty,
            plies: empty.count_ones() as Margin,
        }
    }

    /// Whether the side to move can complete a four.
    fn wins_at_once(&self) -> bool {
        self.own_wins & landing_cells(self.stones) != 0
    }

    /// The answer to the question whether the margin is at least `beta`, or the moves that don't
    /// lose at once, each with its rank.
    #[inline]
    pub(super) fn expand(&self, beta: Margin, mut child: impl FnMut(u64, i32)) -> Expansion {
        if self.wins_at_once() {
            return Expansion::Decided(self.plies);
        }
        let moves = self.moves_that_do_not_lose();
        let soonest_loss = 1 - self.plies;
        if moves == 0 {
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
        if let Some(margin) = Parity::of(self).decided(beta) {
            return Expansion::Decided(margin);
        }
        let mut wins = false;
        let mut open = [(0, 0); COLUMNS as usize];
        let mut count = 0;
        for column in CENTRE_FIRST {
            let cell = moves & column_cells(column);
            if cell == 0 {
                continue;
            }
            let threats = winning_cells(self.own | cell) & CELLS & !(self.stones | cell);
            wins |= self.wins_next(cell, threats);
            // A stone straight under an own winning cell gives that cell away.
            let wasted = i32::from(self.own_wins & cell << 1 != 0);
            open[count] = (cell, threats.count_ones() as i32 - 2 * wasted);
            count += 1;
        }
        if wins {
            return Expansion::Decided(high);
        }
        let high = (high - 2).max(low);
        if high < beta {
            return Expansion::Decided(high);
        }
        for &(cell, rank) in &open[..count] {
            child(cell, rank);
        }
        Expansion::Open { low, high }
    }

    /// The landing cells after which the opponent can't win at once.
    #[inline]
    fn moves_that_do_not_lose(&self) -> u64 {
        let landing = landing_cells(self.stones);
        let forced = self.other_wins & landing;
        let moves = if forced == 0 {
            landing
        } else if forced.is_power_of_two() {
            forced
        } else {
            0
        };
        moves & !(self.other_wins >> 1)
    }

    /// Whether the stone on `cell`, which leaves these winning cells, wins with the next one whatever
    /// the reply.
    #[inline]
    fn wins_next(&self, cell: u64, threats: u64) -> bool {
        let landing = landing_cells(self.stones | cell);
        let now = threats & landing;
        if now == 0 {
            // Every reply opens a winning cell above itself.
            landing & !(threats >> 1) == 0
        } else {
            now & (now - 1) != 0 || threats & now << 1 != 0
        }
    }
}

/// What a side gets by answering every stone in the same column, straight above it.
///
/// The first player is the one to move while the number of stones is even. A column is odd while it
/// holds an odd number of stones. Whoever follows gets the even rows of the columns that are even;
/// of the odd ones nothing is certain.
struct Parity {
    /// The stones of the first and of the second player.
    first: u64,
    second: u64,
    /// The winning cells of the first player.
    first_wins: u64,
    first_is_to_move: bool,
    /// The landing cells of the odd columns.
    odd_landing: u64,
    /// The empty cells of the odd columns and of the even ones.
    odd_open: u64,
    even_open: u64,
}

impl Parity {
    #[inline]
    fn of(look: &Look) -> Self {
        let first_is_to_move = look.plies % 2 == 0;
        let (first, second, first_wins) = if first_is_to_move {
            (look.own, look.other, look.own_wins)
        } else {
            (look.other, look.own, look.other_wins)
        };
        let odd_landing = landing_cells(look.stones) & EVEN_ROWS;
        let odd_open = upward(odd_landing);
        let even_open = CELLS & !look.stones & !odd_open;
        Self { first, second, first_wins, first_is_to_move, odd_landing, odd_open, even_open }
    }

    /// A bound that tells whether the margin of the side to move is `beta` or more, if one is known.
    #[inline]
    fn decided(&self, beta: Margin) -> Option<Margin> {
        if self.first_is_to_move {
            let least =
                if beta > -5 { self.second_follows(self.second, self.odd_open) } else { None };
            least.map(|margin| -margin).filter(|&high| high < beta).or_else(|| {
                let low = if beta <= 4 { self.zugzwang_after_a_move() } else { None };
                low.filter(|&low| low >= beta)
            })
        } else {
            let low = if beta <= 5 { self.second_follows_after_a_move(beta) } else { None };
            low.or_else(|| {
                let least =
                    if beta > -4 { self.zugzwang(self.odd_open, self.even_open) } else { None };
                least.map(|margin| -margin).filter(|&high| high < beta)
            })
        }
    }

    /// With the first player to move, the margin that the second one has for certain by following:
    /// above every stone in an even column, and in another odd column when one becomes even.
    #[inline]
    fn second_follows(&self, second: u64, odd_open: u64) -> Option<Margin> {
        let even_open = (self.odd_open | self.even_open) & !odd_open & !second;
        if holds_four(self.first | odd_open | even_open & ODD_ROWS) {
            return None;
        }
        // With cells of the lower rows alone, the columns above them are still empty at the end.
        let followed = even_open & EVEN_ROWS;
        let wins_below = |row: u32| holds_four(second | followed & rows_up_to(row));
        Some(if !wins_below(6) {
            0
        } else if !wins_below(4) {
            1
        } else if !wins_below(2) {
            3
        } else {
            5
        })
    }

    /// As [`second_follows`](Self::second_follows) with the second player to move, which makes one of
    /// the odd columns even first.
    #[inline]
    fn second_follows_after_a_move(&self, beta: Margin) -> Option<Margin> {
        let mut rest = self.odd_landing;
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest ^= cell;
            let margin = self.second_follows(self.second | cell, self.odd_open & !upward(cell));
            if margin >= Some(beta) {
                return margin;
            }
        }
        None
    }

    /// With the second player to move, the margin that the first one has for certain by zugzwang: it
    /// has a winning cell in an odd row of an odd column, follows everywhere, and in the end the
    /// second player must fill the cell below.
    #[inline]
    fn zugzwang(&self, odd_open: u64, even_open: u64) -> Option<Margin> {
        let mut rest = self.first_wins & odd_open & ODD_ROWS;
        let mut best = None;
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest ^= cell;
            let above = upward(cell);
            let column = column_around(cell);
            let below = column & odd_open & !above & EVEN_ROWS;
            if !holds_four(self.second | even_open & ODD_ROWS | odd_open & !column | below) {
                best = best.max(Some(above.count_ones() as Margin));
            }
        }
        best
    }

    /// As [`zugzwang`](Self::zugzwang) with the first player to move, which makes another odd column
    /// even first.
    #[inline]
    fn zugzwang_after_a_move(&self) -> Option<Margin> {
        if self.first_wins & self.odd_open & ODD_ROWS == 0 {
            return None;
        }
        let mut rest = self.odd_landing;
        let mut best = None;
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest ^= cell;
            let column = upward(cell);
            best =
                best.max(self.zugzwang(self.odd_open & !column, self.even_open | column & !cell));
        }
        best
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
fn landing_cells(stones: u64) -> u64 {
    (stones + BOTTOM) & CELLS
}

/// All cells above these.
pub(super) fn above(cells: u64) -> u64 {
    (1..ROWS).fold(cells << 1 & CELLS, |above, _| above | above << 1 & CELLS)
}

/// These cells, at most one a column, and all above them.
#[inline]
fn upward(cells: u64) -> u64 {
    let above_top = (1..=ROWS).fold(0, |bits, rows| bits | cells << rows) & ABOVE_TOP;
    above_top.wrapping_sub(cells)
}

/// The cells of the rows up to this one.
const fn rows_up_to(row: u32) -> u64 {
    BOTTOM * ((1 << row) - 1)
}
