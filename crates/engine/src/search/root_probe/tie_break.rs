//! The tie-break among losing moves where tables know the replies.

use super::draw_rules::{DrawRules, known_values};
use crate::game::{Evaluator, Position};
use crate::search::losing_tie_break::{break_tie, near_loss, put_first};
use crate::search::report::SearchVariation;

/// As [`break_tie`], without a search where the replies to the moves that hold out longest are known. `all` are
/// the root moves with their values, in the game's order where these are the same.
pub(super) fn break_losing_tie<'v, P: Position, E: Evaluator<P>>(
    rules: &mut DrawRules<'_, '_, P, E>,
    all: impl Iterator<Item = &'v SearchVariation<P::Move>>,
    variations: &mut Vec<SearchVariation<P::Move>>,
) {
    let Some(plies) = near_loss(variations) else { return };
    let longest = all.filter(|known| known.score == variations[0].score);
    let replies = |known: &'v SearchVariation<P::Move>| {
        Some((winning_replies(rules, known.mv, plies)?, known))
    };
    let Some(longest) = longest.map(replies).collect::<Option<Vec<_>>>() else {
        return break_tie(rules.task, rules.evaluator, rules.budget, variations);
    };
    if let Some((_, hardest)) = longest.into_iter().min_by_key(|&(replies, _)| replies) {
        put_first(variations, hardest.clone());
    }
}

/// How many replies to a root move win within `plies` plies of the root, if all are known.
fn winning_replies<P: Position, E: Evaluator<P>>(
    rules: &mut DrawRules<'_, '_, P, E>,
    mv: P::Move,
    plies: u32,
) -> Option<usize> {
    let child = rules.task.position.play(mv);
    let mut wins = 0;
    for known in known_values(rules.evaluator, &child, child.legal_moves()) {
        let (reply, score) = known?;
        let is_win = score.is_won() && rules.ends_within(&child.play(reply), plies - 2).ok()?;
        wins += usize::from(is_win);
    }
    Some(wins)
}
