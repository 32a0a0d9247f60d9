//! The prover's own compact table.

use crate::game::Margin;

/// What is proven of the positions met so far: eight bytes a position and no doubt. The hash is a
/// bijection of the key, the slot stands for its upper bits and the entry holds the rest.
pub(super) struct Proofs {
    slots: Vec<u64>,
    filled: usize,
}

/// An entry has room for 56 bits of the hash; the slot stands for the other eight, or more.
const SMALLEST: usize = 1 << 8;
const LARGEST: usize = 1 << 23;
const GROWTH: usize = 8;

/// An odd number, so that multiplying by it is a bijection.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Proofs {
    /// A small table that grows with what is stored.
    pub(super) fn new() -> Self {
        Self { slots: vec![0; SMALLEST], filled: 0 }
    }

    /// A bound of the margin that is proven for the position with this key, where it tells whether
    /// the margin is `beta` or more.
    #[inline]
    pub(super) fn settles(&self, key: u64, beta: Margin) -> Option<Margin> {
        let hash = key.wrapping_mul(SPREAD);
        let entry = self.slots[self.slot(hash)];
        if entry == 0 || entry >> 8 != hash << 8 >> 8 {
            return None;
        }
        let (margin, at_least) = decoded(entry as u8);
        (at_least == (margin >= beta)).then_some(margin)
    }

    /// Keeps what a question about `beta` has proven; `margin` is a lower bound if it is `beta` or
    /// more, else an upper one.
    #[inline]
    pub(super) fn insert(&mut self, key: u64, margin: Margin, beta: Margin) {
        let hash = key.wrapping_mul(SPREAD);
        let slot = self.slot(hash);
        self.filled += usize::from(self.slots[slot] == 0);
        self.slots[slot] = hash << 8 | u64::from(encoded(margin, margin >= beta));
        if self.filled > self.slots.len() / 2 && self.slots.len() < LARGEST {
            self.grow();
        }
    }

    fn slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// Spreads the slots over a larger table. The upper eight bits of a hash are those of its slot,
    /// since even the smallest table has 2^8 of them.
    #[cold]
    fn grow(&mut self) {
        let larger = (self.slots.len() * GROWTH).min(LARGEST);
        let bits = self.slots.len().trailing_zeros();
        let old = std::mem::replace(&mut self.slots, vec![0; larger]);
        self.filled = 0;
        for (slot, entry) in old.into_iter().enumerate().filter(|&(_, entry)| entry != 0) {
            let hash = (slot as u64) << (64 - bits) | entry >> 8;
            let slot = self.slot(hash);
            self.filled += usize::from(self.slots[slot] == 0);
            self.slots[slot] = entry;
        }
    }
}

/// A bound in one byte that is never 0: margins lie between -63 and 63, the upper bit marks a lower
/// bound.
fn encoded(margin: Margin, at_least: bool) -> u8 {
    (margin + 64) as u8 | u8::from(at_least) << 7
}

fn decoded(byte: u8) -> (Margin, bool) {
    ((byte & 0x7f) as Margin - 64, byte & 0x80 != 0)
}
