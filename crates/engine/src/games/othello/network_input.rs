//! The input of the network of Othello: for each side the squares, and the patterns of squares at the edges.
//!
//! Each square has at most one feature: an own disc, an opponent's disc, or an empty square where both sides, this side
//! alone, or the other side alone may place a disc. The pattern has one feature for each of its states (Buro, *Improving
//! Heuristic Mini-Max Search by Supervised Learning*, 2002), whichever its place.

use super::board::OthelloBoard;
use crate::game::{Position, Side};
use crate::network::{Input, NetworkSize};

/// Words of a view.
pub(super) const WORDS: usize = 5;

/// The places of the pattern, one for each symmetry of the board: at each corner along both edges.
pub(super) const PLACES: usize = 8;

/// The squares of the pattern: a1 to e1, and b2.
const SQUARES: usize = 6;

/// The states of the pattern: a square is empty, or has a disc of either side.
const STATES: usize = 3_usize.pow(SQUARES as u32);

/// The number of the feature of the first state.
const FIRST_STATE: u16 = 64 * WORDS as u16;

/// The dimensions of the network.
pub(super) const SIZE: NetworkSize =
    NetworkSize { features: FIRST_STATE as usize + STATES, present: 64 + PLACES, buckets: 8 };

/// The input of the network for a position.
#[inline]
pub(super) fn input(board: &OthelloBoard) -> Input<WORDS, PLACES> {
    let replies = board.replies();
    let mut views = [
        view(board.own, board.other, board.mobility, replies),
        view(board.other, board.own, replies, board.mobility),
    ];
    let mut patterns = patterns(board);
    let discs = (board.own | board.other).count_ones() as usize;
    let mover = usize::from(board.side_to_move() == Side::Second);
    views.rotate_left(mover);
    patterns.rotate_left(mover);
    Input { views, turns: [0; 2], patterns, mover, bucket: (discs - 1) / 8 }
}

/// The features of the view of a side: discs, and squares where either side may play.
#[inline]
fn view(own: u64, other: u64, moves: u64, replies: u64) -> [u64; WORDS] {
    [own, other, moves & replies, moves & !replies, replies & !moves]
}

/// The states of the pattern at all places, in the view of the side to move and in that of the other side.
#[inline]
fn patterns(board: &OthelloBoard) -> [[u16; PLACES]; 2] {
    let [own, other] = [board.own, board.other].map(|discs| edges(discs).map(|it| ENDS[it]));
    let states = |own: [[u16; 2]; 4], other: [[u16; 2]; 4]| {
        std::array::from_fn(|place| {
            FIRST_STATE + own[place / 2][place % 2] + 2 * other[place / 2][place % 2]
        })
    };
    [states(own, other), states(other, own)]
}

/// The squares of an edge, and the two squares diagonally before its corners.
const EDGE_BITS: usize = 10;

/// The discs of the four edges: eight bits from a corner to the next one, and a bit for the square before either corner.
#[inline]
fn edges(discs: u64) -> [usize; 4] {
    /// A product by this has the bits of column a in its last byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    let column = |shift: u32| (discs >> shift & COLUMN).wrapping_mul(GATHER) >> 56;
    let [b2, g2, b7, g7] = [9, 14, 49, 54].map(|square| discs >> square & 1);
    let edge = |squares: u64, first: u64, last: u64| (squares | first << 8 | last << 9) as usize;
    [
        edge(discs & 0xFF, b2, g2),
        edge(discs >> 56, b7, g7),
        edge(column(0), b2, b7),
        edge(column(7), g2, g7),
    ]
}

/// For each edge with discs of one side: the pattern at its first corner and at its last one, with a disc as the digit 1 of a
/// ternary number.
static ENDS: [[u16; 2]; 1 << EDGE_BITS] = {
    let mut ends = [[0; 2]; 1 << EDGE_BITS];
    let mut edge = 0;
    while edge < ends.len() {
        ends[edge] = [ternary(edge, [0, 1, 2, 3, 4, 8]), ternary(edge, [7, 6, 5, 4, 3, 9])];
        edge += 1;
    }
    ends
};

/// The bits with these numbers as digits of a ternary number.
const fn ternary(bits: usize, numbers: [usize; SQUARES]) -> u16 {
    let (mut digits, mut at) = (0, SQUARES);
    while at > 0 {
        at -= 1;
        digits = 3 * digits + (bits >> numbers[at] & 1) as u16;
    }
    digits
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::games::othello::Othello;

    /// The pattern at a corner and along an edge, by its places, in ternary digits.
    fn plain(own: u64, other: u64, square: impl Fn(u32, u32) -> u32) -> u16 {
        let squares = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (1, 1)];
        let digits = squares.map(|(along, inward)| {
            let square = square(along, inward);
            (own >> square & 1) as u16 + 2 * (other >> square & 1) as u16
        });
        FIRST_STATE + digits.iter().rev().fold(0, |number, digit| 3 * number + digit)
    }

    #[test]
    fn each_view_has_the_pattern_at_both_ends_of_all_edges() {
        let mut random = Rng::with_seed(1);
        for _ in 0..1000 {
            let (own, taken) = (random.u64(..) & random.u64(..), random.u64(..));
            let other = taken & !own;
            let board = OthelloBoard::new(Othello::Standard, own, other, Side::First);
            for (states, [own, other]) in patterns(&board).iter().zip([[own, other], [other, own]])
            {
                let expected = [
                    plain(own, other, |along, inward| 8 * inward + along),
                    plain(own, other, |along, inward| 8 * inward + 7 - along),
                    plain(own, other, |along, inward| 8 * (7 - inward) + along),
                    plain(own, other, |along, inward| 8 * (7 - inward) + 7 - along),
                    plain(own, other, |along, inward| 8 * along + inward),
                    plain(own, other, |along, inward| 8 * (7 - along) + inward),
                    plain(own, other, |along, inward| 8 * along + 7 - inward),
                    plain(own, other, |along, inward| 8 * (7 - along) + 7 - inward),
                ];
                assert_eq!(states, &expected);
            }
        }
    }
}
