//! The prover of games that must end: outcome and distance of a position under best play.
//!
//! A value here is a [`Margin`]. The proof asks null-window questions about the margin of the root
//! until one value is left. What a game can tell by looking, it tells in
//! [`expand`](Evaluator::expand).

use std::sync::atomic::AtomicBool;

use super::proofs::Proofs;
use super::ranking::Ranking;
use super::stop::{Budget, Interrupted, StoppedBy};
use super::{Algorithm, Report, Task, Variation, negamax};
use crate::game::{Evaluator, Expansion, Margin, Outcome, Position, Score, plies_left};

/// Proves the value of the root. Where the depth does not reach the end of the game, or a limit
/// stops the proof, the answer is that of alpha-beta, for which a quarter of the budget is kept.
pub(super) fn search<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let reaches_end = task.position.plies_left().is_some_and(|plies| plies <= task.limits.depth);
    if reaches_end {
        budget.hold_back_quarter(task.root_moves().len() as u64);
        let proof = Prover::new(task, evaluator, budget).report();
        budget.release();
        if let Ok(report) = proof {
            observer(&report);
            return report;
        }
    }
    negamax::search(task, evaluator, budget, observer)
}

/// The proven value of the root, without a line or a choice among equals, and the positions visited.
pub(super) fn value<P: Position, E: Evaluator<P>>(task: &Task<P>, evaluator: &E) -> (Score, u64) {
    let never = AtomicBool::new(false);
    let mut budget = Budget::new(&task.limits, &never);
    let mut prover = Prover::new(task, evaluator, &mut budget);
    let Ok(margin) = prover.root_margin() else {
        unreachable!("nothing interrupts a search without limits");
    };
    (prover.meaning(margin).1, budget.nodes())
}

struct Prover<'a, 'b, P: Position, E> {
    task: &'a Task<P>,
    evaluator: &'a E,
    budget: &'a mut Budget<'b>,
    proofs: Proofs,
    /// The children of all nodes of the current path, the deepest node's last, best first.
    children: Vec<Child<P>>,
}

impl<'a, 'b, P: Position, E: Evaluator<P>> Prover<'a, 'b, P, E> {
    fn new(task: &'a Task<P>, evaluator: &'a E, budget: &'a mut Budget<'b>) -> Self {
        budget.arm();
        Self { task, evaluator, budget, proofs: Proofs::new(), children: Vec::new() }
    }

    /// The proven answer: the value, the first move that holds it and the whole line; of all moves,
    /// where more are wanted.
    fn report(mut self) -> Result<Report<P::Move>, Interrupted> {
        let wanted = self.task.wanted();
        let mut variations =
            if wanted == 1 { vec![self.best()?] } else { self.best_of_all(wanted)? };
        let outcome = variations[0].outcome;
        if outcome == Some(Outcome::Loss) {
            negamax::resist(self.task, self.evaluator, self.budget, &mut variations);
        }
        Ok(Report {
            depth: variations[0].continuation.len() as u32 + 1,
            variations,
            outcome,
            algorithm: Algorithm::Solve,
            nodes: self.budget.nodes(),
            stopped_by: StoppedBy::Solved,
        })
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
            return self.margin(root);
        }
        let mut best = Margin::MIN;
        for mv in self.task.root_moves() {
            best = best.max(self.move_margin(mv)?);
        }
        Ok(best)
    }

    /// As many of the best moves as are wanted, each with its own margin.
    fn best_of_all(&mut self, wanted: usize) -> Result<Vec<Variation<P::Move>>, Interrupted> {
        let mut ranking = Ranking::new(wanted);
        for (place, mv) in self.task.root_moves().into_iter().enumerate() {
            let margin = self.move_margin(mv)?;
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
        let unused = u32::from(margin.unsigned_abs()).saturating_sub(1);
        let plies = self.task.position.plies_left().unwrap_or(0) - unused;
        let outcome = match margin {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        };
        (outcome, Score::ended(outcome, plies))
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
            if self.move_at_least(position, mv, margin)? >= margin {
                return Ok(mv);
            }
        }
        unreachable!("a proven margin is that of some move")
    }

    /// The margin of the root if `mv` is played.
    fn move_margin(&mut self, mv: P::Move) -> Result<Margin, Interrupted> {
        self.budget.visit()?;
        let child = self.task.position.play(mv);
        match child.outcome() {
            Some(outcome) => Ok(-ended(outcome, &child)),
            None => Ok(-self.margin(&child)?),
        }
    }

    /// Narrows the margin of an unfinished position down to one value. The first questions are
    /// whether the game ends soon, since short proofs are cheap; the others halve the interval.
    fn margin(&mut self, position: &P) -> Result<Margin, Interrupted> {
        let plies = plies_left(position);
        let (mut low, mut high) = (1 - plies, plies);
        let mut soon = [0, 2, 6].into_iter().flat_map(|later| [(true, later), (false, later)]);
        while low < high {
            let beta = match soon.next() {
                Some((true, later)) => (high - later).max(low + 1),
                Some((false, later)) => (low + 1 + later).min(high),
                None => low + (high - low + 1) / 2,
            };
            let margin = self.at_least(position, beta)?;
            if margin >= beta {
                low = low.max(margin);
            } else {
                high = high.min(margin);
            }
        }
        Ok(low)
    }

    /// As [`at_least`](Self::at_least) for the position before `mv`, if it is played.
    fn move_at_least(
        &mut self,
        position: &P,
        mv: P::Move,
        beta: Margin,
    ) -> Result<Margin, Interrupted> {
        self.budget.visit()?;
        let child = position.play(mv);
        match child.outcome() {
            Some(outcome) => Ok(-ended(outcome, &child)),
            None => Ok(-self.at_least(&child, 1 - beta)?),
        }
    }

    /// A bound of the margin of an unfinished position: a lower one if it is `beta` or more, else
    /// an upper one.
    fn at_least(&mut self, position: &P, beta: Margin) -> Result<Margin, Interrupted> {
        let plies = plies_left(position);
        let is_kept = plies % 2 == 0 && plies > 6;
        let key = position.key();
        if is_kept && let Some(known) = self.proofs.settles(key, beta) {
            return Ok(known);
        }
        let start = self.children.len();
        let children = &mut self.children;
        let (low, high) = match self.evaluator.expand(position, beta, |position, rank| {
            let mut place = children.len();
            children.push(Child { position, rank });
            while place > start && children[place - 1].rank < rank {
                children.swap(place, place - 1);
                place -= 1;
            }
        }) {
            Expansion::Decided(margin) => {
                self.children.truncate(start);
                return Ok(margin);
            }
            Expansion::Open { low, high } => (low, high),
        };
        let mut best = low;
        for next in start..self.children.len() {
            let child = self.children[next].position.clone();
            self.budget.visit()?;
            best = best.max(-self.at_least(&child, 1 - beta)?);
            if best >= beta {
                break;
            }
        }
        best = best.min(high);
        self.children.truncate(start);
        if is_kept {
            self.proofs.insert(key, best, beta);
        }
        Ok(best)
    }
}

/// The margin of a finished position.
fn ended<P: Position>(outcome: Outcome, position: &P) -> Margin {
    match outcome {
        Outcome::Win => plies_left(position) + 1,
        Outcome::Draw => 0,
        Outcome::Loss => -plies_left(position) - 1,
    }
}

/// A position to try and how soon.
struct Child<P> {
    position: P,
    rank: i32,
}
