//! The proof of a solver score, by null-window questions.
//!
//! A value here is a [`SolverScore`]: one number, but for its sign, at every node of a line, so that no distance is adjusted
//! from ply to ply. A game decides positions and orders moves in [`expand`](SolverHooks::expand); the other positions are
//! searched, with a table.

use crate::game::limits::{Budget, Interrupted};
use crate::game::proof_child::ProofChild;
use crate::game::proof_table::{Hash, SolverTable};
use crate::game::{
    Expansion, Position, Prover, Question, SolverHooks, SolverScore, final_value, plies_left,
    solver_score_of,
};
use crate::search::transposition_table::search_key;

/// Proves the outcome of a position and its distance in plies.
pub(super) struct PliesProver<'a, P: Position, E> {
    evaluator: &'a E,
    table: SolverTable,
    /// The children of all nodes of the current path, the deepest node's last, best first.
    children: Vec<ProofChild<P>>,
}

impl<P: Position, E: SolverHooks<P>> Prover<P> for PliesProver<'_, P, E> {
    /// Narrows the solver score down to one value. The first questions ask whether the game ends soon, since short proofs
    /// are cheap. The next ones ask who wins, and whether in the last two turns, since hard positions end
    /// late. The others halve the interval.
    fn value(
        &mut self,
        budget: &mut Budget,
        position: &P,
        moves: &[P::Move],
    ) -> Result<SolverScore, Interrupted> {
        if !moves.is_empty() {
            let mut best = SolverScore::MIN;
            for &mv in moves {
                best = best.max(self.move_value(budget, position, mv)?);
            }
            return Ok(best);
        }
        let plies = plies_left(position);
        let (mut low, mut high) = (self.least_value(position).unwrap_or(1 - plies), plies);
        let mut soon = [0, 2, 6].into_iter().flat_map(|later| [(true, later), (false, later)]);
        let mut late = 0..2;
        while low < high {
            let beta = match soon.next() {
                Some((true, later)) => (high - later).max(low + 1),
                Some((false, later)) => (low + 1 + later).min(high),
                None if low < 0 && high >= 0 => SolverScore::from(high > 0),
                None if late.next().is_none() => low + (high - low + 1) / 2,
                None if low >= 0 => (low.max(1) + 2).min(high),
                None => (high.min(-1) - 1).max(low + 1),
            };
            let value = self.at_least(budget, position, beta)?;
            if value >= beta {
                low = low.max(value);
            } else {
                high = high.min(value);
            }
        }
        // A move that ends the game may lose at once, which is worth less than the assumed lower end.
        Ok(low.min(high))
    }

    fn at_least(
        &mut self,
        budget: &mut Budget,
        position: &P,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        let hash = hash(position, plies_left(position));
        self.node_at_least(budget, position, hash, beta)
    }

    /// The move that is known to hold the value, else the first that does in search order. Some move holds a proven value, so
    /// the last one need not be asked.
    fn holding_move(
        &mut self,
        budget: &mut Budget,
        position: &P,
        moves: Vec<P::Move>,
        value: SolverScore,
    ) -> Result<P::Move, Interrupted> {
        if let Some(known) = self.known_move(position).filter(|mv| moves.contains(mv)) {
            return Ok(known);
        }
        let mut moves = self.in_search_order(position, moves, value);
        moves.retain(|&mv| self.most_value(position, mv).is_none_or(|most| most >= value));
        let Some(last) = moves.pop() else {
            unreachable!("an unfinished position has a move that holds its value")
        };
        for mv in moves {
            if self.move_at_least(budget, position, mv, value)? >= value {
                return Ok(mv);
            }
        }
        Ok(last)
    }

    fn in_search_order(
        &mut self,
        position: &P,
        mut moves: Vec<P::Move>,
        value: SolverScore,
    ) -> Vec<P::Move> {
        let start = self.children.len();
        self.expand(position, plies_left(position), value);
        ProofChild::sort_moves(&self.children[start..], position, &mut moves);
        self.children.truncate(start);
        moves
    }
}

