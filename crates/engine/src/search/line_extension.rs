//! The lines of proven wins and losses, continued to the end of the game.

use super::alpha_beta::{TIE_BREAK_PLIES, proven_line};
use super::draw_rules::DrawRules;
use super::limits::{Budget, Limits};
use super::report::Variation;
use super::task::{Algorithm, Task};
use crate::game::{Evaluator, Position, Score};

/// As [`extend_line`], for a line that a search has found and that ends where a book or a table has the value.
pub(super) fn extend_found<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    variation: &mut Variation<P::Move>,
) {
    if variation.score.plies().is_some_and(|plies| plies > variation.plies()) {
        let line: Vec<_> = variation.line().collect();
        extend_line(&mut DrawRules::new(task, evaluator, budget, &line), variation);
    }
}

/// Continues the line of a proven win or loss by what is known, and for the last plies by an exact
/// search in a game that must end, where a book knows no longer. A line that can't be continued to
/// the end that its score announces stays as it is.
pub(super) fn extend_line<P: Position, E: Evaluator<P>>(
    rules: &mut DrawRules<'_, '_, P, E>,
    variation: &mut Variation<P::Move>,
) {
    let Some(plies) = variation.score.plies() else { return };
    let root = rules.task.position.clone();
    let mut position = variation.line().fold(root, |position, mv| position.play(mv));
    let mut left = plies.saturating_sub(variation.plies());
    if left > 0 {
        let known = rules.line(&position, left);
        left -= known.len() as u32;
        position = known.iter().fold(position, |position, &mv| position.play(mv));
        variation.continuation.extend(known);
    }
    let must_end = position.outcome().is_none() && position.plies_left().is_some();
    if must_end && (1..=TIE_BREAK_PLIES).contains(&left) {
        let is_won = variation.score.is_won() == (plies - left).is_multiple_of(2);
        let score = if is_won { Score::won_in(left) } else { Score::lost_in(left) };
        variation.continuation.extend(searched(&position, score, rules));
    }
}

/// The line from an unfinished position of this score, in a game without repetitions; none where a
/// limit strikes or the position is worth something else.
fn searched<P: Position, E: Evaluator<P>>(
    position: &P,
    score: Score,
    rules: &mut DrawRules<'_, '_, P, E>,
) -> Vec<P::Move> {
    let limits = Limits::depth(score.plies().unwrap_or(1));
    let task = Task::new(position.clone(), limits, Algorithm::AlphaBeta);
    proven_line(&task, rules.evaluator, rules.budget, score).unwrap_or_else(|interrupted| {
        rules.budget.note_interruption(interrupted);
        Vec::new()
    })
}
