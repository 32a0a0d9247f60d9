//! The root probe: answers from books and endgame tables, by the values of all root moves or by a stored move.
//!
//! They know no draw by repetition or by a move counter. So every known win or loss is held against
//! both before the moves are ranked: see [`DrawRules`]. Where a draw comes first, a move counts
//! as a draw that is not proven, as one that a search finds. Of such moves the one with the best table
//! value is played, since the opponent may err.

use std::cmp::Reverse;

use super::alpha_beta::TIE_BREAK_PLIES;
use super::draw_rules::{DrawRules, value};
use super::limits::{Budget, StoppedBy};
use super::line_extension::extend_line;
use super::losing_tie_break::{break_tie, put_first};
use super::report::{Report, Source, Variation};
use super::task::Task;
use crate::game::{Evaluator, Outcome, Position, Score, SolverHooks};

/// The answer where the value of every root move is known and within the task's probe limit.
pub(super) fn answer<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
) -> Option<Report<P::Move>> {
    let candidates = candidates(task, evaluator)?;
    let mut probe = RootProbe { rules: DrawRules::new(task, evaluator, budget, &[]), candidates };
    let variations = probe.ranked()?;
    Some(probe.report(variations))
}

/// The answer where the root's value and a move that holds it are stored, in a game that must end, and the value
/// is within the task's probe limit. Where the tie-break among losing moves may change the move, there is none.
pub(super) fn stored_answer<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
) -> Option<Report<P::Move>> {
    let root = &task.position;
    let mv = evaluator.known_move(root).filter(|_| task.moves.is_empty() && task.wanted() == 1)?;
    let score = evaluator.known(root).filter(|&score| task.is_within_probe_limit(score, 0))?;
    let outcome = match score.plies() {
        None => Outcome::Draw,
        Some(_) if score.is_won() => Outcome::Win,
        Some(..=TIE_BREAK_PLIES) => return None,
        Some(_) => Outcome::Loss,
    };
    budget.count(1);
    let mut best = Variation { mv, score, outcome: Some(outcome), continuation: Vec::new() };
    let mut rules = DrawRules::new(task, evaluator, budget, &[]);
    extend_line(&mut rules, &mut best);
    Some(report(&rules, vec![best]))
}

/// A root move whose value is known.
struct Candidate<M> {
    /// Its place in the game's order.
    place: usize,
    mv: M,
    /// The value of the root if it is played, draw rules left out.
    known: Score,
    /// The value under the draw rules and the outcome where it is proven, once it was asked for.
    settled: Option<(Score, Option<Outcome>)>,
}

impl<M> Candidate<M> {
    /// The best value that it may have under the draw rules: they can only save a loser.
    fn bound(&self) -> Score {
        self.settled.map_or(self.known.max(Score::DRAWN), |(score, _)| score)
    }

    /// Orders candidates, best first, no two alike: of those that are not proven and worth the same, the one with
    /// the best table value, else the first in the game's order.
    fn rank(&self) -> (Reverse<Score>, Reverse<Score>, usize) {
        let is_unproven = matches!(self.settled, Some((_, None)));
        let tie_break = if is_unproven { self.known } else { Score::DRAWN };
        (Reverse(self.bound()), Reverse(tie_break), self.place)
    }
}

/// The root moves, if the values of all are known and the best ones end within the probe limit.
fn candidates<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
) -> Option<Vec<Candidate<P::Move>>> {
    let root = &task.position;
    let moves = task.root_moves();
    if moves.iter().all(|&mv| root.play(mv).outcome().is_some()) {
        // There is nothing to look up.
        return None;
    }
    let candidate = |(place, mv): (usize, P::Move)| {
        let known = value_after(evaluator, root, mv)?;
        Some(Candidate { place, mv, known, settled: None })
    };
    let candidates: Vec<_> = moves.into_iter().enumerate().map(candidate).collect::<Option<_>>()?;
    let mut best: Vec<_> = candidates.iter().map(|candidate| candidate.known).collect();
    best.sort_unstable_by_key(|&known| Reverse(known));
    // Under the draw rules no move ends sooner.
    best[..task.wanted()]
        .iter()
        .all(|&known| task.is_within_probe_limit(known, 0))
        .then_some(candidates)
}

/// A root whose moves all have known values.
struct RootProbe<'a, 'b, P: Position, E> {
    rules: DrawRules<'a, 'b, P, E>,
    candidates: Vec<Candidate<P::Move>>,
}

impl<P: Position, E: Evaluator<P>> RootProbe<'_, '_, P, E> {
    /// The best moves by their values under the draw rules, as many as the task wants; none where
    /// one of them doesn't end within the probe limit.
    fn ranked(&mut self) -> Option<Vec<Variation<P::Move>>> {
        let wanted = self.rules.task.wanted();
        loop {
            self.candidates.sort_unstable_by_key(Candidate::rank);
            let open = self.candidates[..wanted].iter().position(|known| known.settled.is_none());
            let Some(next) = open else { break };
            self.candidates[next].settled = Some(self.settle(next));
        }
        let best = self.candidates[..wanted].iter().filter_map(|candidate| {
            let (score, outcome) = candidate.settled?;
            Some(Variation { mv: candidate.mv, score, outcome, continuation: Vec::new() })
        });
        let has_end = |best: &Variation<_>| {
            let is_proven = best.outcome.is_some() || self.rules.task.probe_limit.is_none();
            is_proven && self.rules.task.is_within_probe_limit(best.score, 0)
        };
        let best: Vec<_> = best.collect();
        best.iter().all(has_end).then_some(best)
    }

