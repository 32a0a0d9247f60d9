//! Killer moves and history tables.
//!
//! The quiet history counts quiet moves, capture histories count noisy moves, and continuation histories count a move after
//! one particular earlier move. The correction history tells how far values of searches lie above static evaluations after two
//! particular moves.

use crate::game::Side;
use crate::search::move_ordering::{HistoryTable, Killers, apply_gravity};

/// The side to move and the last two moves.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub side: Side,
    /// The history indices of the last move and of the move before it.
    pub before: [u16; 2],
}

/// The tables of one search: killers, quiet history, capture history, continuation history, correction history.
pub(super) struct HistoryTables {
    indices: usize,
    pub killers: Killers,
    /// The quiet history, by move index.
    quiet: HistoryTable,
    /// The capture history, by history index.
    pub noisy: HistoryTable,
    /// The continuation history, by side, history index of an earlier move, and history index.
    continuations: Vec<i16>,
    /// The correction history, by side and the history indices of the last two moves.
    corrections: Vec<i16>,
}

impl HistoryTables {
    /// Empty tables for `plies` plies below the root.
    pub(super) fn new(plies: u32, moves: u16, indices: u16) -> Self {
        let (quiet, noisy) = (HistoryTable::new(moves), HistoryTable::new(indices));
        let indices = usize::from(indices);
        Self {
            indices,
            killers: Killers::new(plies),
            quiet,
            noisy,
            continuations: vec![0; 2 * (indices + 1) * (indices + 1)],
            corrections: vec![0; 2 * (indices + 1) * (indices + 1)],
        }
    }

    /// Goes on with the counters of the search before, unless they are of another game. Killers belong to plies of that search
    /// and are not kept.
    pub(super) fn resume(&mut self, before: Self) {
        if (self.indices, self.quiet.len()) != (before.indices, before.quiet.len()) {
            return;
        }
        let killers = std::mem::replace(&mut self.killers, Killers::new(0));
        *self = Self { killers, ..before };
    }

    /// The history index that stands for an unknown move.
    pub(super) fn unknown_index(&self) -> u16 {
        self.indices as u16
    }

    /// The sum of quiet and continuation histories of a move, within three times
    /// [`MAX_HISTORY`](crate::search::move_ordering::MAX_HISTORY).
    #[inline]
    pub(super) fn quiet_score(&self, context: Context, move_index: u16, history_index: u16) -> i32 {
        let alone = self.quiet.get(context.side, move_index);
        let [last, second_last] = context.before.map(|before| {
            i32::from(self.continuations[self.pair(context.side, before, history_index)])
        });
        alone + last + second_last
    }

    /// Adds `bonus` to the quiet and continuation histories of a move.
    pub(super) fn update_quiet(
        &mut self,
        context: Context,
        move_index: u16,
        history_index: u16,
        bonus: i32,
    ) {
        self.quiet.update(context.side, move_index, bonus);
        for before in context.before {
            let index = self.pair(context.side, before, history_index);
            apply_gravity(&mut self.continuations[index], bonus);
        }
    }

    /// How far values lie above static evaluations after the last two moves, within
    /// [`MAX_HISTORY`](crate::search::move_ordering::MAX_HISTORY).
    pub(super) fn correction(&self, context: Context) -> i32 {
        let [last, second_last] = context.before;
        i32::from(self.corrections[self.pair(context.side, last, second_last)])
    }

    /// Adds `bonus` to the correction history.
    pub(super) fn update_correction(&mut self, context: Context, bonus: i32) {
        let [last, second_last] = context.before;
        let index = self.pair(context.side, last, second_last);
        apply_gravity(&mut self.corrections[index], bonus);
    }

    /// The place of two history indices, any of which may be unknown, in a table of pairs.
    #[inline]
    fn pair(&self, side: Side, first: u16, second: u16) -> usize {
        let row = side as usize * (self.indices + 1) + usize::from(first);
        row * (self.indices + 1) + usize::from(second)
    }
}
