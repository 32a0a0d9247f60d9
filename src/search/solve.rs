//! The prover of games that must end: outcome and distance of a position under best play.
//!
//! A value here is a *margin*: the plies that are still unused when the game is over, plus one, for
//! the winner; minus that for the loser; 0 for a draw. Since every ply uses up exactly one, a margin
//! is the same number at every node of a line (Pons, *Solving Connect Four*), and a quicker win has
//! a larger one. The proof asks null-window questions about the margin until one value is left.

use super::deepening::Best;
use super::ordering::{Ranked, bring_best_forward};
use super::proofs::{Margin, Proofs};
use super::stop::{Budget, Interrupted};
use super::{Algorithm, Report, Task, negamax};
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

    /// The proven answer: the value, the first move that holds it and the whole line.
    fn report(mut self) -> Result<Report<P::Move>, Interrupted> {
        let margin = self.root_margin()?;
        let plies = self.plies_to_end(margin);
        let (outcome, score) = match margin {
            0 => (Outcome::Draw, Score::DRAWN),
            1.. => (Outcome::Win, Score::won_in(plies)),
            _ => (Outcome::Loss, Score::lost_in(plies)),
        };
        let mut best = self.best(margin, score)?;
        if outcome == Outcome::Loss {
            best = negamax::resist(self.task, self.evaluator, self.budget, best);
        }
        let nodes = self.budget.nodes();
        Ok(best.into_report(Some(outcome), Algorithm::Solve, plies, nodes))
    }

    /// The plies to the end of the game from the root at this margin.
    fn plies_to_end(&self, margin: Margin) -> u32 {
        let unused = (margin.unsigned_abs() as u32).saturating_sub(1);
        self.task.position.plies_left().unwrap_or(0) - unused
    }

    /// Narrows the margin of the root down to one value. The first questions are whether the game
    /// ends soon, since short proofs are cheap; the others halve the interval.
    fn root_margin(&mut self) -> Result<Margin, Interrupted> {
        let plies = plies_left(&self.task.position);
        let (mut low, mut high) = (1 - plies, plies);
        let mut soon = [0, 2, 6].into_iter().flat_map(|later| [plies - later, 2 - plies + later]);
        while low < high {
            let inside = |beta: &Margin| low < *beta && *beta <= high;
            let beta = soon.find(inside).unwrap_or(low + (high - low + 1) / 2);
            let margin = self.root_at_least(beta)?;
            if margin >= beta {
                low = low.max(margin);
            } else {
                high = high.min(margin);
            }
        }
        Ok(low)
    }

    /// A bound of the root's margin that tells whether it is `beta` or more.
    fn root_at_least(&mut self, beta: Margin) -> Result<Margin, Interrupted> {
        let root = &self.task.position;
        let mut best = Margin::MIN;
        for mv in self.task.root_moves() {
            best = best.max(self.move_at_least(root, mv, beta)?);
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

    /// The first of the root moves that holds its margin, and the line of best play after it.
    fn best(&mut self, margin: Margin, score: Score) -> Result<Best<P::Move>, Interrupted> {
        let root = &self.task.position;
        let mv = self.holding(root, self.task.root_moves(), margin)?;
        let mut continuation = Vec::new();
        let (mut position, mut margin) = (root.play(mv), -margin);
        while position.outcome().is_none() {
            let mv = self.holding(&position, position.legal_moves(), margin)?;
            continuation.push(mv);
            position = position.play(mv);
            margin = -margin;
        }
        Ok(Best { mv, score, continuation })
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
}