impl<'a, P: Position, E: SolverHooks<P>> PliesProver<'a, P, E> {
    pub(super) fn new(evaluator: &'a E, table: SolverTable) -> Self {
        Self { evaluator, table, children: Vec::new() }
    }

    /// A lower bound of the solver score of an unfinished position, where a book tells one.
    fn least_value(&self, position: &P) -> Option<SolverScore> {
        let score = self.evaluator.known(position, Question::Least)?.score()?;
        Some(solver_score_of(score, position.plies_left()?))
    }

    /// A move that holds the value of a position, where a book has one.
    fn known_move(&self, position: &P) -> Option<P::Move> {
        self.evaluator.known(position, Question::Move)?.mv()
    }

    /// An upper bound of the value of `mv`, where one is known without a search.
    fn most_value(&self, position: &P, mv: P::Move) -> Option<SolverScore> {
        let child = position.play(mv);
        let least = match child.outcome() {
            Some(outcome) => Some(final_value(outcome, &child)),
            None => self.least_value(&child),
        };
        least.map(|value| -value)
    }

    /// As [`at_least`](Prover::at_least), with the hash of a position that the table keeps.
    fn node_at_least(
        &mut self,
        budget: &mut Budget,
        position: &P,
        hash: Option<Hash>,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        let plies = plies_left(position);
        if let Some(known) = hash.and_then(|hash| self.table.settles(hash, beta)) {
            return Ok(known);
        }
        let start = self.children.len();
        let (low, high, rest) = match self.expand(position, plies, beta) {
            Expansion::Decided(value) => return Ok(value),
            Expansion::Open { low, high, rest } => (low, high, rest),
        };
        // High in the tree, where a search costs most, the table is asked about all children before any is searched.
        let asks_table = plies >= ASK_CHILDREN_FROM;
        let asked = if asks_table { &self.children[start..] } else { &[] };
        let best = match ProofChild::settled(asked, &self.table, beta) {
            Some(known) => known,
            None => self.best_child(budget, start, beta)?.max(rest).clamp(low, high),
        };
        self.children.truncate(start);
        if let Some(hash) = hash {
            self.table.insert(hash, best, beta);
        }
        Ok(best)
    }

    /// Puts the children that matter on the stack, best first, unless the game decides the position without a search.
    fn expand(&mut self, position: &P, plies: SolverScore, beta: SolverScore) -> Expansion {
        let (children, table) = (&mut self.children, &self.table);
        let start = children.len();
        let expansion = self.evaluator.expand(position, beta, |position, rank| {
            let hash = hash(&position, plies - 1);
            ProofChild { position, rank, hash }.insert(children, start, table);
        });
        if !matches!(expansion, Expansion::Open { .. }) {
            children.truncate(start);
        }
        expansion
    }

    /// The best solver score among the children from `start`, or one that is `beta` or more.
    fn best_child(
        &mut self,
        budget: &mut Budget,
        start: usize,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        let mut best = SolverScore::MIN;
        for next in start..self.children.len() {
            let ProofChild { position, hash, .. } = self.children[next].clone();
            budget.visit()?;
            best = best.max(-self.node_at_least(budget, &position, hash, 1 - beta)?);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }
}

/// The least number of plies left with which the table is asked about all children first.
const ASK_CHILDREN_FROM: SolverScore = 12;

/// The table keeps only positions with more plies left.
const KEPT_ABOVE: SolverScore = 6;

/// The hash of a position with `plies` left, if the table keeps it. The table keeps every second ply, which is enough, and
/// no positions near the end, where a search is cheaper than a miss of the processor's cache.
fn hash<P: Position>(position: &P, plies: SolverScore) -> Option<Hash> {
    (plies % 2 == 0 && plies > KEPT_ABOVE).then(|| Hash::of(search_key(position).0))
}
