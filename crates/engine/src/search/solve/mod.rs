//! The prover of games that must end: outcome and distance of a position under best play.
//!
//! The [`Prover`] finds the value; here it becomes an answer: a move that holds it, the line to the
//! end of the game, and the choice among equals.

mod prover;
mod table;

use std::sync::atomic::AtomicBool;

use self::prover::Prover;
use self::table::{Proofs, slots};
use super::drivers::alpha_beta;
use super::limits::{Budget, Interrupted, Limits, StoppedBy};
use super::losing_tie_break::break_tie;
use super::negamax;
use super::ranking::Ranking;
use super::report::{Report, Source, Variation};
use super::task::{Algorithm, Task};
use crate::game::{Margin, Outcome, Position, Score, SolverHooks, margin_of, meaning};

/// The margins of many positions, proven one after the other with one table of `entries` slots.
pub(super) fn margins<P: Position, E: SolverHooks<P>>(
    positions: impl Iterator<Item = P>,
    evaluator: &E,
    entries: usize,
    sink: &mut dyn FnMut(P, Margin) -> bool,
) {
    let never = AtomicBool::new(false);
    let mut budget = Budget::new(&Limits::depth(u32::MAX), &never);
    let mut prover = Prover::new(evaluator, &mut budget, Proofs::new(entries));
    for position in positions {
        let Ok(margin) = prover.margin(&position) else {
            unreachable!("nothing interrupts a search without limits");
        };
        if !sink(position, margin) {
            break;
        }
    }
}

/// Proves the value of the root. Where the depth does not reach the end of the game, or a limit
/// stops the proof, the answer is that of alpha-beta, for which a quarter of the budget is kept.
pub(super) fn search<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let reaches_end = task.position.plies_left().is_some_and(|plies| plies <= task.limits.depth);
    if !reaches_end {
        return alpha_beta(task, evaluator, budget, observer);
    }
    budget.hold_back_quarter(task.root_moves().len() as u64);
    let proof = Solution::new(task, evaluator, budget).variations();
    budget.release();
    match proof {
        Ok(variations) => {
            let report = proven_report(task, evaluator, budget, variations);
            observer(&report);
            report
        }
        Err(Interrupted(StoppedBy::Time)) => {
            // With more time there would have been a proof, whatever alpha-beta still completes.
            let report = alpha_beta(task, evaluator, budget, observer);
            Report { stopped_by: StoppedBy::Time, ..report }
        }
        Err(_) => alpha_beta(task, evaluator, budget, observer),
    }
}

/// The answer that these proven variations make, once the tie-break among losing moves is over.
fn proven_report<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    mut variations: Vec<Variation<P::Move>>,
) -> Report<P::Move> {
    let outcome = variations[0].outcome;
    if outcome == Some(Outcome::Loss) {
        break_tie(task, evaluator, budget, &mut variations);
    }
    Report {
        depth: variations[0].continuation.len() as u32 + 1,
        variations,
        outcome,
        algorithm: Algorithm::Solve,
        source: Source::Search,
        nodes: budget.nodes(),
        stopped_by: budget.interrupted_by().unwrap_or(StoppedBy::Solved),
    }
}

/// The most bytes that the table of a proof may come to occupy.
pub(super) const MOST_MEMORY: usize = table::MOST_BYTES;

/// The bytes that the tables of such a search may come to occupy: those of the prover, and of the
/// alpha-beta that follows it.
pub(super) fn memory<P: Position>(task: &Task<P>) -> usize {
    table::bytes(slots(task.position.plies_left().unwrap_or(0))) + negamax::memory(task)
}

/// The proven margin of an unfinished position, without a line or a choice among equals, and the
/// positions visited. The table has up to `entries` slots; if `None`, as many as in a search.
pub(super) fn margin<P: Position, E: SolverHooks<P>>(
    position: &P,
    evaluator: &E,
    entries: Option<usize>,
) -> (Margin, u64) {
    let never = AtomicBool::new(false);
    let mut budget = Budget::new(&Limits::depth(u32::MAX), &never);
    let largest = entries.unwrap_or_else(|| slots(position.plies_left().unwrap_or(0)));
    let proofs = Proofs::new(largest);
    let Ok(margin) = Prover::new(evaluator, &mut budget, proofs).margin(position) else {
        unreachable!("nothing interrupts a search without limits");
    };
    (margin, budget.nodes())
}

