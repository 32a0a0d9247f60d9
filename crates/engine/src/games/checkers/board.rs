//! The board of checkers on bitboards.
//!
//! Players number the dark squares 1 to 32 from Black's side. Here two rows take nine bits, eight
//! squares and a gap (Samuel, *Some Studies in Machine Learning Using the Game of Checkers*, 1959),
//! so that a step is the same shift wherever it begins, and a step off the board ends in a gap or
//! beyond the last square:
//!
//! ```text
//!      0   1   2   3        squares  1 to  4
//!    4   5   6   7   (8)             5 to  8
//!      9  10  11  12                 9 to 12
//!   13  14  15  16  (17)            13 to 16
//!     18  19  20  21                17 to 20
//!   22  23  24  25  (26)            21 to 24
//!     27  28  29  30                25 to 28
//!   31  32  33  34                  29 to 32
//! ```

use super::super::bits::Bits;
use crate::game::Side;

pub(super) const SQUARES: u64 = 0xff | 0xff << 9 | 0xff << 18 | 0xff << 27;

/// The rows on which the men of Black and those of White are crowned.
pub(super) const KING_ROWS: [u64; 2] = [0xf << 31, 0xf];

/// The four directions by their numbers, so that the squares next to one square ascend. Black's men
/// take the last two, White's the first two.
pub(super) const DIRECTIONS: [usize; 4] = [0, 1, 2, 3];

/// The bits to rotate to the left for one step: 4 or 5, backwards or forwards.
const ROTATIONS: [u32; 4] = [64 - 5, 64 - 4, 4, 5];

/// One step in `direction`, for all `squares` at once. Squares off the board lie outside [`SQUARES`].
#[inline]
pub(super) const fn step(squares: u64, direction: usize) -> u64 {
    squares.rotate_left(ROTATIONS[direction])
}

#[inline]
const fn step_back(squares: u64, direction: usize) -> u64 {
    squares.rotate_right(ROTATIONS[direction])
}

/// Whether the men of `side` go in `direction`.
#[inline]
pub(super) const fn is_forward(side: Side, direction: usize) -> bool {
    matches!(side, Side::First) == (direction >= 2)
}

/// The squares as `side` sees them, from its own end of the board. It is its own inverse.
#[inline]
pub(super) const fn seen_from(side: Side, squares: u64) -> u64 {
    match side {
        Side::First => squares,
        Side::Second => squares.reverse_bits() >> (64 - 35),
    }
}

/// The bit of a square by its number, 1 to 32.
pub(super) const fn bit_of(square: u8) -> u8 {
    let index = square - 1;
    index + index / 8
}

pub(super) const fn square_at(bit: u8) -> u8 {
    bit - bit / 9 + 1
}

/// The pieces, the side to move, and the plies since the last irreversible move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckersBoard {
    /// The pieces of the side to move.
    pub(super) own: u64,
    /// The pieces of its opponent.
    pub(super) other: u64,
    /// The kings of both sides.
    pub(super) kings: u64,
    pub(super) side: Side,
    /// The plies since the last capture or man's move.
    pub(super) quiet: u8,
}

impl CheckersBoard {
    /// A board with pieces, Black's first, that are known to be possible.
    pub(super) const fn new([black, white]: [u64; 2], kings: u64, side: Side) -> Self {
        let (own, other) = match side {
            Side::First => (black, white),
            Side::Second => (white, black),
        };
        Self { own, other, kings, side, quiet: 0 }
    }

    pub(super) fn pieces(&self, side: Side) -> u64 {
        if side == self.side { self.own } else { self.other }
    }

    /// The same pieces with the other side to move.
    pub(super) fn passed(&self) -> Self {
        Self { own: self.other, other: self.own, side: self.side.other(), ..*self }
    }

    /// The squares without a piece.
    #[inline]
    pub(super) fn empty(&self) -> u64 {
        SQUARES & !(self.own | self.other)
    }

    /// The own pieces that go in `direction`.
    #[inline]
    fn going(&self, direction: usize) -> u64 {
        if is_forward(self.side, direction) { self.own } else { self.own & self.kings }
    }

    /// The own pieces that can take a step.
    #[inline]
    pub(super) fn steppers(&self) -> u64 {
        let empty = self.empty();
        DIRECTIONS.iter().fold(0, |steppers, &direction| {
            steppers | step_back(empty, direction) & self.going(direction)
        })
    }

    /// The boards from which a step that crowns no man leads to this one, for retrograde analysis.
    pub fn each_before_step(&self, mut each: impl FnMut(Self)) {
        let mover = self.side.other();
        let empty = self.empty();
        for direction in DIRECTIONS {
            let movers =
                self.other & if is_forward(mover, direction) { SQUARES } else { self.kings };
            for bit in Bits(step(step_back(movers, direction) & empty, direction)) {
                let target = 1 << bit;
                let origin = step_back(target, direction);
                let is_king = self.kings & target != 0;
                let earlier = Self {
                    own: self.other & !target | origin,
                    other: self.own,
                    kings: self.kings & !target | if is_king { origin } else { 0 },
                    side: mover,
                    quiet: 0,
                };
                if earlier.jumpers() == 0 {
                    each(earlier);
                }
            }
        }
    }

    /// The own pieces that can capture, and so must.
    #[inline]
    pub(super) fn jumpers(&self) -> u64 {
        let empty = self.empty();
        DIRECTIONS.iter().fold(0, |jumpers, &direction| {
            let uncovered = step_back(empty, direction) & self.other;
            jumpers | step_back(uncovered, direction) & self.going(direction)
        })
    }

    /// The board after a piece of the side to move has gone from one bit to another and taken the
    /// pieces on the squares `captured`.
    #[inline]
    pub(super) fn after(&self, from: u8, to: u8, captured: u64) -> Self {
        let (from, to) = (1 << from, 1 << to);
        let was_king = self.kings & from != 0;
        let is_king = was_king || to & KING_ROWS[self.side as usize] != 0;
        let reversible = was_king && captured == 0;
        Self {
            own: self.other & !captured,
            other: self.own & !from | to,
            kings: self.kings & !(from | captured) | if is_king { to } else { 0 },
            side: self.side.other(),
            quiet: if reversible { self.quiet.saturating_add(1) } else { 0 },
        }
    }
}

/// The number of a square, if `text` is one.
pub(super) fn square_named(text: &str) -> Option<u8> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let square = text.parse().ok().filter(|_| is_number);
    square.filter(|square| (1..=32).contains(square))
}
