//! The root probe: the answer to a task from a book or endgame tables.
//!
//! A table's value is proven if the move counters admit it, else it is a score: see [`draw_rules`]. A win or a loss
//! that a draw precedes counts as a draw that is not proven, as one that a search finds. Of such moves the one with
//! the best table value is played, since the opponent may err.

mod draw_rules;
mod line;
mod tie_break;

use std::cmp::Reverse;

use self::draw_rules::{DrawRules, known_values};
pub(super) use self::draw_rules::{drawing_keys, is_admitted};
use self::line::extend_line;
pub(super) use self::line::extend_lines;
use self::tie_break::break_losing_tie;
use super::alpha_beta::TIE_BREAK_PLIES;
use super::limits::Budget;
use super::report::{Report, SearchVariation, Source, proven};
use super::task::Task;
use crate::game::{Evaluator, Position, Score, SolverHooks};

/// The answer where the values of the root moves are known and within the task's probe limit.
pub(super) fn answer<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
) -> Option<Report<P::Move>> {
    let mut moves = known_moves(task, evaluator)?;
    let mut rules = DrawRules::new(task, evaluator, budget, &[]);
    let mut variations = ranked(&mut rules, &mut moves)?;
    rules.budget.count(moves.len());
    let all = moves.iter().map(|known| &known.variation);
    break_losing_tie(&mut rules, all, &mut variations);
    for variation in &mut variations {
        extend_line(&mut rules, variation);
    }
    let is_proven = variations[0].outcome.is_some();
    let report = Report::new(task, rules.budget, variations, is_proven);
    Some(Report { source: Source::Stored(E::KNOWLEDGE), ..report })
}

/// A root move whose table value is known.
struct KnownMove<M> {
    /// Its place in the game's order.
    place: usize,
    /// The value of the root if the move is played, draw rules left out.
    table_value: Score,
    /// The move with its value and outcome; until they are settled, the best that they may be.
    variation: SearchVariation<M>,
    is_settled: bool,
}

impl<M> KnownMove<M> {
    fn new(place: usize, mv: M, table_value: Score) -> Self {
        // Draw rules can only save a loser.
        let score = table_value.max(Score::DRAWN);
        let outcome = proven(table_value, || true);
        let variation = SearchVariation { outcome, ..SearchVariation::new(mv, score, Vec::new()) };
        Self { place, table_value, variation, is_settled: false }
    }

    /// Orders moves, best first, no two alike: of those that are not proven and worth the same, the one with
    /// the best table value, else the first in the game's order.
    fn rank(&self) -> (Reverse<Score>, Reverse<Score>, usize) {
        let is_proven = self.variation.outcome.is_some();
        let tie_break = if is_proven { Score::DRAWN } else { self.table_value };
        (Reverse(self.variation.score), Reverse(tie_break), self.place)
    }
}

/// The root moves, if the values of all are known, or else the stored move; none where the best ones end
/// beyond the probe limit.
fn known_moves<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
) -> Option<Vec<KnownMove<P::Move>>> {
    let root = &task.position;
    let moves = task.root_moves();
    if moves.iter().all(|&mv| root.play(mv).outcome().is_some()) {
        // There is nothing to look up.
        return None;
    }
    let values: Option<Vec<_>> = known_values(evaluator, root, moves).collect();
    let values = values.or_else(|| Some(vec![stored_move(task, evaluator)?]))?;
    let numbered = values.into_iter().enumerate();
    let mut moves: Vec<_> =
        numbered.map(|(place, (mv, value))| KnownMove::new(place, mv, value)).collect();
    moves.sort_by_key(|known| Reverse(known.table_value));
    // Under the draw rules no move ends sooner.
    let mut best = moves[..task.wanted()].iter();
    let in_limit = best.all(|best| task.is_within_probe_limit(best.table_value, 0));
    in_limit.then_some(moves)
}

/// The stored move that holds the stored value of the root, in a game that must end; none where the
/// tie-break among losing moves may prefer another.
fn stored_move<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
) -> Option<(P::Move, Score)> {
    let is_asked = task.moves.is_empty() && task.wanted() == 1;
    let mv = evaluator.known_move(&task.position).filter(|_| is_asked)?;
    let value = evaluator.known(&task.position)?;
    let may_tie = value.is_lost() && value.plies() <= Some(TIE_BREAK_PLIES);
    (!may_tie).then_some((mv, value))
}

/// The best moves by their values under the draw rules, as many as the task wants; none where
/// one of them has no proven end within the probe limit.
fn ranked<P: Position, E: Evaluator<P>>(
    rules: &mut DrawRules<'_, '_, P, E>,
    moves: &mut [KnownMove<P::Move>],
) -> Option<Vec<SearchVariation<P::Move>>> {
    let task = rules.task;
    let wanted = task.wanted();
    loop {
        moves.sort_unstable_by_key(KnownMove::rank);
        let mut best = moves[..wanted].iter_mut();
        let Some(next) = best.find(|best| !best.is_settled) else { break };
        settle(rules, next);
    }
    let is_answer = |best: &KnownMove<_>| {
        let is_proven = best.variation.outcome.is_some() || task.probe_limit.is_none();
        is_proven && task.is_within_probe_limit(best.variation.score, 0)
    };
    let best = &moves[..wanted];
    let variations = best.iter().map(|best| best.variation.clone());
    best.iter().all(is_answer).then(|| variations.collect())
}

/// Finds the value of a move under the draw rules, and whether it is proven. A win or a loss that could
/// not be settled is worth the static evaluation.
fn settle<P: Position, E: Evaluator<P>>(
    rules: &mut DrawRules<'_, '_, P, E>,
    known: &mut KnownMove<P::Move>,
) {
    known.is_settled = true;
    let Some(plies) = known.table_value.plies() else { return };
    let is_won = known.table_value.is_won();
    let root = &rules.task.position;
    let variation = &mut known.variation;
    match rules.plies_to_end(&root.play(variation.mv), plies - 1) {
        Ok(Some(plies)) if is_won => variation.score = Score::won_in(plies + 1),
        Ok(Some(plies)) => variation.score = Score::lost_in(plies + 1),
        Ok(None) => (variation.score, variation.outcome) = (Score::DRAWN, None),
        Err(_) => {
            let score = rules.evaluator.informed_score(root, &mut E::Accumulator::default());
            let score = if is_won { score.max(1) } else { score.min(-1) };
            (variation.score, variation.outcome) = (Score::heuristic(score), None);
        }
    }
}
