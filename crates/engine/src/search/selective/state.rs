//! The state of the selective search.

use super::history_tables::HistoryTables;
use crate::game::limits::Budget;
use crate::game::{Position, Score, SelectiveHooks};
use crate::search::iterative_deepening::Found;
use crate::search::negamax::{Negamax, TABLE_ENTRIES};
use crate::search::task::Task;
use crate::search::transposition_table::Table;

/// The search with all its selective phases on.
pub(in crate::search) type SelectiveNegamax<'a, 'b, P, E> =
    Negamax<'a, 'b, P, E, Selective<<P as Position>::Move>>;

/// The greatest number of plies beyond the nominal depth, by extensions and noisy moves.
const BEYOND: u32 = 64;

/// The deepest ply that a line may reach.
pub(super) fn deepest<P: Position>(task: &Task<P>) -> u32 {
    task.limits.depth + BEYOND
}

/// The state of the selective search.
pub(in crate::search) struct Selective<M> {
    /// The evaluator's unit of advantage.
    pub(super) unit: i32,
    /// The value of the last depth.
    pub(super) expected: Option<Score>,
    /// Whether the game has reached a position twice that may come back a third time.
    pub(super) has_recurred: bool,
    /// The best root move of the present depth so far.
    pub(super) found: Option<Found<M>>,
    pub(super) histories: HistoryTables,
    /// The count of nodes at which the present quiescence search ends; `None` above the horizon.
    pub(super) quiescence_end: Option<u64>,
    /// The nodes of the current path. Two entries before the root stand for unknown moves.
    pub(super) path: Vec<Step<M>>,
    /// The moves of all nodes of the current path, the deepest node's last.
    pub(super) candidates: Vec<Candidate<M>>,
}

/// The transposition table and the histories that a selective search leaves to the next one of the same game. Empty by default.
#[derive(Default)]
pub struct SearchTables(Option<(Table, HistoryTables)>);

impl<'a, 'b, P: Position, E: SelectiveHooks<P>> SelectiveNegamax<'a, 'b, P, E> {
    /// A search that begins with the tables of the one before, which had the same evaluator. It takes them.
    pub(in crate::search) fn resumed(
        task: &'a Task<P>,
        evaluator: &'a E,
        budget: &'a mut Budget<'b>,
        tables: &mut SearchTables,
    ) -> Self {
        let mut search = Self::new(task, evaluator, budget);
        if let Some((table, histories)) = tables.0.take() {
            search.table = table.resumed(TABLE_ENTRIES);
            search.policy.histories.resume(histories);
        }
        search
    }

    pub(in crate::search) fn into_tables(self) -> SearchTables {
        SearchTables(Some((self.table, self.policy.histories)))
    }
}

/// A node of the current path.
#[derive(Clone, Copy)]
pub(super) struct Step<M> {
    /// The static evaluation; `None` in a forced position.
    pub(super) static_eval: Option<i32>,
    /// The history index of the move that is being searched.
    pub(super) history_index: u16,
    /// The move that the singular extension search leaves out.
    pub(super) excluded: Option<M>,
    /// Whether the hanging-piece check of the node is under way.
    pub(super) in_hanging_piece_check: bool,
}

impl<M> Selective<M> {
    /// The node `back` plies before the one at `ply`.
    pub(super) fn step(&self, ply: u32, back: u32) -> &Step<M> {
        &self.path[(ply + 2 - back) as usize]
    }

    pub(super) fn step_mut(&mut self, ply: u32) -> &mut Step<M> {
        &mut self.path[(ply + 2) as usize]
    }
}

/// A move of a node.
#[derive(Clone, Copy)]
pub(super) struct Candidate<M> {
    pub mv: M,
    pub history_index: u16,
    pub is_noisy: bool,
    /// Whether the move has been searched.
    pub is_tried: bool,
    /// Whether the static exchange evaluation of the move is done.
    pub(super) is_see_known: bool,
    /// A move with a higher rank is tried sooner.
    pub rank: i32,
}

impl<M: Copy> Candidate<M> {
    /// Whether the move is noisy and loses material.
    pub(super) fn loses_material(&self) -> bool {
        self.is_noisy && self.rank < 0
    }
}
