//! Bounds that were asked for last.

use std::sync::atomic::{AtomicU64, Ordering};

use super::placement::ChessPlacement;
use super::probe::Bounds;
use super::slice::ChessSlice;
use crate::Slice;

/// The entries, of eight bytes each.
const ENTRIES: usize = 1 << 18;

/// The bits of the bounds in an entry.
const BOUNDS: u32 = 16;

/// Bounds by position. Each entry has the position above the bounds, so that threads may read and write at any time.
#[derive(Debug)]
pub(super) struct Memo(Vec<AtomicU64>);

impl Default for Memo {
    fn default() -> Self {
        Self(std::iter::repeat_with(AtomicU64::default).take(ENTRIES).collect())
    }
}

impl Memo {
    /// The kept bounds of a position.
    pub(super) fn get(&self, placement: &ChessPlacement) -> Option<Bounds> {
        let (position, entry) = self.entry(placement);
        let kept = entry.load(Ordering::Relaxed);
        let [worst, best, ..] = kept.to_le_bytes();
        (kept >> BOUNDS == position).then_some([worst, best])
    }

    /// Keeps the bounds of a position.
    pub(super) fn keep(&self, placement: &ChessPlacement, [worst, best]: Bounds) {
        let (position, entry) = self.entry(placement);
        let bounds = u16::from_le_bytes([worst, best]);
        entry.store(position << BOUNDS | u64::from(bounds), Ordering::Relaxed);
    }

    /// The number of a position, which is not 0 as in an empty entry, and its entry.
    fn entry(&self, placement: &ChessPlacement) -> (u64, &AtomicU64) {
        const NUMBERS: u32 = 24;
        const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
        let (slice, number) = ChessSlice::place(placement);
        let position = (slice.index() as u64 + 1) << NUMBERS | number as u64;
        let place = position.wrapping_mul(MULTIPLIER) >> (u64::BITS - ENTRIES.ilog2());
        (position, &self.0[place as usize])
    }
}
