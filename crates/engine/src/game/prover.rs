//! What a search asks of a prover.

use super::limits::{Budget, Interrupted};
use super::{Position, SolverScore, final_value};

/// Proves solver scores, one after the other; what it has learned stays.
pub trait Prover<P: Position> {
    /// The solver score of an unfinished position if one of `moves` is played, or any where there are none.
    ///
    /// # Errors
    /// At a limit.
    fn value(
        &mut self,
        budget: &mut Budget,
        position: &P,
        moves: &[P::Move],
    ) -> Result<SolverScore, Interrupted>;

    /// A bound of the solver score of an unfinished position: a lower one if it is `beta` or more, else
    /// an upper one.
    ///
    /// # Errors
    /// At a limit.
    fn at_least(
        &mut self,
        budget: &mut Budget,
        position: &P,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted>;

    /// One of `moves` that holds the solver score of `position`.
    ///
    /// # Errors
    /// At a limit.
    fn holding_move(
        &mut self,
        budget: &mut Budget,
        position: &P,
        moves: Vec<P::Move>,
        value: SolverScore,
    ) -> Result<P::Move, Interrupted>;

    /// These moves of a position of this value, the most promising ones first.
    fn in_search_order(
        &mut self,
        position: &P,
        moves: Vec<P::Move>,
        value: SolverScore,
    ) -> Vec<P::Move>;

    /// As [`at_least`](Self::at_least) for the position before `mv`, if it is played.
    ///
    /// # Errors
    /// At a limit.
    fn move_at_least(
        &mut self,
        budget: &mut Budget,
        position: &P,
        mv: P::Move,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        budget.visit()?;
        let child = position.play(mv);
        match child.outcome() {
            Some(outcome) => Ok(-final_value(outcome, &child)),
            None => Ok(-self.at_least(budget, &child, 1 - beta)?),
        }
    }

    /// The solver score of `position` if `mv` is played.
    ///
    /// # Errors
    /// At a limit.
    fn move_value(
        &mut self,
        budget: &mut Budget,
        position: &P,
        mv: P::Move,
    ) -> Result<SolverScore, Interrupted> {
        budget.visit()?;
        let child = position.play(mv);
        match child.outcome() {
            Some(outcome) => Ok(-final_value(outcome, &child)),
            None => Ok(-self.value(budget, &child, &[])?),
        }
    }

    /// About how many positions the proof of a position takes, where a selective search begins with a proof that fits
    /// its limits.
    fn proof_nodes(&self, position: &P) -> Option<u64> {
        let _ = position;
        None
    }

    /// About how many positions a presearch visits, which believes likely answers; `None` where they are no better than
    /// those of a selective search.
    fn presearch_nodes(&self, position: &P) -> Option<u64> {
        let _ = position;
        None
    }

    /// Begins a presearch, or ends it: what it has found helps the proof that follows.
    fn set_presearch(&mut self, is_presearch: bool) {
        let _ = is_presearch;
    }
}
