//! The lines of proven wins and losses, continued to the end of the game.

use super::losing_tie_break::HORIZON;
use super::root_probe::Confirmation;
use super::{Algorithm, Limits, Task, Variation, negamax};
use crate::game::{Evaluator, Position, Score};

/// Continues the line of a proven win or loss by what is known, and for the last plies by an exact
/// search in a game that must end, where a book knows no longer. A line that can't be continued to
/// the end that its score announces stays as it is.
pub(super) fn extend_line<P: Position, E: Evaluator<P>>(
    rules: &mut Confirmation<'_, '_, P, E>,
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
    if must_end && (1..=HORIZON).contains(&left) {
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
    rules: &mut Confirmation<'_, '_, P, E>,
) -> Vec<P::Move> {
    let limits = Limits::depth(score.plies().unwrap_or(1));
    let task = Task::new(position.clone(), limits, Algorithm::AlphaBeta);
    negamax::proven_line(&task, rules.evaluator, rules.budget, score).unwrap_or_else(
        |interrupted| {
            rules.budget.strike(interrupted);
            Vec::new()
        },
    )
}