/// A root and the prover that works on it.
struct Solution<'a, 'b, P: Position, E> {
    task: &'a Task<P>,
    prover: Prover<'a, 'b, P, E>,
}

impl<'a, 'b, P: Position, E: SolverHooks<P>> Solution<'a, 'b, P, E> {
    fn new(task: &'a Task<P>, evaluator: &'a E, budget: &'a mut Budget<'b>) -> Self {
        let plies = task.position.plies_left().unwrap_or(0);
        Self { task, prover: Prover::new(evaluator, budget, Proofs::new(slots(plies))) }
    }

    /// The first move that holds the proven value, with the whole line; as many of the best moves as
    /// are wanted, where that is more than one.
    fn variations(mut self) -> Result<Vec<Variation<P::Move>>, Interrupted> {
        let wanted = self.task.wanted();
        if wanted == 1 { Ok(vec![self.best()?]) } else { self.best_of_all(wanted) }
    }

    /// The first of the moves that hold the margin of the root.
    fn best(&mut self) -> Result<Variation<P::Move>, Interrupted> {
        let margin = self.root_margin()?;
        let mv = self.holding(&self.task.position, self.task.root_moves(), margin)?;
        self.variation(mv, margin)
    }

    fn root_margin(&mut self) -> Result<Margin, Interrupted> {
        let root = &self.task.position;
        if self.task.moves.is_empty() {
            let known = self.prover.evaluator.known(root).zip(root.plies_left());
            return match known {
                Some((score, plies)) => Ok(margin_of(score, plies)),
                None => self.prover.margin(root),
            };
        }
        let mut best = Margin::MIN;
        for mv in self.task.root_moves() {
            best = best.max(self.prover.move_margin(root, mv)?);
        }
        Ok(best)
    }

    /// As many of the best moves as are wanted, each with its own margin.
    fn best_of_all(&mut self, wanted: usize) -> Result<Vec<Variation<P::Move>>, Interrupted> {
        let root = &self.task.position;
        let mut ranking = Ranking::new(wanted);
        for (place, mv) in self.task.root_moves().into_iter().enumerate() {
            let margin = self.prover.move_margin(root, mv)?;
            let variation = self.variation(mv, margin)?;
            if variation.score > ranking.threshold(place) {
                ranking.insert(place, variation);
            }
        }
        Ok(ranking.into_variations())
    }

    /// A root move of this margin, with the line of best play after it.
    fn variation(
        &mut self,
        mv: P::Move,
        margin: Margin,
    ) -> Result<Variation<P::Move>, Interrupted> {
        let (outcome, score) = self.meaning(margin);
        let continuation = self.continuation(self.task.position.play(mv), -margin)?;
        Ok(Variation { mv, score, outcome: Some(outcome), continuation })
    }

    /// What a margin of the root means.
    fn meaning(&self, margin: Margin) -> (Outcome, Score) {
        meaning(margin, self.task.position.plies_left().unwrap_or(0))
    }

    /// The line of best play from a position of this margin.
    fn continuation(
        &mut self,
        mut position: P,
        mut margin: Margin,
    ) -> Result<Vec<P::Move>, Interrupted> {
        let mut line = Vec::new();
        while position.outcome().is_none() {
            let mv = self.holding(&position, position.legal_moves(), margin)?;
            line.push(mv);
            position = position.play(mv);
            margin = -margin;
        }
        Ok(line)
    }

    /// The first of `moves` that holds the margin of `position`.
    fn holding(
        &mut self,
        position: &P,
        moves: impl IntoIterator<Item = P::Move>,
        margin: Margin,
    ) -> Result<P::Move, Interrupted> {
        for mv in moves {
            if self.prover.move_at_least(position, mv, margin)? >= margin {
                return Ok(mv);
            }
        }
        unreachable!("a proven margin is that of some move")
    }
}
