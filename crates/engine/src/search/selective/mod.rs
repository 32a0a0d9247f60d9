//! Selective search: looks past the horizon at noisy moves, and prunes moves that are unlikely to matter.
//!
//! It prunes nothing while its best score is a loss, so a mate that it reports is one. All margins are parts of the evaluator's
//! [`unit`](crate::game::Scale::unit), save that of `ProbCut`, which the game gives.
//!
//! The techniques: iterative deepening with aspiration windows; principal variation search;
//! transposition table; mate distance pruning; killers, quiet, capture, continuation and correction histories; quiescence
//! with static exchange evaluation; reverse futility; `ProbCut`; futility; late move pruning; late move
//! reductions; internal iterative reduction; singular and check extension. The gain of each was measured: see
//! `docs/experiments/selective-search.md`.

mod history_tables;
mod move_picker;
mod node;
mod pruning;
mod quiescence;
mod root;
mod state;
mod tt_cutoff;

use self::history_tables::HistoryTables;
pub use self::state::SearchTables;
pub(super) use self::state::SelectiveNegamax;
use self::state::{Selective, Step, deepest};
use super::negamax::{Negamax, NodePolicy, SearchNode};
use super::root_probe::{drawing_keys, is_admitted};
use super::task::Task;
use crate::game::limits::Interrupted;
use crate::game::{
    Doubt, Move, Position, Question, Score, SelectiveHooks, informed_score, known_value,
};

impl<P: Position, E: SelectiveHooks<P>> NodePolicy<P, E> for Selective<P::Move> {
    fn new(task: &Task<P>, evaluator: &E) -> Self {
        let plies = deepest(task) + 1;
        let histories = HistoryTables::new(plies, P::Move::INDICES, E::HISTORY_INDICES);
        let history_index = histories.unknown_index();
        let step = Step {
            static_eval: None,
            history_index,
            excluded: None,
            in_hanging_piece_check: false,
        };
        let path = vec![step; plies as usize + 2];
        let (unit, candidates) = (evaluator.scale().unit, Vec::new());
        let has_recurred = !drawing_keys(task, &[]).is_empty();
        Self {
            unit,
            expected: None,
            has_recurred,
            found: None,
            histories,
            quiescence_end: None,
            path,
            candidates,
        }
    }

    fn deepest(task: &Task<P>) -> u32 {
        deepest(task)
    }

    fn rewind(&mut self) {
        self.candidates.clear();
        self.quiescence_end = None;
        self.path.iter_mut().for_each(|step| step.excluded = None);
    }

    fn value(
        search: &mut Negamax<'_, '_, P, E, Self>,
        position: &P,
        node: SearchNode,
    ) -> Result<Score, Interrupted> {
        if let Some(score) = search.known_in_window(position, node) {
            return Ok(score);
        }
        if node.ply >= deepest(search.task) || search.is_quiescence_spent() {
            return Ok(search.static_value(position));
        }
        let is_forced = search.evaluator.doubts(position, Doubt::Forced);
        let is_extended = is_forced && (E::PARAMETERS.extends_forced || node.depth == 0);
        match node.depth + u32::from(is_extended) {
            0 => search.quiescence(position, node),
            depth => search.node(position, SearchNode { depth, ..node }, is_forced),
        }
    }
}

impl<P: Position, E: SelectiveHooks<P>> SelectiveNegamax<'_, '_, P, E> {
    /// The static evaluation; corrected by a stored outcome where the task sets no probe limit.
    fn static_value(&mut self, position: &P) -> Score {
        let asks_tables = self.task.probe_limit.is_none() && !self.budget.is_late();
        let (evaluator, accumulator) = (self.evaluator, &mut self.accumulator);
        let informed =
            if asks_tables { informed_score(evaluator, position, accumulator) } else { None };
        if informed.is_some() {
            self.budget.check_soon();
        }
        Score::heuristic(informed.unwrap_or_else(|| evaluator.score_after(position, accumulator)))
    }

    /// The value of a position by a book or a table, where it is proven and within the probe limit.
    #[inline]
    fn known_end(&mut self, position: &P, ply: u32) -> Option<Score> {
        let score = known_value(self.evaluator, position)?;
        self.proven(position, ply, score)
    }

    /// The known value of a position, or in a null window a known bound that decides the node. Bounds do not count where the
    /// task sets a probe limit, since a probe limit needs distances.
    #[inline]
    fn known_in_window(&mut self, position: &P, node: SearchNode) -> Option<Score> {
        let takes_bounds = node.is_null_window() && self.task.probe_limit.is_none();
        let bound = takes_bounds
            .then(|| Question::Reaches(node.beta.seen_from(node.ply)))
            .and_then(|question| self.evaluator.known(position, question)?.score())
            .and_then(|bound| self.proven(position, node.ply, bound));
        bound.or_else(|| self.known_end(position, node.ply))
    }

    /// A value of a book or a table, with its distance from the root; `None` where it is not proven or beyond the probe
    /// limit.
    fn proven(&mut self, position: &P, ply: u32, score: Score) -> Option<Score> {
        self.budget.check_soon();
        let may_recur = self.policy.has_recurred && position.reversible_plies() >= ply;
        let is_proven = is_admitted(position, score.plies(), may_recur);
        (is_proven && self.task.is_within_probe_limit(score, ply))
            .then(|| score.seen_from_root(ply))
    }
}
