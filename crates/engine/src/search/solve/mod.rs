//! The prover of games that must end: outcome and distance of a position under best play.
//!
//! A [`Prover`], the game's own or the prover of plies, finds the value. This module makes an answer of it: a move that
//! holds the value, the line to the end of the game, and the choice among equal moves.

mod prover;
mod solver;

use self::prover::PliesProver;
pub use self::solver::Solver;
use super::alpha_beta::AlphaBeta;
use super::iterative_deepening::deepen;
use super::losing_tie_break::break_tie;
use super::negamax;
use super::ranking::Ranking;
use super::report::{Report, SearchVariation, proven_margin};
use super::search_run::SearchRun;
use super::task::{Algorithm, Task};
use crate::game::limits::{Budget, Interrupted, StoppedBy};
use crate::game::proof_table::{self, SolverTable, slots};
use crate::game::{
    Position, Prover, Score, SolverHooks, SolverScore, known_value, outcome_and_score_of,
    solver_score_of,
};

/// The stages with a proof.
impl<P: Position, E: SolverHooks<P>> SearchRun<'_, '_, P, E> {
    /// Proves the value of the root. Where the depth does not reach the end of the game, or a limit stops the proof,
    /// alpha-beta answers with the quarter of the budget that is kept for it.
    pub(super) fn solve(&mut self) -> Report<P::Move> {
        let mut is_late = false;
        if reaches_end(self.task) {
            match self.proof() {
                Ok(report) => return report,
                Err(Interrupted(limit)) => is_late = limit == StoppedBy::Time,
            }
        }
        let alpha_beta = &mut AlphaBeta::new(self.task, self.evaluator, self.budget);
        let report = deepen(self.task, self.evaluator, alpha_beta, self.observer);
        // The time ended the proof, even if alpha-beta completes its depth.
        if is_late { Report { stopped_by: StoppedBy::Time, ..report } } else { report }
    }

    /// Proves the root with three quarters of the budget.
    fn proof(&mut self) -> Result<Report<P::Move>, Interrupted> {
        self.budget.hold_back_quarter(self.task.root_moves().len() as u64);
        self.proof_within()
    }

    /// Proves the root with the part of the budget that is not held back, and gives back the other part.
    fn proof_within(&mut self) -> Result<Report<P::Move>, Interrupted> {
        let proof = RootSolution::new(self.task, self.evaluator).variations(self.budget);
        self.budget.release();
        Ok(self.proven(proof?))
    }

    /// The report of a proof.
    fn proven(&mut self, mut variations: Vec<SearchVariation<P::Move>>) -> Report<P::Move> {
        break_tie(self.task, self.evaluator, self.budget, &mut variations);
        let report = Report::new(self.task, self.budget, variations, true);
        (self.observer)(&report);
        report
    }

    /// The presearch at the beginning of a selective search, if there is one and it is complete. Its score is the likely
    /// margin, and its line likely holds the margin. The rest of the limits goes to the proof.
    pub(super) fn early_presearch(&mut self) -> Option<Report<P::Move>> {
        if !may_presearch(self.task, self.evaluator) {
            return None;
        }
        self.budget.hold_back_quarter(self.task.root_moves().len() as u64);
        let mut solution = RootSolution::new(self.task, self.evaluator);
        solution.set_presearch(true);
        let found = solution.variations(self.budget);
        self.budget.release();
        let report = Report::new(self.task, self.budget, found.ok()?, false);
        (self.observer)(&report);
        solution.set_presearch(false);
        Some(match solution.variations(self.budget) {
            Ok(variations) => self.proven(variations),
            Err(Interrupted(stopped_by)) => {
                Report { stopped_by, nodes: self.budget.nodes(), ..report }
            }
        })
    }

    /// The proof at the beginning of an alpha-beta search, if there is one and it is complete.
    pub(super) fn short_proof(&mut self) -> Option<Report<P::Move>> {
        self.budget.hold_back_all_but(short_proof_nodes(self.task)?);
        let task = &Task { algorithm: Algorithm::Solve, ..self.task.clone() };
        let Self { evaluator, budget, observer, .. } = self;
        SearchRun { task, evaluator: *evaluator, budget, observer }.proof_within().ok()
    }

    /// The proof at the beginning of a selective search, if there is one and it is complete.
    pub(super) fn early_proof(&mut self) -> Option<Report<P::Move>> {
        may_prove(self.task, self.evaluator).then(|| self.proof().ok()).flatten()
    }
}

fn reaches_end<P: Position>(task: &Task<P>) -> bool {
    task.position.plies_left().is_some_and(|plies| plies <= task.limits.depth)
}

