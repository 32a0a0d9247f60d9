//! The board: two sets of discs.

use std::mem::take;

use super::super::bits::{Bits, mixed, owner};
use super::Othello;
use crate::game::{Move, Outcome, Position, Properties, Side, Symmetry};

/// A move: a disc on a square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disc(pub(super) u8);

impl Disc {
    /// The pass.
    pub(super) const PASS: Self = Self(64);
}

impl Move for Disc {
    const INDICES: u16 = 65;

    fn move_index(self) -> u16 {
        u16::from(self.0)
    }
}

/// The squares in a set, in ascending order, or a pass.
#[derive(Clone, Debug)]
pub struct Discs {
    squares: Bits,
    passes: bool,
}

impl Iterator for Discs {
    type Item = Disc;

    #[inline]
    fn next(&mut self) -> Option<Disc> {
        self.squares.next().map(Disc).or_else(|| take(&mut self.passes).then_some(Disc::PASS))
    }
}

/// The sets of squares of a board by its size. A smaller board is the top left part of eight by eight squares.
pub(super) struct Geometry {
    /// The squares of a row, and the rows.
    pub(super) width: u8,
    /// All squares.
    pub(super) squares: u64,
    /// The squares in the middle, which are never empty.
    pub(super) middle: u64,
    /// The corners, whose discs are never turned over.
    pub(super) corners: u64,
}

impl Geometry {
    const fn new(width: u8) -> Self {
        let row = (1 << width) - 1;
        let (mut squares, mut at) = (0, 0);
        while at < width {
            squares |= row << (8 * at);
            at += 1;
        }
        let ends = 1 | 1 << (width - 1);
        let middle = 0x0303 << (9 * (width / 2 - 1));
        Self { width, squares, middle, corners: ends | ends << (8 * (width - 1)) }
    }

    /// The number of squares.
    pub(super) fn count(&self) -> u32 {
        u32::from(self.width) * u32::from(self.width)
    }
}

/// The geometry of each variant.
static GEOMETRIES: [Geometry; 3] = [Geometry::new(8), Geometry::new(6), Geometry::new(4)];

impl Othello {
    #[inline]
    pub(super) fn geometry(self) -> &'static Geometry {
        &GEOMETRIES[self as usize]
    }
}

/// The discs of both sides, the side to move, and the squares where it may place a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OthelloBoard {
    /// The discs of the side to move and of its opponent.
    pub(super) own: u64,
    pub(super) other: u64,
    /// The squares where the side to move may place a disc.
    pub(super) mobility: u64,
    pub(super) side: Side,
    pub(super) variant: Othello,
}

impl OthelloBoard {
    /// The board with the discs of the side to move and of its opponent.
    #[expect(
        clippy::inline_always,
        reason = "where the key alone is asked for, no mobility is worked out"
    )]
    #[inline(always)]
    pub(super) fn new(variant: Othello, own: u64, other: u64, side: Side) -> Self {
        let mobility = mobility(own, other) & variant.geometry().squares;
        Self { own, other, mobility, side, variant }
    }

    pub(super) fn geometry(&self) -> &'static Geometry {
        self.variant.geometry()
    }

    pub(super) fn empty(&self) -> u64 {
        self.geometry().squares & !(self.own | self.other)
    }

    /// The squares where the opponent could place a disc if it were to move.
    pub(super) fn replies(&self) -> u64 {
        mobility(self.other, self.own) & self.geometry().squares
    }

    /// Whose disc lies on a square.
    pub(super) fn disc(&self, square: u8) -> Option<Side> {
        owner(self.side, self.own, self.other, square)
    }

    /// Whether the side to move has to pass, in an unfinished position.
    pub(super) fn must_pass(&self) -> bool {
        self.mobility == 0
    }

    /// The discs of the side to move less those of its opponent. The empty squares count for the side with more discs.
    pub(super) fn final_difference(&self) -> i32 {
        final_difference(self.own, self.other, self.geometry().count())
    }
}

impl Position for OthelloBoard {
    type Move = Disc;
    type Moves = Discs;

    /// Symmetric positions are rare after the first moves.
    const PROPERTIES: Properties = Properties {
        passes: true,
        margin_step: 2,
        plays_cheaply: true,
        folds_in_search: false,
        ..Properties::DEFAULT
    };

    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.mobility != 0 || self.replies() != 0 {
            return None;
        }
        Some(match self.final_difference() {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        })
    }

    fn margin(&self) -> u32 {
        self.final_difference().unsigned_abs()
    }

    #[inline]
    fn legal_moves(&self) -> Discs {
        Discs { squares: Bits(self.mobility), passes: self.mobility == 0 }
    }

    #[expect(
        clippy::inline_always,
        reason = "where the key alone is asked for, no mobility is worked out"
    )]
    #[inline(always)]
    fn play(&self, Disc(square): Disc) -> Self {
        if square >= 64 {
            return Self::new(self.variant, self.other, self.own, self.side.other());
        }
        let turned = flips(self.own, self.other, square);
        let own = self.own | turned | 1 << square;
        Self::new(self.variant, self.other & !turned, own, self.side.other())
    }

    #[inline]
    fn key(&self) -> u64 {
        key_of(self.own, self.other, self.side)
    }

    /// The number of a symmetry holds the width too, since a square alone does not tell it.
    fn canonical(&self) -> (u64, Symmetry) {
        let first = self.geometry().width * 8;
        let turned = (first..first + 8).map(Symmetry).map(|symmetry| {
            let [own, other] = [self.own, self.other].map(|discs| turned(discs, symmetry));
            (key_of(own, other, self.side), symmetry)
        });
        turned
            .fold((self.key(), Symmetry(0)), |best, next| if next.0 < best.0 { next } else { best })
    }

    fn transformed(disc: Disc, symmetry: Symmetry) -> Disc {
        // No square stands for a pass.
        Disc(turned(1u64.checked_shl(disc.0.into()).unwrap_or(0), symmetry).trailing_zeros() as u8)
    }

    /// Every square may cost two plies, a pass and a disc.
    fn plies_left(&self) -> Option<u32> {
        Some(2 * self.empty().count_ones())
    }

    /// The discs placed; passes leave no trace.
    fn plies_played(&self) -> Option<u32> {
        Some((self.own | self.other).count_ones().saturating_sub(4))
    }
}

