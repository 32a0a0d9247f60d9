//! Sets of squares, a bit each, and the keys of positions that are such sets.

use crate::game::Side;
use crate::game::proof_table::SPREAD;

/// The places of the bits of a set, in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Bits(pub(super) u64);

impl Iterator for Bits {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit as u8)
    }
}

/// The side whose piece is at a place. `side` has the pieces `own`, its opponent the pieces `other`.
pub(super) fn owner(side: Side, own: u64, other: u64, place: u8) -> Option<Side> {
    match (own >> place & 1, other >> place & 1) {
        (1, _) => Some(side),
        (_, 1) => Some(side.other()),
        _ => None,
    }
}

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
