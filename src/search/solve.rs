//! The prover of games that must end: outcome and distance of a position under best play.
//!
//! A value here is a *margin*: the plies that are still unused when the game is over, plus one, for
//! the winner; minus that for the loser; 0 for a draw. Since every ply uses up exactly one, a margin
//! is the same number at every node of a line (Pons, *Solving Connect Four*), and a quicker win has
//! a larger one. The proof asks null-window questions about the margin until one value is left.

use super::ordering::{Ranked, bring_best_forward};
use super::proofs::{Margin, Proofs};
use super::ranking::Ranking;
use super::stop::{Budget, Interrupted, StoppedBy};
use super::{Algorithm, Report, Task, Variation, negamax};
use crate::game::{Evaluator, Outcome, Position, Score};

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

struct Prover<'a, 'b, P: Position, E> {
    task: &'a Task<P>,
    evaluator: &'a E,
    budget: &'a mut Budget<'b>,
    proofs: Proofs,
    /// The moves of all nodes of the current path, the deepest node's last.
    moves: Vec<Ranked<P::Move>>,
}

/// The plies that `position` leaves, as a margin.
fn plies_left<P: Position>(position: &P) -> Margin {
    position.plies_left().map_or(0, |plies| plies as Margin)
}

impl<'a, 'b, P: Position, E: Evaluator<P>> Prover<'a, 'b, P, E> {
    fn new(task: &'a Task<P>, evaluator: &'a E, budget: &'a mut Budget<'b>) -> Self {
        budget.arm();
        Self { task, evaluator, budget, proofs: Proofs::new(), moves: Vec::new() }
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
        let moves = self.task.root_moves();
        let margin = self.margin(&moves)?;
        let mv = self.holding(&self.task.position, moves, margin)?;
        self.variation(mv, margin)
    }

    /// As many of the best moves as are wanted, each with its own margin.
    fn best_of_all(&mut self, wanted: usize) -> Result<Vec<Variation<P::Move>>, Interrupted> {
        let mut ranking = Ranking::new(wanted);
        for (place, mv) in self.task.root_moves().into_iter().enumerate() {
            let margin = self.margin(&[mv])?;
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
        let unused = u32::from(margin.unsigned_abs()).saturating_sub(1);
        let plies = self.task.position.plies_left().unwrap_or(0) - unused;
        let outcome = match margin {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        };
        let continuation = self.continuation(self.task.position.play(mv), -margin)?;
        Ok(Variation {
            mv,
            score: Score::ended(outcome, plies),
            outcome: Some(outcome),
            continuation,
        })
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

    /// Narrows the margin of the root, if only these moves may be played, down to one value. The
    /// first questions are whether the game ends soon, since short proofs are cheap; the others
    /// halve the interval.
    fn margin(&mut self, moves: &[P::Move]) -> Result<Margin, Interrupted> {
        let plies = plies_left(&self.task.position);
        let (mut low, mut high) = (1 - plies, plies);
        let mut soon = [0, 2, 6].into_iter().flat_map(|later| [plies - later, 2 - plies + later]);
        while low < high {
            let inside = |beta: &Margin| low < *beta && *beta <= high;
            let beta = soon.find(inside).unwrap_or(low + (high - low + 1) / 2);
            let margin = self.best_at_least(moves, beta)?;
            if margin >= beta {
                low = low.max(margin);
            } else {
                high = high.min(margin);
            }
        }
        Ok(low)
    }

    /// A bound of the root's margin, if only these moves may be played, that tells whether it is
    /// `beta` or more.
    fn best_at_least(&mut self, moves: &[P::Move], beta: Margin) -> Result<Margin, Interrupted> {
        let mut best = Margin::MIN;
        for &mv in moves {
            best = best.max(self.move_at_least(&self.task.position, mv, beta)?);
            if best >= beta {
                break;
            }
        }
        Ok(best)
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
            Some(Outcome::Loss) => Ok(plies_left(&child) + 1),
            Some(Outcome::Win) => Ok(-plies_left(&child) - 1),
            Some(Outcome::Draw) => Ok(0),
            None => Ok(-self.at_least(&child, 1 - beta)?),
        }
    }

    /// A bound of the margin of an unfinished position: a lower one if it is `beta` or more, else
    /// an upper one.
    fn at_least(&mut self, position: &P, beta: Margin) -> Result<Margin, Interrupted> {
        let plies = plies_left(position);
        if self.wins_at_once(position)? {
            return Ok(plies);
        }
        // The next own chance to end the game is two plies later, the opponent's one.
        let (low, high) = (1 - plies, (plies - 2).max(0));
        if high < beta {
            return Ok(high);
        }
        if low >= beta {
            return Ok(low);
        }
        let (key, _) = position.canonical();
        if let Some(known) = self.proofs.settles(key, beta) {
            return Ok(known);
        }
        let start = self.moves.len();
        self.rank_moves(position);
        let mut best = Margin::MIN;
        for next in start..self.moves.len() {
            let mv = bring_best_forward(&mut self.moves[next..]);
            best = best.max(self.move_at_least(position, mv, beta)?);
            if best >= beta {
                break;
            }
        }
        self.moves.truncate(start);
        self.proofs.insert(key, best, beta);
        Ok(best)
    }

    fn wins_at_once(&mut self, position: &P) -> Result<bool, Interrupted> {
        for mv in position.legal_moves() {
            self.budget.visit()?;
            if position.play(mv).outcome() == Some(Outcome::Loss) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn rank_moves(&mut self, position: &P) {
        for mv in position.legal_moves() {
            self.moves.push(Ranked { mv, rank: self.evaluator.promise(position, mv) });
        }
    }
}