/// The positions that a prover visits in a second: a low estimate, so that few proofs are begun in vain.
const NODES_PER_SECOND: u64 = 25_000_000;

/// The greatest number of positions of a proof at the beginning of a selective search without limits.
pub(super) const MOST_UNASKED: u64 = 3_000_000;

/// Whether a selective search of the task begins with a proof: where the proof is expected to take half of the limits or
/// less.
pub(super) fn may_prove<P: Position, E: SolverHooks<P>>(task: &Task<P>, evaluator: &E) -> bool {
    let one = proof_nodes(&task.position, evaluator).filter(|_| reaches_end(task));
    one.is_some_and(|one| one.saturating_mul(values(task)) <= most_nodes(task) / 2)
}

/// The prover of a game, with a table of up to `slots`.
fn prover<'a, P: Position, E: SolverHooks<P>>(
    evaluator: &'a E,
    slots: usize,
) -> Box<dyn Prover<P> + 'a> {
    let own = evaluator.prove(SolverTable::new(slots));
    own.unwrap_or_else(|| Box::new(PliesProver::new(evaluator, SolverTable::new(slots))))
}

/// The game's own prover without a table, to estimate the cost of a proof.
fn own_prover<P: Position, E: SolverHooks<P>>(evaluator: &E) -> Option<Box<dyn Prover<P> + '_>> {
    evaluator.prove(SolverTable::new(0))
}

/// The estimated number of positions of a proof at the beginning of a selective search.
pub(crate) fn proof_nodes<P: Position, E: SolverHooks<P>>(
    position: &P,
    evaluator: &E,
) -> Option<u64> {
    own_prover(evaluator)?.proof_nodes(position)
}

/// The number of values to find for a task: one, or one for each root move.
fn values<P: Position>(task: &Task<P>) -> u64 {
    if task.wanted() == 1 { 1 } else { task.root_moves().len() as u64 }
}

/// The estimated number of positions that the limits of a task allow a prover.
fn most_nodes<P: Position>(task: &Task<P>) -> u64 {
    let limits = &task.limits;
    let by_time = limits.time.map(|time| time.as_millis() as u64 * NODES_PER_SECOND / 1000);
    limits.nodes.into_iter().chain(by_time).min().unwrap_or(2 * MOST_UNASKED)
}

/// Whether a selective search without a proof begins with a presearch to the end of the game: where the presearch is expected
/// to take twice the limits or less, since many presearches take far less than the mean.
pub(super) fn may_presearch<P: Position, E: SolverHooks<P>>(task: &Task<P>, evaluator: &E) -> bool {
    presearch_nodes(task, evaluator).is_some_and(|nodes| nodes / 2 <= most_nodes(task))
}

/// The estimated number of positions of a presearch of the task.
fn presearch_nodes<P: Position, E: SolverHooks<P>>(task: &Task<P>, evaluator: &E) -> Option<u64> {
    let one = own_prover(evaluator)?.presearch_nodes(&task.position);
    one.filter(|_| reaches_end(task)).map(|one| one.saturating_mul(values(task)))
}

/// The nodes with which a presearch mostly reaches the end of the game: a presearch has three quarters of the nodes, and
/// mostly takes less than twice the mean. `None` for a search without a presearch.
pub(crate) fn nodes_to_end<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
) -> Option<u64> {
    let nodes = presearch_nodes(task, evaluator).filter(|_| task.algorithm == Algorithm::Selective);
    nodes.map(|nodes| nodes.saturating_mul(2) / 3 * 4)
}

/// The positions of the proof at the beginning of an alpha-beta search.
fn short_proof_nodes<P: Position>(task: &Task<P>) -> Option<u64> {
    Some(task.limits.proof_nodes?.saturating_mul(values(task)))
}

/// The greatest number of bytes that the table of a proof may occupy.
pub(super) const MOST_MEMORY: usize = proof_table::MOST_BYTES;

/// The bytes that the tables of a search may occupy: those of the prover, and of the alpha-beta search that follows it.
pub(super) fn memory<P: Position>(task: &Task<P>) -> usize {
    let own = if P::PROPERTIES.margin_step > 0 { proof_table::OWN_BYTES } else { 0 };
    proof_table::bytes(task_slots(task)) + own + negamax::memory(task)
}

/// The slots of the table of a proof of the task: no more than a short proof fills.
fn task_slots<P: Position>(task: &Task<P>) -> usize {
    let slots = slots(task.position.plies_left().unwrap_or(0));
    let most = short_proof_nodes(task).and_then(u64::checked_next_power_of_two);
    most.map_or(slots, |most| slots.min(most as usize))
}

