//! Sets of squares that several games share: a square board of up to eight by eight squares as the top left part of
//! eight rows of eight bits.

use crate::game::Symmetry;
use crate::game::proof_table::SPREAD;

/// A key as 64 bits: the lower bits, over which an odd number spreads the upper ones.
#[inline]
pub(super) fn folded(key: u128) -> u64 {
    key as u64 ^ ((key >> 64) as u64).wrapping_mul(SPREAD)
}

/// A bijection in which every bit of the result depends on every bit of the key (Steele, Lea and Flood, *Fast Splittable
/// Pseudorandom Number Generators*, 2014).
pub(super) const fn mixed(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ key >> 31
}

/// The least of the symmetric images of two sets on a board of this width, and the symmetry that leads to the image.
///
/// The number of a symmetry holds the width too, since a square alone does not tell it.
pub(super) fn canonical(sets: [u64; 2], width: u8) -> ([u64; 2], Symmetry) {
    let mut best = (sets, Symmetry(0));
    for symmetry in (8 * width + 1..8 * width + 8).map(Symmetry) {
        let image = sets.map(|squares| turned(squares, symmetry));
        if image < best.0 {
            best = (image, symmetry);
        }
    }
    best
}

/// Squares under a symmetry, whose number is eight times the width of the board and three bits: the columns are
/// reversed, then the rows, then rows and columns change places.
pub(super) fn turned(squares: u64, Symmetry(symmetry): Symmetry) -> u64 {
    let beyond = 8u8.saturating_sub(symmetry / 8) % 8;
    let mut turned = squares;
    if symmetry & 1 != 0 {
        turned = turned.reverse_bits().swap_bytes() >> beyond;
    }
    if symmetry & 2 != 0 {
        turned = turned.swap_bytes() >> (8 * beyond);
    }
    if symmetry & 4 != 0 {
        turned = transposed(turned);
    }
    turned
}

/// The squares mirrored at the diagonal from the top left.
fn transposed(squares: u64) -> u64 {
    // Blocks of one, two and four squares change places (Warren, *Hacker's Delight*, section 7-3).
    const BLOCKS: [(u32, u64); 3] =
        [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)];
    BLOCKS.into_iter().fold(squares, |squares, (shift, block)| {
        let changed = (squares ^ squares >> shift) & block;
        squares ^ changed ^ changed << shift
    })
}
