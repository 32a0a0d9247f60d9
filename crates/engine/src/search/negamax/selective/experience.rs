//! What cut-offs so far teach about the order of moves, and about their prospects.
//!
//! Killers (Slate and Atkin, *Chess 4.5*, 1977) refuted a sibling; the history heuristic (Schaeffer,
//! *The History Heuristic and Alpha-Beta Search Enhancements in Practice*, 1989) counts how often a
//! move was best anywhere in the tree; continuation histories count it after one particular move.

use crate::game::Side;

/// No counter leaves plus or minus this.
pub(super) const MOST: i32 = 1 << 14;

/// The two moves that refuted siblings at one ply, by their codes.
pub(super) type Killers = [Option<u16>; 2];

/// Where a move is tried.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub side: Side,
    /// The slots of the move before and of the one before that.
    pub before: [u16; 2],
}

/// The counters, for one search.
pub(super) struct Experience {
    slots: usize,
    killers: Vec<Killers>,
    /// By move code and side.
    quiet: Vec<[i16; 2]>,
    /// By slot and side.
    noisy: Vec<[i16; 2]>,
    /// By side, slot of an earlier move, and slot.
    continuations: Vec<i16>,
}

impl Experience {
    /// None so far, for `plies` plies below the root.
    pub(super) fn new(plies: u32, codes: u16, slots: u16) -> Self {
        let slots = usize::from(slots);
        Self {
            slots,
            killers: vec![[None; 2]; plies as usize],
            quiet: vec![[0; 2]; usize::from(codes)],
            noisy: vec![[0; 2]; slots],
            continuations: vec![0; 2 * (slots + 1) * slots],
        }
    }

    /// Stands for the slot of a move that is not known.
    pub(super) fn no_slot(&self) -> u16 {
        self.slots as u16
    }

    /// The killers at `ply`.
    pub(super) fn killers(&self, ply: u32) -> Killers {
        self.killers[ply as usize]
    }

    /// Remembers that a quiet move refuted its parent at `ply`.
    pub(super) fn add_killer(&mut self, ply: u32, code: u16) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(code) {
            *killers = [Some(code), killers[0]];
        }
    }

    /// How well the quiet move of this code and slot has done, within three times [`MOST`].
    #[inline]
    pub(super) fn of_quiet(&self, context: Context, code: u16, slot: u16) -> i32 {
        let continuation =
            |before| i32::from(self.continuations[self.continuation(context.side, before, slot)]);
        let alone = i32::from(self.quiet[usize::from(code)][context.side as usize]);
        alone + continuation(context.before[0]) + continuation(context.before[1])
    }

    /// How well noisy moves of this slot have done, within [`MOST`].
    #[inline]
    pub(super) fn of_noisy(&self, side: Side, slot: u16) -> i32 {
        i32::from(self.noisy[usize::from(slot)][side as usize])
    }

    /// Adds `bonus` to what is known of a quiet move.
    pub(super) fn learn_quiet(&mut self, context: Context, code: u16, slot: u16, bonus: i32) {
        drift(&mut self.quiet[usize::from(code)][context.side as usize], bonus);
        for before in context.before {
            let index = self.continuation(context.side, before, slot);
            drift(&mut self.continuations[index], bonus);
        }
    }

    /// Adds `bonus` to what is known of a noisy move.
    pub(super) fn learn_noisy(&mut self, side: Side, slot: u16, bonus: i32) {
        drift(&mut self.noisy[usize::from(slot)][side as usize], bonus);
    }

    #[inline]
    fn continuation(&self, side: Side, before: u16, slot: u16) -> usize {
        let row = side as usize * (self.slots + 1) + usize::from(before);
        row * self.slots + usize::from(slot)
    }
}

/// Moves a counter by `bonus`, the less the nearer it is to its end: gravity, which forgets what is
/// long ago.
fn drift(counter: &mut i16, bonus: i32) {
    let value = i32::from(*counter);
    *counter = (value + bonus - value * bonus.abs() / MOST) as i16;
}
