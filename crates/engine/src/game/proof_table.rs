//! The compact table of a prover.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use super::SolverScore;

/// What is proven of the positions met so far: eight bytes a position, without false matches. The hash is a
/// bijection of the key, the slot stands for its upper bits and the entry holds the rest.
pub(crate) struct SolverTable {
    slots: Slots,
    filled: usize,
    largest: usize,
}

/// The tables of a prover. Bounds of *early* positions, those that leave many plies, cost most and are
/// asked for again longest after: where they have tables of their own, no later position replaces them.
pub struct SolverTables {
    late: SolverTable,
    /// The upper and the lower bounds of early positions.
    early: Option<Box<[SolverTable; 2]>>,
    /// Positions that leave so many plies are early.
    early_from: SolverScore,
}

impl SolverTables {
    /// One table for all positions.
    pub(crate) fn one(table: SolverTable) -> Self {
        Self { late: table, early: None, early_from: SolverScore::MAX }
    }

    /// A table of `largest` slots, and two half as large for positions that leave so many plies.
    pub(crate) fn with_early(largest: usize, early_from: SolverScore) -> Self {
        let early = Some(Box::new([largest / 2; 2].map(SolverTable::new)));
        Self { late: SolverTable::new(largest), early, early_from }
    }

    /// As [`SolverTable::settles`] for a position that leaves so many plies.
    #[inline]
    pub(crate) fn settles(
        &self,
        hash: Hash,
        plies: SolverScore,
        beta: SolverScore,
    ) -> Option<SolverScore> {
        match &self.early {
            Some(early) if plies >= self.early_from => {
                early.iter().find_map(|table| table.settles(hash, beta))
            }
            _ => self.late.settles(hash, beta),
        }
    }

    /// As [`SolverTable::prefetch`]; early positions are too few to matter.
    #[inline]
    pub(crate) fn prefetch(&self, hash: Hash) {
        self.late.prefetch(hash);
    }

    /// As [`SolverTable::insert`] for a position that leaves so many plies.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        hash: Hash,
        plies: SolverScore,
        value: SolverScore,
        beta: SolverScore,
    ) {
        match &mut self.early {
            Some(early) if plies >= self.early_from => {
                early[usize::from(value >= beta)].insert(hash, value, beta);
            }
            _ => self.late.insert(hash, value, beta),
        }
    }
}

/// An entry has room for 56 bits of the hash; the slot stands for the other eight, or more.
const SMALLEST_BITS: u32 = 8;
const SMALLEST: usize = 1 << SMALLEST_BITS;
const LARGEST_BITS: u32 = 23;
const GROWTH: usize = 8;

/// The slots that a proof deserves of a position that leaves so many plies: by measurement twice what
/// the hardest of Pons's test positions of Connect Four with as many plies left fill, up to 30.
pub(crate) fn slots(plies: u32) -> usize {
    1 << plies.saturating_sub(8).clamp(SMALLEST_BITS, LARGEST_BITS)
}

/// The bytes of a table of `slots`, with those of the smaller table out of which it grows.
pub(crate) const fn bytes(slots: usize) -> usize {
    (slots + slots / GROWTH) * size_of::<u64>()
}

/// The bytes of the largest tables that a search makes.
pub(crate) const MOST_BYTES: usize = bytes(1 << LARGEST_BITS) + OWN_BYTES;

/// The bytes that the tables of a game's own prover may occupy beside these.
pub(crate) const OWN_BYTES: usize = bytes(1 << 18) + (size_of::<u64>() << 16);

/// 2^64 divided by the golden ratio: spreads keys over a table (Knuth, *The Art of Computer Programming*, section
/// 6.4).
pub(crate) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of a key.
#[derive(Clone, Copy)]
pub(crate) struct Hash(pub(crate) u64);

impl Hash {
    #[inline]
    pub(crate) fn of(key: u64) -> Self {
        // Multiplying by an odd number is a bijection.
        Self(key.wrapping_mul(SPREAD))
    }
}

