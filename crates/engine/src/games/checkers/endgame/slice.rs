//! The numbers of the positions with few pieces.
//!
//! A [`Slice`] has the positions with the same number of men and kings, each with a number; a [`SliceLayout`] puts slices
//! one after the other.

use super::super::board::CheckersBoard;
use crate::game::{Position, Side};

/// A row of squares, square 1 in bit 0, as the side to move sees them: its men go up.
type Squares = u32;

/// Men don't stand on their king row, which leaves them these squares: the first ones to those of
/// the side to move, the last ones to the others.
const MEN_SQUARES: usize = 28;
const ROW: u32 = 4;

/// The most pieces that can be numbered.
pub const MOST_PIECES: usize = 6;

/// `CHOICES[n][k]`: in how many ways `k` of `n` squares can be chosen.
const CHOICES: [[usize; MOST_PIECES + 1]; 33] = {
    let mut choices = [[0; MOST_PIECES + 1]; 33];
    let mut n = 0;
    while n <= 32 {
        choices[n][0] = 1;
        let mut k = 1;
        while k <= MOST_PIECES && n > 0 {
            choices[n][k] = choices[n - 1][k - 1] + choices[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choices
};

/// Where the values of each slice begin in one long row of values.
#[derive(Debug, Default)]
pub struct SliceLayout {
    /// By the number of pieces of each kind.
    starts: [[[[Option<usize>; KIND]; KIND]; KIND]; KIND],
    values: usize,
}

/// A side has none to all but one of the pieces of a kind.
const KIND: usize = MOST_PIECES;

impl SliceLayout {
    /// All slices of up to so many pieces, those with fewer pieces first.
    #[must_use]
    pub fn up_to(pieces: u8) -> Self {
        let mut layout = Self::default();
        for slice in (2..=pieces).flat_map(Slice::of_pieces) {
            let Slice { men: [a, b], kings: [c, d] } = slice;
            let [a, b, c, d] = [a, b, c, d].map(usize::from);
            layout.starts[a][b][c][d] = Some(layout.values);
            layout.values += slice.positions();
        }
        layout
    }

    /// The number of all values.
    #[must_use]
    pub fn values(&self) -> usize {
        self.values
    }

    /// The place of the first value of a slice; none where it has no values.
    #[must_use]
    pub fn start(&self, slice: Slice) -> Option<usize> {
        let Slice { men: [a, b], kings: [c, d] } = slice;
        let [a, b, c, d] = [a, b, c, d].map(usize::from);
        *self.starts.get(a)?.get(b)?.get(c)?.get(d)?
    }

    /// The place of the value of a position; none where it has no value.
    #[must_use]
    pub fn place(&self, placement: &Placement) -> Option<usize> {
        Some(self.start(placement.slice())? + placement.number())
    }
}

/// Where the pieces stand: those of the side to move first, then its opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    men: [Squares; 2],
    kings: [Squares; 2],
}

impl From<&CheckersBoard> for Placement {
    fn from(board: &CheckersBoard) -> Self {
        let seen = |pieces: u64| match board.side_to_move() {
            Side::First => gathered(pieces),
            Side::Second => gathered(pieces).reverse_bits(),
        };
        let (own, other, kings) = (board.own(), board.other(), board.kings());
        Self {
            men: [seen(own & !kings), seen(other & !kings)],
            kings: [seen(own & kings), seen(other & kings)],
        }
    }
}

impl Placement {
    /// The board on which the first side is to move.
    #[must_use]
    pub fn board(&self) -> CheckersBoard {
        let pieces = [0, 1].map(|side| scattered(self.men[side] | self.kings[side]));
        CheckersBoard::new(pieces, scattered(self.kings[0] | self.kings[1]), Side::First)
    }

    /// How many pieces of each kind there are.
    #[must_use]
    pub fn slice(&self) -> Slice {
        let count = |pieces: [Squares; 2]| pieces.map(|squares| squares.count_ones() as u8);
        Slice { men: count(self.men), kings: count(self.kings) }
    }

    /// Its number in its slice.
    #[must_use]
    pub fn number(&self) -> usize {
        let Slice { men, kings } = self.slice();
        let occupied = self.men[0] | self.men[1];
        let free = 32 - usize::from(men[0] + men[1]);
        let mut number = rank(self.men[0]) * CHOICES[MEN_SQUARES][usize::from(men[1])];
        number += rank(self.men[1] >> ROW);
        number *= CHOICES[free][usize::from(kings[0])];
        number += rank(without(self.kings[0], occupied));
        number *= CHOICES[free - usize::from(kings[0])][usize::from(kings[1])];
        number + rank(without(self.kings[1], occupied | self.kings[0]))
    }
}

/// The positions with the same number of men and kings: those of the side to move first, then its
/// opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    men: [u8; 2],
    kings: [u8; 2],
}

impl Slice {
    /// The slices of so many pieces in which neither side is without one, in an order in which
    /// captures and promotions lead to earlier ones; both views of the same pieces together.
    #[must_use]
    pub fn of_pieces(pieces: u8) -> Vec<Self> {
        let mut slices = Vec::new();
        for men in 0..=pieces {
            for own in 1..pieces {
                let other = pieces - own;
                for own_men in men.saturating_sub(other)..=men.min(own) {
                    let other_men = men - own_men;
                    let kings = [own - own_men, other - other_men];
                    slices.push(Self { men: [own_men, other_men], kings });
                }
            }
        }
        slices
    }

    /// The same pieces with the opponent to move.
    #[must_use]
    pub fn reversed(self) -> Self {
        let Self { men: [own_men, other_men], kings: [own_kings, other_kings] } = self;
        Self { men: [other_men, own_men], kings: [other_kings, own_kings] }
    }

    /// How many numbers its positions have. A few stand for two men on one square.
    #[must_use]
    pub fn positions(self) -> usize {
        let men = self.men.map(usize::from);
        let kings = self.kings.map(usize::from);
        let free = 32 - men[0] - men[1];
        CHOICES[MEN_SQUARES][men[0]]
            * CHOICES[MEN_SQUARES][men[1]]
            * CHOICES[free][kings[0]]
            * CHOICES[free - kings[0]][kings[1]]
    }

    /// The position of that number; none where two men would stand on one square.
    #[must_use]
    pub fn placement(self, number: usize) -> Option<Placement> {
        let men = self.men.map(usize::from);
        let kings = self.kings.map(usize::from);
        let free = 32 - men[0] - men[1];
        let (number, last) = split(number, CHOICES[free - kings[0]][kings[1]]);
        let (number, third) = split(number, CHOICES[free][kings[0]]);
        let (first, second) = split(number, CHOICES[MEN_SQUARES][men[1]]);
        let men = [subset(first, men[0]), subset(second, men[1]) << ROW];
        if men[0] & men[1] != 0 {
            return None;
        }
        let occupied = men[0] | men[1];
        let own_kings = among_free(subset(third, kings[0]), occupied);
        let other_kings = among_free(subset(last, kings[1]), occupied | own_kings);
        Some(Placement { men, kings: [own_kings, other_kings] })
    }
}

fn split(number: usize, base: usize) -> (usize, usize) {
    (number / base, number % base)
}

/// The number of a set of squares among all sets of its size (the combinatorial number system:
/// Knuth, *The Art of Computer Programming*, section 7.2.1.3).
fn rank(mut squares: Squares) -> usize {
    let mut rank = 0;
    let mut place = 0;
    while squares != 0 {
        place += 1;
        rank += CHOICES[squares.trailing_zeros() as usize][place];
        squares &= squares - 1;
    }
    rank
}

/// The set of so many squares that has this rank.
fn subset(mut rank: usize, size: usize) -> Squares {
    let mut squares = 0;
    let mut square = 32;
    for place in (1..=size).rev() {
        square = (0..square).rev().find(|&square| CHOICES[square][place] <= rank).unwrap_or(0);
        rank -= CHOICES[square][place];
        squares |= 1 << square;
    }
    squares
}

/// The squares counted among those that are not occupied.
fn without(mut squares: Squares, occupied: Squares) -> Squares {
    let mut counted = 0;
    while squares != 0 {
        let square = squares & squares.wrapping_neg();
        counted |= square >> (occupied & (square - 1)).count_ones();
        squares ^= square;
    }
    counted
}

/// The inverse of [`without`].
fn among_free(counted: Squares, mut occupied: Squares) -> Squares {
    let mut squares = counted;
    while occupied != 0 {
        let below = (occupied & occupied.wrapping_neg()) - 1;
        squares = squares & below | (squares & !below) << 1;
        occupied &= occupied - 1;
    }
    squares
}

/// The 32 squares of a board without the gaps between its rows.
fn gathered(pieces: u64) -> Squares {
    let pair = |rows: u32| (pieces >> (9 * rows) & 0xff) << (8 * rows);
    (pair(0) | pair(1) | pair(2) | pair(3)) as Squares
}

/// The inverse of [`gathered`].
fn scattered(squares: Squares) -> u64 {
    let pair = |rows: u32| (u64::from(squares) >> (8 * rows) & 0xff) << (9 * rows);
    pair(0) | pair(1) | pair(2) | pair(3)
}
