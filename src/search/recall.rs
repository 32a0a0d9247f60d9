//! Answers from what is known: books and endgame tables.
//!
//! They know no draw by repetition or by a move counter. Where one of those could come first, a win
//! or a loss counts as proven only once a search has confirmed it; the move is played even so.

mod confirmation;

use self::confirmation::Confirmation;
use super::ranking::Ranking;
use super::stop::{Budget, StoppedBy};
use super::surrender::{HORIZON, put_first};
use super::{Report, Source, Task, Variation, negamax};
use crate::game::{Evaluator, Outcome, Position, Score};

/// The answer where the value of every root move is known and within the task's horizon.
pub(super) fn answer<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
) -> Option<Report<P::Move>> {
    let recollection = Recollection { task, evaluator };
    let mut variations = recollection.best_moves()?;
    budget.cover(task.root_moves().len());
    recollection.resist(&mut variations, budget);
    Some(recollection.report(variations, budget.nodes()))
}

/// What is known of a root.
struct Recollection<'a, P: Position, E> {
    task: &'a Task<P>,
    evaluator: &'a E,
}

impl<P: Position, E: Evaluator<P>> Recollection<'_, P, E> {
    /// The best moves, as many as the task wants, if the values of all are known.
    fn best_moves(&self) -> Option<Vec<Variation<P::Move>>> {
        let root = &self.task.position;
        let moves = self.task.root_moves();
        let mut children = moves.iter().map(|&mv| root.play(mv));
        if children.all(|child| child.outcome().is_some()) {
            // There is nothing to recall.
            return None;
        }
        let mut ranking = Ranking::new(self.task.wanted());
        for (place, &mv) in moves.iter().enumerate() {
            let score = self.value_after(root, mv)?;
            if score > ranking.threshold(place) {
                let variation = Variation { mv, score, outcome: None, continuation: Vec::new() };
                ranking.insert(place, variation);
            }
        }
        let variations = ranking.into_variations();
        variations.iter().all(|known| self.task.reaches(known.score, 0)).then_some(variations)
    }

    /// The answer with these moves, for which `nodes` positions were visited. Lines that no search has
    /// found are followed as far as they are known.
    fn report(&self, mut variations: Vec<Variation<P::Move>>, nodes: u64) -> Report<P::Move> {
        for known in &mut variations {
            if known.continuation.is_empty() {
                known.continuation = self.continuation(known.mv);
            }
            known.outcome = self.outcome(known);
            if known.outcome.is_none() {
                let child = self.task.position.play(known.mv);
                known.score = Score::heuristic(-self.evaluator.informed_score(&child));
            }
        }
        let outcome = variations[0].outcome;
        Report {
            outcome,
            algorithm: self.task.algorithm,
            source: Source::Known(E::KNOWLEDGE),
            depth: variations[0].continuation.len() as u32 + 1,
            nodes,
            stopped_by: if outcome.is_some() { StoppedBy::Solved } else { StoppedBy::Depth },
            variations,
        }
    }

    /// What `mv` is worth to the side to move in `position`.
    fn value_after(&self, position: &P, mv: P::Move) -> Option<Score> {
        value(self.evaluator, &position.play(mv)).map(|score| -score.seen_from_root(1))
    }

    /// The first of the best moves of a position, with its value.
    fn best(&self, position: &P) -> Option<(P::Move, Score)> {
        let mut best: Option<(P::Move, Score)> = None;
        for mv in position.legal_moves() {
            let score = self.value_after(position, mv)?;
            if best.is_none_or(|(_, known)| score > known) {
                best = Some((mv, score));
            }
        }
        best
    }

    /// The line of best play after a root move, as far as it is known; no line of a draw that has
    /// no end.
    fn continuation(&self, mv: P::Move) -> Vec<P::Move> {
        let mut position = self.task.position.play(mv);
        let mut line = Vec::new();
        while position.outcome().is_none() {
            match self.best(&position) {
                Some((mv, score)) if score != Score::DRAWN || position.plies_left().is_some() => {
                    line.push(mv);
                    position = position.play(mv);
                }
                _ => break,
            }
        }
        line
    }

    /// The outcome of a root move, if no draw rule can come before it.
    fn outcome(&self, known: &Variation<P::Move>) -> Option<Outcome> {
        let root = &self.task.position;
        let Some(plies) = known.score.plies() else { return Some(Outcome::Draw) };
        let reversible = root.reversible_plies();
        if P::REPEATS && self.task.history.has_recurred(reversible) {
            return None;
        }
        let child = root.play(known.mv);
        let mut confirmation = Confirmation::new(self.evaluator);
        if known.score.is_won() {
            confirmation.is_lost(&child, plies - 1).then_some(Outcome::Win)
        } else {
            confirmation.is_won(&child, plies - 1).then_some(Outcome::Loss)
        }
    }

    /// Puts first, where the side to move loses soon, of the moves that hold out longest the one
    /// that leaves the fewest replies that keep the fastest win, as [`super::surrender`] does, which
    /// counts them itself where not all are known.
    fn resist(&self, variations: &mut Vec<Variation<P::Move>>, budget: &mut Budget) {
        let longest = variations[0].score;
        if !longest.is_lost() || !matches!(longest.plies(), Some(2..=HORIZON)) {
            return;
        }
        let Some(mv) = self.hardest(longest) else {
            return negamax::resist(self.task, self.evaluator, budget, variations);
        };
        let hardest = Variation { mv, score: longest, outcome: None, continuation: Vec::new() };
        put_first(variations, hardest);
    }

    /// The first of those moves that hold out `longest`, if the replies to each are known.
    fn hardest(&self, longest: Score) -> Option<P::Move> {
        let root = &self.task.position;
        let mut hardest = None;
        for mv in self.task.root_moves() {
            if self.value_after(root, mv) == Some(longest) {
                let replies = self.fastest_wins(&root.play(mv))?;
                hardest = hardest.filter(|&(fewest, _)| fewest <= replies).or(Some((replies, mv)));
            }
        }
        hardest.map(|(_, mv)| mv)
    }

    /// How many moves of a won position win as fast as can be, if all are known.
    fn fastest_wins(&self, position: &P) -> Option<usize> {
        let (_, fastest) = self.best(position)?;
        let moves = position.legal_moves().into_iter();
        Some(moves.filter(|&mv| self.value_after(position, mv) == Some(fastest)).count())
    }
}

/// What is known of a position, finished ones included.
fn value<P: Position, E: Evaluator<P>>(evaluator: &E, position: &P) -> Option<Score> {
    match position.outcome() {
        Some(outcome) => Some(Score::ended(outcome, 0)),
        None => evaluator.known(position),
    }
}
