//! The run of a search.

use super::report::Report;
use super::task::Task;
use crate::game::Position;
use crate::game::limits::Budget;

/// The task of a run, and what its stages share, such as a proof and the search that follows it.
pub(super) struct SearchRun<'r, 'b, P: Position, E> {
    pub task: &'r Task<P>,
    pub evaluator: &'r E,
    pub budget: &'r mut Budget<'b>,
    /// Sees the report of every completed depth, and of a proof.
    pub observer: &'r mut dyn FnMut(&Report<P::Move>),
}
