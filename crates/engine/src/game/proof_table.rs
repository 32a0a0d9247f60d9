//! The compact table of a prover.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use super::SolverScore;

/// What is proven of the positions met so far: eight bytes a position, without false matches. The hash is a
/// bijection of the key, the slot stands for its upper bits and the entry holds the rest.
pub struct SolverTable {
    slots: Slots,
    filled: usize,
    largest: usize,
}

/// An entry has room for 56 bits of the hash; the slot stands for the other eight, or more.
const SMALLEST_BITS: u32 = 8;
const SMALLEST: usize = 1 << SMALLEST_BITS;
const LARGEST_BITS: u32 = 23;
const GROWTH: usize = 8;

/// The slots for the proof of a position with `plies` plies left: by measurement twice what
/// the hardest test positions of Connect Four by Pons with as many plies left fill, up to 30.
pub(crate) fn slots(plies: u32) -> usize {
    1 << plies.saturating_sub(8).clamp(SMALLEST_BITS, LARGEST_BITS)
}

/// The bytes of a table of `slots`, with those of the smaller table out of which it grows.
pub(crate) const fn bytes(slots: usize) -> usize {
    (slots + slots / GROWTH) * size_of::<u64>()
}

/// The bytes of the largest tables that a search makes.
pub(crate) const MOST_BYTES: usize = bytes(1 << LARGEST_BITS) + OWN_BYTES;

/// The bytes that the further tables of a game's own prover may occupy.
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

    /// Prefetches the slot of a hash: a tenth less time on hard positions.
    #[inline]
    pub(crate) fn prefetch(&self, hash: Hash) {
        prefetch(self.slots.as_ptr().wrapping_add(self.slot(hash)));
    }

    /// Keeps the proven answer to a question about `beta`; `value` is a lower bound if it is `beta` or
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

/// Loads an address into the cache of the processor, since tables are larger than the cache.
#[inline]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[expect(
            unsafe_code,
            reason = "searches that need not wait for memory are up to a tenth faster"
        )]
        // SAFETY: a prefetch reads nothing and faults nowhere, and every x86-64 processor has it.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// The slots, which begin as zeros. Many slots lie in huge pages where the system has huge pages, in which the processor
/// finds addresses faster: a tenth less time on hard positions.
enum Slots {
    Few(Vec<u64>),
    Many(MmapMut),
}

/// The least number of slots that lie in huge pages: two huge pages.
const MANY: usize = 1 << 19;

impl Slots {
    fn zeroed(count: usize) -> Self {
        let bytes = count * size_of::<u64>();
        let Some(map) = (count >= MANY).then(|| MmapMut::map_anon(bytes).ok()).flatten() else {
            return Self::Few(vec![0; count]);
        };
        #[cfg(target_os = "linux")]
        // A system without huge pages refuses, which only makes the proof slower.
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
