//! The proof of a solver score, by null-window questions.
//!
//! A value here is a [`SolverScore`]: the same number at every node of a line, so that nothing is counted
//! anew from ply to ply. What a game can tell of a position by looking, it tells in
//! [`expand`](SolverHooks::expand); what that leaves open is searched, with a table around it.

use super::table::{BestChildren, Hash, PRESEARCH_SLOTS, SolverTable, SolverTables};
use crate::game::{
    Expansion, LastSearch, Position, SolverHooks, SolverScore, final_value, plies_left,
    solver_score_range,
};
use crate::search::limits::{Budget, Interrupted, StoppedBy};
use crate::search::transposition_table::search_key;

/// Proves solver scores, one after the other; what it has learned stays.
pub(super) struct Prover<'a, 'b, P: Position, E> {
    pub(super) evaluator: &'a E,
    pub(super) budget: &'a mut Budget<'b>,
    tables: SolverTables,
    /// The children of all nodes of the current path, the deepest node's last, best first.
    children: Vec<Child<P>>,
    best_children: BestChildren,
    /// Whether likely answers count, and the tables hold such. Then nothing is proven.
    pub(super) is_presearch: bool,
    /// The likely margin of the root, where a presearch has found one.
    guess: Option<SolverScore>,
}

impl<'a, 'b, P: Position, E: SolverHooks<P>> Prover<'a, 'b, P, E> {
    pub(super) fn new(evaluator: &'a E, budget: &'a mut Budget<'b>, tables: SolverTables) -> Self {
        let (children, best_children) = (Vec::new(), BestChildren::default());
        Self {
            evaluator,
            budget,
            tables,
            children,
            best_children,
            is_presearch: false,
            guess: None,
        }
    }

    /// A prover that believes likely answers.
    pub(super) fn presearch(evaluator: &'a E, budget: &'a mut Budget<'b>) -> Self {
        let tables = SolverTables::one(SolverTable::new(PRESEARCH_SLOTS));
        Self { is_presearch: true, ..Self::new(evaluator, budget, tables) }
    }

    /// The prover after its presearch, which has left the best moves and the likely margin of the root.
    pub(super) fn proving(self, tables: SolverTables, guess: Option<SolverScore>) -> Self {
        Self { tables, is_presearch: false, guess, ..self }
    }

    /// What it has learned.
    pub(super) fn into_tables(self) -> SolverTables {
        self.tables
    }

    /// The solver score of `position` if `mv` is played.
    pub(super) fn move_value(
        &mut self,
        position: &P,
        mv: P::Move,
    ) -> Result<SolverScore, Interrupted> {
        self.budget.visit()?;
        let child = position.play(mv);
        match child.outcome() {
            Some(outcome) => Ok(-final_value(outcome, &child)),
            None => Ok(-self.value(&child)?),
        }
    }

