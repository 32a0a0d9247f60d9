//! The numbers of the positions with few pieces.
//!
//! A [`CheckersSlice`] has the positions with the same number of men and kings, each with a number.

/// A set of squares, square 1 in bit 0, as the side to move sees them: its men go up.
pub type Squares = u32;

/// The squares of men, which never stand on their king row: of the men of the side to move, and of the men of the opponent.
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

/// How many pieces of a kind a side has: none to all.
const COUNTS: usize = MOST_PIECES + 1;

/// Where the pieces stand: those of the side to move first, then its opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckersPlacement {
    /// The squares of the men.
    pub men: [Squares; 2],
    /// The squares of the kings.
    pub kings: [Squares; 2],
}

impl CheckersPlacement {
    fn slice(&self) -> CheckersSlice {
        let [men, kings] =
            [self.men, self.kings].map(|pieces| pieces.map(|squares| squares.count_ones() as u8));
        CheckersSlice { men, kings }
    }
}

/// The positions with the same number of men and kings: those of the side to move first, then its
/// opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckersSlice {
    men: [u8; 2],
    kings: [u8; 2],
}

impl crate::Slice for CheckersSlice {
    type Placement = CheckersPlacement;

    /// The slices in which neither side is without a piece; both views of the same pieces together.
    fn of_pieces(pieces: u8) -> Vec<Self> {
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

    fn reversed(self) -> Self {
        let Self { men: [own_men, other_men], kings: [own_kings, other_kings] } = self;
        Self { men: [other_men, own_men], kings: [other_kings, own_kings] }
    }

    fn index(self) -> usize {
        let counts = self.men.into_iter().chain(self.kings).map(usize::from);
        counts.fold(0, |index, count| index * COUNTS + count.min(MOST_PIECES))
    }

    /// A few numbers stand for two men on one square.
    fn positions(self) -> usize {
        let men = self.men.map(usize::from);
        let kings = self.kings.map(usize::from);
        let free = 32 - men[0] - men[1];
        CHOICES[MEN_SQUARES][men[0]]
            * CHOICES[MEN_SQUARES][men[1]]
            * CHOICES[free][kings[0]]
            * CHOICES[free - kings[0]][kings[1]]
    }

    fn placement(self, number: usize) -> Option<CheckersPlacement> {
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
        Some(CheckersPlacement { men, kings: [own_kings, other_kings] })
    }

    fn place(placement: &CheckersPlacement) -> (Self, usize) {
        let (slice, CheckersPlacement { men: squares, kings }) = (placement.slice(), placement);
        let occupied = squares[0] | squares[1];
        let free = 32 - usize::from(slice.men[0] + slice.men[1]);
        let own_kings = usize::from(slice.kings[0]);
        let mut number = rank(squares[0]) * CHOICES[MEN_SQUARES][usize::from(slice.men[1])];
        number += rank(squares[1] >> ROW);
        number *= CHOICES[free][own_kings];
        number += rank(without(kings[0], occupied));
        number *= CHOICES[free - own_kings][usize::from(slice.kings[1])];
        (slice, number + rank(without(kings[1], occupied | kings[0])))
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

/// The set of `size` squares with a rank.
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

/// The squares counted among the squares that are not occupied.
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