/// Odd numbers without a pattern: digits of the golden ratio and of square roots.
const KEYS: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B];

#[inline]
fn key_of(own: u64, other: u64, side: Side) -> u64 {
    let side = if side == Side::First { 0 } else { KEYS[2] };
    mixed(own.wrapping_mul(KEYS[0]) ^ mixed(other.wrapping_mul(KEYS[1]) ^ side))
}

/// Squares under a symmetry, whose number is eight times the width of the board and three bits: rows and columns
/// change places, then the rows are turned, then the columns.
fn turned(squares: u64, Symmetry(symmetry): Symmetry) -> u64 {
    let beyond = 8u8.saturating_sub(symmetry / 8) % 8;
    let mut turned = squares;
    if symmetry & 1 != 0 {
        turned = transposed(turned);
    }
    if symmetry & 2 != 0 {
        turned = turned.swap_bytes() >> (8 * beyond);
    }
    if symmetry & 4 != 0 {
        turned = turned.reverse_bits().swap_bytes() >> beyond;
    }
    turned
}

/// The squares mirrored at the diagonal from a1 to h8.
fn transposed(squares: u64) -> u64 {
    // Blocks of one, two and four squares change places (Warren, *Hacker's Delight*, section 7-3).
    const BLOCKS: [(u32, u64); 3] =
        [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)];
    BLOCKS.into_iter().fold(squares, |squares, (shift, block)| {
        let changed = (squares ^ squares >> shift) & block;
        squares ^ changed ^ changed << shift
    })
}

/// The number of discs in the first set less that in the second. The empty ones of all `squares` count for the larger set.
#[inline]
pub(super) fn final_difference(own: u64, other: u64, squares: u32) -> i32 {
    let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
    let empty = squares as i32 - own - other;
    own - other + (own - other).signum() * empty
}

/// How many squares there are in a set.
#[inline]
pub(super) fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

/// All squares but those of the files a and h, where a line along a row or a diagonal ends.
const INNER: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// The squares where the side with the first set of discs may place a disc: empty squares from which a line of the other
/// side's discs leads to an own disc. On a smaller board squares beyond the board are among them.
#[inline]
pub(super) fn mobility(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    let reach =
        along(own, inner, 1) | along(own, other, 8) | along(own, inner, 7) | along(own, inner, 9);
    reach & !(own | other)
}

/// The squares behind lines of `through` that begin beside `from`, in both directions of this shift. A parallel prefix
/// needs three steps for lines of up to six.
#[inline]
const fn along(from: u64, through: u64, shift: u32) -> u64 {
    let mut up = through & (from << shift);
    let mut down = through & (from >> shift);
    up |= through & (up << shift);
    down |= through & (down >> shift);
    let (through_up, through_down) = (through & (through << shift), through & (through >> shift));
    up |= through_up & (up << (2 * shift));
    down |= through_down & (down >> (2 * shift));
    up |= through_up & (up << (2 * shift));
    down |= through_down & (down >> (2 * shift));
    up << shift | down >> shift
}

/// The discs of `other` that a disc of the side with `own` turns over from `square`.
#[inline]
pub(super) fn flips(own: u64, other: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square)];
    let mut turned = 0;
    for &ray in &rays[..4] {
        // Adding one below the ray carries through discs of the other side up to what ends their line.
        let end = (other | !ray).wrapping_add(1) & own & ray;
        turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for &ray in &rays[4..] {
        // The highest square of the ray that holds no disc of the other side ends their line.
        let end = (1 << (ray & !other | 1).ilog2()) & own & ray;
        turned |= end.wrapping_shl(1).wrapping_neg() & ray;
    }
    turned
}

/// The squares from each square in the eight directions: first the directions of ascending numbers, then of descending ones.
static RAYS: [[u64; 8]; 64] = {
    const STEPS: [(i32, i32); 8] =
        [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (down, right) = STEPS[direction];
            let (mut row, mut column) = (square as i32 / 8 + down, square as i32 % 8 + right);
            while row >= 0 && row < 8 && column >= 0 && column < 8 {
                rays[square][direction] |= 1 << (row * 8 + column);
                (row, column) = (row + down, column + right);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// The squares that touch a set of squares.
pub(super) const fn around(squares: u64) -> u64 {
    const NOT_LEFT: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_RIGHT: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let wide = squares | (squares & NOT_RIGHT) << 1 | (squares & NOT_LEFT) >> 1;
    (wide | wide << 8 | wide >> 8) & !squares
}

/// The squares of a set that are connected with `some` of its squares, by neighbours in all eight directions.
pub(super) fn connected(squares: u64, mut some: u64) -> u64 {
    loop {
        let more = (some | around(some)) & squares;
        if more == some {
            return some;
        }
        some = more;
    }
}
