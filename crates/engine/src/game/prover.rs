//! What a search asks of a prover.

use super::limits::{Budget, Interrupted};
use super::{Position, SolverScore, final_value};

/// Proves solver scores, one after the other. The table of the prover stays from one proof to the next.
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

    /// As [`at_least`](Self::at_least) for `position` if `mv` is played.
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

    /// The estimated number of positions of a proof, where a selective search begins with a proof that fits the limits.
    fn proof_nodes(&self, position: &P) -> Option<u64> {
        let _ = position;
        None
    }

    /// The estimated number of positions of a presearch, which believes likely answers; `None` where the answers are no better
    /// than the answers of a selective search.
    fn presearch_nodes(&self, position: &P) -> Option<u64> {
        let _ = position;
        None
    }

    /// Begins or ends a presearch. The results of a presearch help the proof that follows.
    fn set_presearch(&mut self, is_presearch: bool) {
        let _ = is_presearch;
    }
}