impl SolverTable {
    /// An empty table that grows with what is stored, to no more than `largest` slots, a power of two.
    pub(crate) fn new(largest: usize) -> Self {
        Self { slots: Slots::Few(Vec::new()), filled: 0, largest: largest.max(SMALLEST) }
    }

    /// A bound of the solver score that is proven for the position with this hash, where it tells whether
    /// the solver score is `beta` or more.
    #[inline]
    pub(crate) fn settles(&self, hash: Hash, beta: SolverScore) -> Option<SolverScore> {
        let entry = *self.slots.get(self.slot(hash))?;
        if entry == 0 || entry >> 8 != hash.0 << 8 >> 8 {
            return None;
        }
        let (value, at_least) = decoded(entry as u8);
        (at_least == (value >= beta)).then_some(value)
    }

    /// Asks for the slot of this hash before it is needed.
    #[inline]
    pub(crate) fn prefetch(&self, hash: Hash) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let slot = self.slots.as_ptr().wrapping_add(self.slot(hash));
            #[expect(unsafe_code, reason = "a tenth less time on hard positions")]
            // SAFETY: a prefetch reads nothing and can't fault.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(slot.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// Keeps what a question about `beta` has proven; `value` is a lower bound if it is `beta` or
    /// more, else an upper one. A value for which an entry has no room is not kept.
    #[inline]
    pub(crate) fn insert(&mut self, hash: Hash, value: SolverScore, beta: SolverScore) {
        if value.unsigned_abs() > MOST_VALUE {
            return;
        }
        if self.slots.is_empty() {
            self.slots = Slots::zeroed(SMALLEST);
        }
        let slot = self.slot(hash);
        self.filled += usize::from(self.slots[slot] == 0);
        self.slots[slot] = hash.0 << 8 | u64::from(encoded(value, value >= beta));
        if self.filled > self.slots.len() / 2 && self.slots.len() < self.largest {
            self.grow();
        }
    }

    #[inline]
    fn slot(&self, hash: Hash) -> usize {
        (hash.0 >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// Spreads the slots over a larger table. The upper eight bits of a hash are those of its slot,
    /// since even the smallest table has 2^8 of them.
    #[cold]
    fn grow(&mut self) {
        let larger = (self.slots.len() * GROWTH).min(self.largest);
        let bits = self.slots.len().trailing_zeros();
        let old = std::mem::replace(&mut self.slots, Slots::zeroed(larger));
        self.filled = 0;
        for (slot, entry) in old.iter().enumerate().filter(|&(_, &entry)| entry != 0) {
            let hash = (slot as u64) << (64 - bits) | entry >> 8;
            let slot = self.slot(Hash(hash));
            self.filled += usize::from(self.slots[slot] == 0);
            self.slots[slot] = *entry;
        }
    }
}

/// The slots, which begin as zeros. Many of them lie in huge pages where the system has such: the
/// processor finds them faster, which saves a tenth of the time on hard positions.
enum Slots {
    Few(Vec<u64>),
    Many(MmapMut),
}

/// From so many on, slots are many: two huge pages.
const MANY: usize = 1 << 19;

impl Slots {
    fn zeroed(count: usize) -> Self {
        let bytes = count * size_of::<u64>();
        let Some(map) = (count >= MANY).then(|| MmapMut::map_anon(bytes).ok()).flatten() else {
            return Self::Few(vec![0; count]);
        };
        #[cfg(target_os = "linux")]
        // Without huge pages it is slower and no less right.
        let _ = map.advise(memmap2::Advice::HugePage);
        Self::Many(map)
    }
}

impl Deref for Slots {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match self {
            Self::Few(slots) => slots,
            Self::Many(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Slots {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            Self::Few(slots) => slots,
            Self::Many(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

/// The largest solver score for which an entry has room.
const MOST_VALUE: u8 = 63;

/// A bound in one byte that is never 0, of a value between -63 and 63. The upper bit marks a lower bound.
fn encoded(value: SolverScore, at_least: bool) -> u8 {
    (value + 64) as u8 | u8::from(at_least) << 7
}

fn decoded(byte: u8) -> (SolverScore, bool) {
    ((byte & 0x7f) as SolverScore - 64, byte & 0x80 != 0)
}