/// A root and the prover that works on it.
struct RootSolution<'a, P: Position, E> {
    task: &'a Task<P>,
    evaluator: &'a E,
    prover: Box<dyn Prover<P> + 'a>,
    is_presearch: bool,
}

impl<'a, P: Position, E: SolverHooks<P>> RootSolution<'a, P, E> {
    fn new(task: &'a Task<P>, evaluator: &'a E) -> Self {
        let prover = prover(evaluator, task_slots(task));
        Self { task, evaluator, prover, is_presearch: false }
    }

    fn set_presearch(&mut self, is_presearch: bool) {
        self.prover.set_presearch(is_presearch);
        self.is_presearch = is_presearch;
    }

    /// A move that holds the proven value, with the whole line; or the wanted number of best moves, where that is more than
    /// one.
    fn variations(
        &mut self,
        budget: &mut Budget,
    ) -> Result<Vec<SearchVariation<P::Move>>, Interrupted> {
        let wanted = self.task.wanted();
        if wanted == 1 { Ok(vec![self.best(budget)?]) } else { self.best_of_all(budget, wanted) }
    }

    /// A move that holds the solver score of the root.
    fn best(&mut self, budget: &mut Budget) -> Result<SearchVariation<P::Move>, Interrupted> {
        let root = &self.task.position;
        let value = self.root_value(budget)?;
        let mv = self.prover.holding_move(budget, root, self.task.root_moves(), value)?;
        self.variation(budget, mv, value)
    }

    fn root_value(&mut self, budget: &mut Budget) -> Result<SolverScore, Interrupted> {
        let root = &self.task.position;
        let moves = match self.task.moves[..] {
            [] => Vec::new(),
            _ => self.prover.in_search_order(root, self.task.root_moves(), 0),
        };
        let known = if moves.is_empty() { known_value(self.evaluator, root) } else { None };
        match known.zip(root.plies_left()) {
            Some((score, plies)) => Ok(solver_score_of(score, plies)),
            None => self.prover.value(budget, root, &moves),
        }
    }

    /// The wanted number of best moves, each with its own solver score.
    fn best_of_all(
        &mut self,
        budget: &mut Budget,
        wanted: usize,
    ) -> Result<Vec<SearchVariation<P::Move>>, Interrupted> {
        let root = &self.task.position;
        let mut values = Vec::new();
        for mv in self.task.root_moves() {
            values.push((mv, self.prover.move_value(budget, root, mv)?));
        }
        // Equal moves keep the order of search for a holding move.
        let best = values.iter().map(|&(_, value)| value).max().unwrap_or_default();
        let moves = self.prover.in_search_order(root, self.task.root_moves(), best);
        let mut ranking = Ranking::new(wanted);
        for (place, mv) in moves.into_iter().enumerate() {
            let value =
                values.iter().find(|&&(valued, _)| valued == mv).map_or(best, |&(_, value)| value);
            let variation = self.variation(budget, mv, value)?;
            if variation.score > ranking.threshold(place) {
                ranking.insert(place, variation);
            }
        }
        Ok(ranking.into_variations())
    }

    /// A root move with its solver score and the line of best play after it. The score of a presearch is the likely margin.
    fn variation(
        &mut self,
        budget: &mut Budget,
        mv: P::Move,
        value: SolverScore,
    ) -> Result<SearchVariation<P::Move>, Interrupted> {
        let root = &self.task.position;
        let continuation = self.continuation(budget, root.play(mv), -value)?;
        if self.is_presearch {
            let score = Score::heuristic(100 * P::PROPERTIES.margin_step as i32 * i32::from(value));
            return Ok(SearchVariation::new(mv, score, continuation));
        }
        let (outcome, score) = outcome_and_score_of(value, root);
        let (outcome, margin) = (Some(outcome), proven_margin::<P>(score, outcome));
        Ok(SearchVariation { outcome, margin, ..SearchVariation::new(mv, score, continuation) })
    }

    /// The line of best play from a position with a known solver score. The line of a presearch may be unfinished.
    fn continuation(
        &mut self,
        budget: &mut Budget,
        mut position: P,
        mut value: SolverScore,
    ) -> Result<Vec<P::Move>, Interrupted> {
        let mut line = Vec::new();
        while position.outcome().is_none() {
            let moves = position.legal_moves().into_iter().collect();
            let mv = match self.prover.holding_move(budget, &position, moves, value) {
                Err(_) if self.is_presearch => break,
                found => found?,
            };
            line.push(mv);
            position = position.play(mv);
            value = -value;
        }
        Ok(line)
    }
}
