//! The transposition table.

use crate::game::proof_table::{self, SPREAD};
use crate::game::{Move, Position, Score, Symmetry};

/// The relation of a stored value to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TtBound {
    /// The true value is at most the stored one.
    Upper,
    /// The true value is at least the stored one.
    Lower,
    /// The stored value is the true one.
    Exact,
}

/// An entry: the result of a search of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct TtEntry {
    /// The key of the position.
    pub key: u64,
    /// The value. Distances count from the position of the entry.
    pub score: Score,
    /// The static evaluation of the position, or [`NO_STATIC_EVAL`].
    pub static_eval: i16,
    /// The index of the best move found, or [`NO_MOVE`].
    pub move_index: u16,
    /// The plies that were searched below the position.
    pub depth: u8,
    /// The kind of the value.
    pub bound: TtBound,
}

/// The mark of an entry without a static evaluation.
pub(super) const NO_STATIC_EVAL: i16 = i16::MIN;

/// The mark of an entry without a best move. All move indices are below it.
pub(super) const NO_MOVE: u16 = u16::MAX;

/// The result of a probe.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    /// The key of the canonical position.
    pub key: u64,
    /// The symmetry that leads to the canonical position.
    pub symmetry: Symmetry,
    /// The stored entry, if any.
    pub entry: Option<TtEntry>,
}

impl Probe {
    /// The index of the stored best move, in the canonical position.
    #[inline]
    pub(super) fn best_move(self) -> Option<u16> {
        self.entry.map(|entry| entry.move_index).filter(|&move_index| move_index != NO_MOVE)
    }

    /// The index of a move in the canonical position.
    #[inline]
    pub(super) fn index<P: Position>(self, mv: P::Move) -> u16 {
        P::transformed(mv, self.symmetry).move_index()
    }
}

/// The key of the canonical position, which stands in tables for all symmetric ones, and the symmetry that leads to it.
#[inline]
pub(super) fn search_key<P: Position>(position: &P) -> (u64, Symmetry) {
    if P::PROPERTIES.folds_in_search {
        position.canonical()
    } else {
        (position.key(), Symmetry::default())
    }
}

/// The table of one search. It starts small, so that a short search touches little memory, and grows with the number of
/// stored entries, up to its limit. The request alone determines its size, and so every answer, unless the table is resumed.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    filled: usize,
    /// The greatest number of buckets.
    largest: usize,
    /// Whether entries of earlier searches are in it.
    is_resumed: bool,
}

/// The two slots of a key: depth-preferred and always-replace. Aligned, so that one cache line holds both.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Bucket {
    deep: Option<TtEntry>,
    recent: Option<TtEntry>,
}

const SLOTS: usize = 2;
const SMALLEST: usize = 1 << 9;
const GROWTH: usize = 8;

impl Table {
    /// An empty table of at most `largest` slots, a power of two.
    pub(super) fn new(largest: usize) -> Self {
        let largest = (largest / SLOTS).max(SMALLEST);
        Self { buckets: vec![Bucket::default(); SMALLEST], filled: 0, largest, is_resumed: false }
    }

    /// The same table for another search, with room for `largest` slots, a power of two.
    pub(super) fn resumed(self, largest: usize) -> Self {
        Self { largest: largest / SLOTS, is_resumed: true, ..self }
    }

    /// The bytes of a table of `slots`, with those of the smaller table out of which it grows.
    pub(super) const fn bytes(slots: usize) -> usize {
        (slots + slots / GROWTH) / SLOTS * size_of::<Bucket>()
    }

    /// The used entries, in thousandths of the greatest size.
    pub(super) fn usage(&self) -> u16 {
        (self.filled * 1000 / (self.largest * SLOTS)) as u16
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        let bits = self.buckets.len().trailing_zeros();
        (key.wrapping_mul(SPREAD) >> (64 - bits)) as usize
    }

    /// The entry of a position, or of one symmetric to it.
    #[inline]
    pub(super) fn probe<P: Position>(&self, position: &P) -> Probe {
        let (key, symmetry) = search_key(position);
        let Bucket { deep, recent } = self.buckets[self.index(key)];
        let entry = [deep, recent].into_iter().flatten().find(|entry| entry.key == key);
        Probe { key, symmetry, entry }
    }

    /// Prefetches the bucket of a position that will be probed soon, since the table is too large for the processor's caches.
    #[inline]
    pub(super) fn prefetch<P: Position>(&self, position: &P) {
        let (key, _) = search_key(position);
        proof_table::prefetch(&raw const self.buckets[self.index(key)]);
    }

    /// Stores an entry: over the older entry of its position, else in the slot of its bucket whose entry has the smaller
    /// depth. In a resumed table the greater depth falls by a ply then, so that entries of earlier searches make way.
    #[inline]
    pub(super) fn insert(&mut self, entry: TtEntry) {
        self.put(entry);
        if self.filled > self.buckets.len() * SLOTS / 2 && self.buckets.len() < self.largest {
            self.grow();
        }
    }

    #[inline]
    fn put(&mut self, entry: TtEntry) {
        let index = self.index(entry.key);
        let Bucket { deep, recent } = &mut self.buckets[index];
        let Some(occupant) = deep.as_mut().filter(|occupant| occupant.key != entry.key) else {
            self.filled += usize::from(deep.is_none());
            *deep = Some(entry);
            return;
        };
        self.filled += usize::from(recent.is_none());
        *recent = Some(if entry.depth >= occupant.depth {
            std::mem::replace(occupant, entry)
        } else {
            occupant.depth -= u8::from(self.is_resumed);
            entry
        });
    }

    #[cold]
    fn grow(&mut self) {
        let larger = (self.buckets.len() * GROWTH).min(self.largest);
        let old = std::mem::replace(&mut self.buckets, vec![Bucket::default(); larger]);
        self.filled = 0;
        let entries = old.into_iter().flat_map(|Bucket { deep, recent }| [deep, recent]);
        entries.flatten().for_each(|entry| self.put(entry));
    }
}
