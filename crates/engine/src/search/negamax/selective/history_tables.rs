//! Killer moves and history tables.
//!
//! Killers (Slate and Atkin, *Chess 4.5*, 1977) refuted a sibling; the history heuristic (Schaeffer,
//! *The History Heuristic and Alpha-Beta Search Enhancements in Practice*, 1989) counts how often a
//! move was best anywhere in the tree; continuation histories count it after one particular move.

use crate::game::Side;

/// No counter leaves plus or minus this.
pub(super) const MOST: i32 = 1 << 14;

/// The two killer moves of one ply, by their indices.
pub(super) type Killers = [Option<u16>; 2];

/// The side to move and the last two moves.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub side: Side,
    /// The history indices of the last move and of the one before.
    pub before: [u16; 2],
}

/// The tables of one search: killers, quiet history, capture history, continuation history.
pub(super) struct HistoryTables {
    indices: usize,
    killers: Vec<Killers>,
    /// By move index and side.
    quiet: Vec<[i16; 2]>,
    /// By history index and side.
    noisy: Vec<[i16; 2]>,
    /// By side, history index of an earlier move, and history index.
    continuations: Vec<i16>,
}

impl HistoryTables {
    /// Empty tables for `plies` plies below the root.
    pub(super) fn new(plies: u32, moves: u16, indices: u16) -> Self {
        let indices = usize::from(indices);
        Self {
            indices,
            killers: vec![[None; 2]; plies as usize],
            quiet: vec![[0; 2]; usize::from(moves)],
            noisy: vec![[0; 2]; indices],
            continuations: vec![0; 2 * (indices + 1) * indices],
        }
    }

    /// Stands for the history index of an unknown move and of a null move.
    pub(super) fn null_index(&self) -> u16 {
        self.indices as u16
    }

    /// The killers at `ply`.
    pub(super) fn killers(&self, ply: u32) -> Killers {
        self.killers[ply as usize]
    }

    /// Adds a killer move at `ply`.
    pub(super) fn add_killer(&mut self, ply: u32, move_index: u16) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(move_index) {
            *killers = [Some(move_index), killers[0]];
        }
    }

    /// The sum of quiet and continuation histories of a move, within three times [`MOST`].
    #[inline]
    pub(super) fn quiet_score(&self, context: Context, move_index: u16, history_index: u16) -> i32 {
        let continuation = |before| {
            i32::from(self.continuations[self.continuation(context.side, before, history_index)])
        };
        let alone = i32::from(self.quiet[usize::from(move_index)][context.side as usize]);
        alone + continuation(context.before[0]) + continuation(context.before[1])
    }

    /// The capture history, within [`MOST`].
    #[inline]
    pub(super) fn noisy_score(&self, side: Side, history_index: u16) -> i32 {
        i32::from(self.noisy[usize::from(history_index)][side as usize])
    }

    /// Adds `bonus` to the quiet and continuation histories of a move.
    pub(super) fn update_quiet(
        &mut self,
        context: Context,
        move_index: u16,
        history_index: u16,
        bonus: i32,
    ) {
        apply_gravity(&mut self.quiet[usize::from(move_index)][context.side as usize], bonus);
        for before in context.before {
            let index = self.continuation(context.side, before, history_index);
            apply_gravity(&mut self.continuations[index], bonus);
        }
    }

    /// Adds `bonus` to the capture history of a move.
    pub(super) fn update_noisy(&mut self, side: Side, history_index: u16, bonus: i32) {
        apply_gravity(&mut self.noisy[usize::from(history_index)][side as usize], bonus);
    }

    #[inline]
    fn continuation(&self, side: Side, before: u16, history_index: u16) -> usize {
        let row = side as usize * (self.indices + 1) + usize::from(before);
        row * self.indices + usize::from(history_index)
    }
}

/// Adds `bonus` with gravity: the nearer a counter is to its bound, the less it moves.
fn apply_gravity(counter: &mut i16, bonus: i32) {
    let value = i32::from(*counter);
    *counter = (value + bonus - value * bonus.abs() / MOST) as i16;
}
