//! Lines, continued by table values to the end of the game.

use super::draw_rules::{DrawRules, known_values};
use crate::game::{Evaluator, Position, Score};
use crate::search::alpha_beta::{TIE_BREAK_PLIES, proven_line};
use crate::search::limits::{Budget, SearchLimits};
use crate::search::report::SearchVariation;
use crate::search::task::{Algorithm, Task};

/// As [`extend_line`], for the lines of wins and losses that a search has found and that end where a book or a
/// table has the value.
pub(in crate::search) fn extend_lines<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    variations: &mut [SearchVariation<P::Move>],
) {
    for variation in variations {
        if variation.score.plies().is_some_and(|plies| plies > variation.plies()) {
            let line: Vec<_> = variation.line().collect();
            extend_line(&mut DrawRules::new(task, evaluator, budget, &line), variation);
        }
    }
}

/// Continues the line of a win or a loss under the draw rules, and for the last plies by an exact search in a game
/// that must end, where a book knows no longer; the line of any other score by table values alone. A line that
/// can't be continued to the end that its score announces stays as it is.
pub(super) fn extend_line<P: Position, E: Evaluator<P>>(
    rules: &mut DrawRules<'_, '_, P, E>,
    variation: &mut SearchVariation<P::Move>,
) {
    let root = rules.task.position.clone();
    let mut position = variation.line().fold(root, |position, mv| position.play(mv));
    let Some(plies) = variation.score.plies() else {
        return variation.continuation.extend(table_line(rules, position));
    };
    for mv in rules.line(&position, plies.saturating_sub(variation.plies())) {
        variation.continuation.push(mv);
        position = position.play(mv);
    }
    let played = variation.plies();
    let must_end = position.outcome().is_none() && position.plies_left().is_some();
    if must_end && (1..=TIE_BREAK_PLIES).contains(&plies.saturating_sub(played)) {
        let score = variation.score.seen_from(played);
        let score = if played.is_multiple_of(2) { score } else { -score };
        variation.continuation.extend(searched_line(rules, position, score));
    }
}

/// The line of best play by table values alone, up to the end of the game, by a draw rule or otherwise; no line of
/// a draw that has no end.
fn table_line<P: Position, E: Evaluator<P>>(
    rules: &DrawRules<'_, '_, P, E>,
    mut position: P,
) -> Vec<P::Move> {
    let mut line = Vec::new();
    while position.outcome().is_none() && !rules.is_drawn(&position) {
        let moves = known_values(rules.evaluator, &position, position.legal_moves());
        let Some(moves) = moves.collect::<Option<Vec<_>>>() else { break };
        // The first of the best.
        let best = moves.into_iter().rev().max_by_key(|&(_, score)| score);
        let has_end = |score| score != Score::DRAWN || position.plies_left().is_some();
        let Some((mv, _)) = best.filter(|&(_, score)| has_end(score)) else { break };
        line.push(mv);
        position = position.play(mv);
    }
    line
}

/// The line from an unfinished position of this score, in a game without repetitions; none where a
/// limit strikes or the position is worth something else.
fn searched_line<P: Position, E: Evaluator<P>>(
    rules: &mut DrawRules<'_, '_, P, E>,
    position: P,
    score: Score,
) -> Vec<P::Move> {
    let limits = SearchLimits::depth(score.plies().unwrap_or(1));
    let task = Task::new(position, limits, Algorithm::AlphaBeta);
    proven_line(&task, rules.evaluator, rules.budget, score).unwrap_or_else(|interrupted| {
        rules.budget.note_interruption(interrupted);
        Vec::new()
    })
}