    /// The value of a root move under the draw rules, and the outcome where it is proven.
    fn settle(&mut self, candidate: usize) -> (Score, Option<Outcome>) {
        let Candidate { mv, known, .. } = self.candidates[candidate];
        let Some(plies) = known.plies() else { return (Score::DRAWN, Some(Outcome::Draw)) };
        let outcome = if known.is_won() { Outcome::Win } else { Outcome::Loss };
        let child = self.rules.task.position.play(mv);
        match self.rules.plies_to_end(&child, plies - 1) {
            Ok(Some(plies)) => (Score::ended(outcome, plies + 1), Some(outcome)),
            Ok(None) => (Score::DRAWN, None),
            Err(_) => (self.estimate(known), None),
        }
    }

    /// What a known win or loss counts for that could not be settled.
    fn estimate(&self, known: Score) -> Score {
        let score = self.rules.evaluator.informed_score(&self.rules.task.position);
        Score::heuristic(if known.is_won() { score.max(1) } else { score.min(-1) })
    }

    /// The answer with these moves, with their lines as far as they are known.
    fn report(&mut self, mut variations: Vec<Variation<P::Move>>) -> Report<P::Move> {
        self.rules.budget.count(self.candidates.len());
        self.break_losing_tie(&mut variations);
        for variation in &mut variations {
            if matches!(variation.outcome, None | Some(Outcome::Draw)) {
                variation.continuation = self.known_line(variation.mv);
            } else {
                extend_line(&mut self.rules, variation);
            }
        }
        report(&self.rules, variations)
    }

    /// The line of best play after a root move by known values alone, up to the end of the game, by a
    /// draw rule or otherwise; no line of a draw that has no end.
    fn known_line(&self, mv: P::Move) -> Vec<P::Move> {
        let mut position = self.rules.task.position.play(mv);
        let mut line = Vec::new();
        while position.outcome().is_none() && !self.rules.is_drawn(&position) {
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

    /// The first of the best moves of a position by known values alone, with its value.
    fn best(&self, position: &P) -> Option<(P::Move, Score)> {
        let mut best: Option<(P::Move, Score)> = None;
        for mv in position.legal_moves() {
            let score = value_after(self.rules.evaluator, position, mv)?;
            if best.is_none_or(|(_, known)| score > known) {
                best = Some((mv, score));
            }
        }
        best
    }

    /// The tie-break among losing moves by known values; by a search where not all are known.
    fn break_losing_tie(&mut self, variations: &mut Vec<Variation<P::Move>>) {
        let longest = variations[0].score;
        if !longest.is_lost() || !matches!(longest.plies(), Some(2..=TIE_BREAK_PLIES)) {
            return;
        }
        let Some(mv) = self.hardest(longest) else {
            let DrawRules { task, evaluator, budget, .. } = &mut self.rules;
            return break_tie(*task, *evaluator, budget, variations);
        };
        let (outcome, continuation) = (Some(Outcome::Loss), Vec::new());
        put_first(variations, Variation { mv, score: longest, outcome, continuation });
    }

    /// The first of those moves that hold out `longest`, if the replies to each are known.
    fn hardest(&mut self, longest: Score) -> Option<P::Move> {
        let is_longest = |known: &&Candidate<_>| known.settled.is_some_and(|(s, _)| s == longest);
        let moves: Vec<_> =
            self.candidates.iter().filter(is_longest).map(|known| known.mv).collect();
        let mut hardest = None;
        for mv in moves {
            let replies =
                self.fastest_wins(&self.rules.task.position.play(mv), longest.plies()?)?;
            hardest = hardest.filter(|&(fewest, _)| fewest <= replies).or(Some((replies, mv)));
        }
        hardest.map(|(_, mv)| mv)
    }

    /// How many replies win within `plies` plies of the root, if all are known.
    fn fastest_wins(&mut self, position: &P, plies: u32) -> Option<usize> {
        let mut wins = 0;
        for mv in position.legal_moves() {
            let child = position.play(mv);
            let is_lost = value(self.rules.evaluator, &child)?.is_lost();
            wins += usize::from(is_lost && self.rules.ends_within(&child, plies - 2).ok()?);
        }
        Some(wins)
    }
}

/// The answer with these variations, which are stored.
fn report<P: Position, E: Evaluator<P>>(
    rules: &DrawRules<'_, '_, P, E>,
    variations: Vec<Variation<P::Move>>,
) -> Report<P::Move> {
    let outcome = variations[0].outcome;
    let stopped_by = if outcome.is_some() { StoppedBy::Solved } else { StoppedBy::Depth };
    Report {
        outcome,
        is_bound: false,
        algorithm: rules.task.algorithm,
        source: Source::Stored(E::KNOWLEDGE),
        depth: variations[0].continuation.len() as u32 + 1,
        nodes: rules.budget.nodes(),
        table_usage: None,
        stopped_by: rules.budget.interrupted_by().unwrap_or(stopped_by),
        variations,
    }
}

/// What `mv` is known to be worth to the side to move in `position`.
fn value_after<P: Position, E: Evaluator<P>>(
    evaluator: &E,
    position: &P,
    mv: P::Move,
) -> Option<Score> {
    value(evaluator, &position.play(mv)).map(|score| -score.seen_from_root(1))
}
