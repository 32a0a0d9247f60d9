//! Move ordering: killer moves, history counters, and the choice of the next move.
//!
//! Alpha-beta visits least when the best move comes first (Knuth and Moore, *An Analysis of Alpha-Beta
//! Pruning*, 1975). Killers (Slate and Atkin, *Chess 4.5*, 1977) refuted a sibling. The history heuristic
//! (Schaeffer, *The History Heuristic and Alpha-Beta Search Enhancements in Practice*, 1989) counts how often a
//! move was best anywhere in the tree.

use crate::game::Side;

/// The two killer moves of each ply, by their indices.
pub(super) struct Killers(Vec<[Option<u16>; 2]>);

impl Killers {
    /// No killers, for the plies from 0 to `plies` - 1.
    pub(super) fn new(plies: u32) -> Self {
        Self(vec![[None; 2]; plies as usize])
    }

    pub(super) fn at(&self, ply: u32) -> [Option<u16>; 2] {
        self.0[ply as usize]
    }

    pub(super) fn add(&mut self, ply: u32, move_index: u16) {
        let killers = &mut self.0[ply as usize];
        if killers[0] != Some(move_index) {
            *killers = [Some(move_index), killers[0]];
        }
    }
}

/// The greatest absolute value of a history counter.
pub(super) const MAX_HISTORY: i32 = 1 << 14;

/// Adds `bonus`, within [`MAX_HISTORY`], with gravity: the nearer a counter is to its bound, the less it changes.
pub(super) fn apply_gravity(counter: &mut i16, bonus: i32) {
    let value = i32::from(*counter);
    *counter = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
}

/// History counters by an index of moves and the side to move.
pub(super) struct HistoryTable(Vec<[i16; 2]>);

impl HistoryTable {
    /// Counters of 0 for `indices`.
    pub(super) fn new(indices: u16) -> Self {
        Self(vec![[0; 2]; usize::from(indices)])
    }

    /// The number of indices.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// A counter, within [`MAX_HISTORY`].
    #[inline]
    pub(super) fn get(&self, side: Side, index: u16) -> i32 {
        i32::from(self.0[usize::from(index)][side as usize])
    }

    /// Adds `bonus` to a counter, with gravity.
    pub(super) fn update(&mut self, side: Side, index: u16, bonus: i32) {
        apply_gravity(&mut self.0[usize::from(index)][side as usize], bonus);
    }
}

/// The index of the highest rank, the first of equals.
#[inline]
pub(super) fn highest(ranks: impl Iterator<Item = i32>) -> usize {
    let (mut best, mut highest) = (0, i32::MIN);
    for (place, rank) in ranks.enumerate() {
        if rank > highest {
            (best, highest) = (place, rank);
        }
    }
    best
}
