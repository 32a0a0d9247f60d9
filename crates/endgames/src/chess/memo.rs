//! The exact values that were asked for last.

use std::sync::atomic::{AtomicU64, Ordering};

use super::placement::ChessPlacement;
use super::slice::ChessSlice;
use crate::{Plies, Slice};

/// The entries, of eight bytes each.
const ENTRIES: usize = 1 << 17;

/// Values by position. Each entry has the position above the value, so that threads may read and write at any time.
#[derive(Debug)]
pub(super) struct Memo(Vec<AtomicU64>);

impl Default for Memo {
    fn default() -> Self {
        Self(std::iter::repeat_with(AtomicU64::default).take(ENTRIES).collect())
    }
}

impl Memo {
    /// The kept value of a position, or else the value that `find` finds, which is kept.
    pub(super) fn value(
        &self,
        placement: &ChessPlacement,
        find: impl FnOnce() -> Option<Plies>,
    ) -> Option<Plies> {
        const NUMBERS: u32 = 24;
        const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
        let (slice, number) = ChessSlice::place(placement);
        // Not zero, which an empty entry has.
        let position = (slice.index() as u64 + 1) << NUMBERS | number as u64;
        let place = position.wrapping_mul(MULTIPLIER) >> (u64::BITS - ENTRIES.ilog2());
        let entry = &self.0[place as usize];
        let kept = entry.load(Ordering::Relaxed);
        if kept >> Plies::BITS == position {
            return Some(kept as Plies);
        }
        let value = find()?;
        entry.store(position << Plies::BITS | u64::from(value), Ordering::Relaxed);
        Some(value)
    }
}