    /// Narrows the solver score of an unfinished position down to one value. The first questions are
    /// whether the game ends soon, since short proofs are cheap. Then comes who wins, and whether in
    /// the last two turns, since hard positions end late; the others halve the interval.
    pub(super) fn value(&mut self, position: &P) -> Result<SolverScore, Interrupted> {
        if P::MARGIN_STEP > 0 {
            return self.margin(position, &[]);
        }
        let plies = plies_left(position);
        let known = self.evaluator.least_value(position);
        let (mut low, mut high) = (known.unwrap_or(1 - plies), plies);
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
            let value = self.at_least(position, beta)?;
            if value >= beta {
                low = low.max(value);
            } else {
                high = high.min(value);
            }
        }
        // A move that ends the game may lose at once, which is less than the least value assumed.
        Ok(low.min(high))
    }

    /// The same in a game that counts, if one of `moves` is played, or any where there are none. Far from the end a search
    /// with likely answers comes first.
    pub(super) fn margin(
        &mut self,
        position: &P,
        moves: &[P::Move],
    ) -> Result<SolverScore, Interrupted> {
        if let Some(guess) = self.guess.take() {
            return self.margin_near(guess, position, moves);
        }
        let after_moves = moves.iter().map(|&mv| position.play(mv));
        let unfinished = after_moves.filter(|child| child.outcome().is_none());
        let best_child = unfinished.map(|child| -self.evaluator.guessed_value(&child)).max();
        let mut guess = best_child.unwrap_or_else(|| self.evaluator.guessed_value(position));
        if plies_left(position) >= E::PRESEARCHED_FROM && !self.is_presearch {
            let tables = SolverTables::one(SolverTable::new(PRESEARCH_SLOTS));
            let proven = std::mem::replace(&mut self.tables, tables);
            self.is_presearch = true;
            let likely = self.margin_near(guess, position, moves);
            self.is_presearch = false;
            self.tables = proven;
            guess = likely?;
        }
        self.margin_near(guess, position, moves)
    }

    /// Asks questions that begin at a guess and move away from it by steps that grow as long as the answers point the
    /// same way.
    fn margin_near(
        &mut self,
        guess: SolverScore,
        position: &P,
        moves: &[P::Move],
    ) -> Result<SolverScore, Interrupted> {
        let (mut low, mut high) = solver_score_range(position);
        let (mut beta, mut step) = (guess, 1);
        while low < high {
            beta = beta.clamp(low + 1, high);
            let value = self.best_at_least(position, moves, beta)?;
            if value >= beta {
                low = low.max(value);
                beta = low.saturating_add(step);
            } else {
                high = high.min(value);
                beta = high.saturating_sub(step - 1);
            }
            step = (2 * step).min(8);
        }
        Ok(low)
    }

    /// As [`at_least`](Self::at_least), if one of `moves` is played, or any where there are none.
    fn best_at_least(
        &mut self,
        position: &P,
        moves: &[P::Move],
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        if moves.is_empty() {
            return self.at_least(position, beta);
        }
        let mut best = SolverScore::MIN;
        for &mv in moves {
            best = best.max(self.move_at_least(position, mv, beta)?);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// As [`at_least`](Self::at_least) for the position before `mv`, if it is played.
    pub(super) fn move_at_least(
        &mut self,
        position: &P,
        mv: P::Move,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        self.budget.visit()?;
        let child = position.play(mv);
        match child.outcome() {
            Some(outcome) => Ok(-final_value(outcome, &child)),
            None => Ok(-self.at_least(&child, 1 - beta)?),
        }
    }

    /// The most that `mv` may be worth, where that is known without a search.
    fn most_value(&self, position: &P, mv: P::Move) -> Option<SolverScore> {
        let child = position.play(mv);
        let least = match child.outcome() {
            Some(outcome) => Some(final_value(outcome, &child)),
            None => self.evaluator.least_value(&child),
        };
        least.map(|value| -value)
    }

    /// One of `moves` that holds the solver score of `position`: the one that is known to, else the first in
    /// [search order](Self::in_search_order). Where likely answers contradict each other, the one that comes nearest.
    pub(super) fn holding_move(
        &mut self,
        position: &P,
        moves: impl IntoIterator<Item = P::Move>,
        value: SolverScore,
    ) -> Result<P::Move, Interrupted> {
        let moves: Vec<P::Move> = moves.into_iter().collect();
        if let Some(known) = self.evaluator.known_move(position).filter(|mv| moves.contains(mv)) {
            return Ok(known);
        }
        let mut moves = self.in_search_order(position, moves, value);
        if !self.is_presearch {
            moves.retain(|&mv| self.most_value(position, mv).is_none_or(|most| most >= value));
        }
        let mut nearest = None;
        let mut moves = moves.into_iter();
        while let Some(mv) = moves.next() {
            // A proven value is that of some move, so the last one need not be asked.
            if moves.len() == 0 && !self.is_presearch {
                return Ok(mv);
            }
            let bound = self.move_at_least(position, mv, value)?;
            if bound >= value {
                return Ok(mv);
            }
            if nearest.is_none_or(|(most, _)| bound > most) {
                nearest = Some((bound, mv));
            }
        }
        let Some((_, mv)) = nearest else {
            unreachable!("an unfinished position has a move that holds its value")
        };
        Ok(mv)
    }

    /// These moves of a position of this value, the most promising ones first.
    pub(super) fn in_search_order(
        &mut self,
        position: &P,
        moves: impl IntoIterator<Item = P::Move>,
        value: SolverScore,
    ) -> Vec<P::Move> {
        let mut moves: Vec<P::Move> = moves.into_iter().collect();
        let start = self.children.len();
        self.expand(position, plies_left(position), value);
        moves.sort_by_cached_key(|&mv| {
            let next = position.play(mv);
            let child = self.children[start..].iter().find(|child| child.position == next);
            child.map_or(0, |child| -child.rank)
        });
        self.children.truncate(start);
        moves
    }

    /// A bound of the solver score of an unfinished position: a lower one if it is `beta` or more, else
    /// an upper one.
    pub(super) fn at_least(
        &mut self,
        position: &P,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        let is_kept = is_kept::<P, E>(plies_left(position));
        self.node_at_least(position, is_kept.then(|| Hash::of(search_key(position).0)), beta)
    }

    /// The same where the hash is known, if the position is kept.
    fn node_at_least(
        &mut self,
        position: &P,
        hash: Option<Hash>,
        beta: SolverScore,
    ) -> Result<SolverScore, Interrupted> {
        let plies = plies_left(position);
        if let Some(known) = hash.and_then(|hash| self.tables.settles(hash, plies, beta)) {
            return Ok(known);
        }
        let is_far = plies >= E::LIKELY_FROM;
        if self.is_presearch && is_far {
            let LastSearch { bound, nodes } =
                self.evaluator.likely(position, beta, self.budget.room());
            self.budget.count(nodes as usize);
            if let Some(likely) = bound {
                return Ok(likely);
            }
        }
        if let Some(searched) = self.evaluator.search_last(position, beta, self.budget.room()) {
            self.budget.count(searched.nodes as usize);
            return searched.bound.ok_or(Interrupted(StoppedBy::Nodes));
        }
        let start = self.children.len();
        let (low, high, rest) = match self.expand(position, plies, beta) {
            Expansion::Decided(value) => return Ok(value),
            Expansion::Open { low, high, rest } => (low, high, rest),
        };
        if is_far {
            self.best_children.put_first(hash, &mut self.children[start..], |child| child.hash);
        }
        let best = if let Some(known) = self.settled_by_a_child(start, plies, beta) {
            known
        } else {
            let (best, child) = self.best_child(start, beta)?;
            if is_far && best >= beta {
                self.best_children.insert(hash, child);
            }
            best.max(rest).clamp(low, high)
        };
        self.children.truncate(start);
        if let Some(hash) = hash {
            self.tables.insert(hash, plies, best, beta);
        }
        Ok(best)
    }

    /// Puts the children that matter on the stack, best first, unless a look decides.
    fn expand(&mut self, position: &P, plies: SolverScore, beta: SolverScore) -> Expansion {
        let (children, tables) = (&mut self.children, &self.tables);
        let (start, are_kept) = (children.len(), is_kept::<P, E>(plies - 1));
        let expansion = self.evaluator.expand(position, beta, |position, rank| {
            let is_kept = if P::PASSES { is_kept::<P, E>(plies_left(&position)) } else { are_kept };
            let hash = is_kept.then(|| Hash::of(search_key(&position).0));
            hash.inspect(|&hash| tables.prefetch(hash));
            let before = children[start..].iter().rposition(|child| child.rank >= rank);
            let place = before.map_or(start, |before| start + before + 1);
            children.insert(place, Child { position, rank, hash });
        });
        if !matches!(expansion, Expansion::Open { .. }) {
            children.truncate(start);
        }
        expansion
    }

    /// A solver score of `beta` or more that the table knows of one of the children: high up, where much
    /// is at stake, all of them are asked before any is searched.
    fn settled_by_a_child(
        &self,
        start: usize,
        plies: SolverScore,
        beta: SolverScore,
    ) -> Option<SolverScore> {
        if plies < ASK_CHILDREN_FROM {
            return None;
        }
        let known = self.children[start..]
            .iter()
            .filter_map(|child| self.tables.settles(child.hash?, plies - 1, 1 - beta));
        known.map(|value| -value).find(|&value| value >= beta)
    }

    /// The best solver score among the children from `start`, or one that is `beta` or more, with the hash of the last
    /// child searched.
    fn best_child(
        &mut self,
        start: usize,
        beta: SolverScore,
    ) -> Result<(SolverScore, Option<Hash>), Interrupted> {
        let (mut best, mut last) = (SolverScore::MIN, None);
        for next in start..self.children.len() {
            let Child { position, hash, .. } = self.children[next].clone();
            self.budget.visit()?;
            best = best.max(-self.node_at_least(&position, hash, 1 - beta)?);
            last = hash;
            if best >= beta {
                break;
            }
        }
        Ok((best, last))
    }
}

/// With this many plies left, and more, the table is asked about all children first.
const ASK_CHILDREN_FROM: SolverScore = 12;

/// Whether positions that leave so many plies are kept in the table. Every second ply is enough, and
/// near the end a search is cheaper than a miss of the processor's cache.
fn is_kept<P: Position, E: SolverHooks<P>>(plies: SolverScore) -> bool {
    plies % 2 == 0 && plies > E::KEPT_ABOVE
}

/// A position to try and how soon.
#[derive(Clone)]
struct Child<P> {
    position: P,
    rank: i32,
    /// Where it is kept in the table.
    hash: Option<Hash>,
}
