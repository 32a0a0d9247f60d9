//! The keys of positions that are sets of squares.

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
