//! The choice of a move among the best ones and those that are not much worse.

use chacha20::rand_core::Rng;

use crate::game::{Outcome, Score, expected_points};
use crate::search::SearchVariation;

/// The difference to the best move, in expected points, up to which a move is about as good.
const NEAR: f64 = 0.02;

/// The index of a move, chosen by its probability.
pub(super) fn choose<M: Copy>(
    scores: &[(M, Score)],
    half_value: i32,
    temperature: f64,
    random: &mut impl Rng,
) -> usize {
    let mut rest = unit(random);
    let chosen = probabilities(scores, half_value, temperature).position(|(_, probability)| {
        rest -= probability;
        rest < 0.0
    });
    // A sum may be rounded down.
    let best = || (0..scores.len()).max_by_key(|&index| scores[index].1);
    chosen.or_else(best).unwrap_or(0)
}

/// The probabilities of the moves in a choice by a softmax over expected points. The points of each move count as if the best
/// move led to an even game, so that a player takes as much care in a game that it is winning. Of proven results only the best
/// is chosen.
pub(super) fn probabilities<M: Copy>(
    scores: &[(M, Score)],
    half_value: i32,
    temperature: f64,
) -> impl Iterator<Item = (M, f64)> {
    let best = scores.iter().map(|&(_, score)| score).max().unwrap_or(Score::DRAWN);
    let weighed = move |&(mv, score)| (mv, weight(score, best, half_value, temperature));
    let sum: f64 = scores.iter().map(weighed).map(|(_, weight)| weight).sum();
    scores.iter().map(weighed).map(move |(mv, weight)| (mv, weight / sum))
}

/// How much more likely the best move is chosen than one with this score, as a part of 1.
fn weight(score: Score, best: Score, half_value: i32, temperature: f64) -> f64 {
    if score == best {
        return 1.0;
    }
    if best.is_won() || best.is_lost() {
        return 0.0;
    }
    let behind = f64::from(score.number() - best.number());
    libm::exp((expected_points(behind, half_value) - 0.5) / temperature)
}

/// The moves that are about as good as the best, which is the first: proven moves only if outcome and distance are equal.
/// Of losing moves only the first, which the tie-break has chosen.
pub(super) fn near_equals<M: Copy + PartialEq>(
    variations: &[SearchVariation<M>],
    half_value: i32,
) -> Vec<(M, Score)> {
    let best = &variations[0];
    // The moves are sorted by score, so near ones come first.
    let near = variations.iter().take_while(|other| match best.outcome {
        Some(Outcome::Loss) => other.mv == best.mv,
        Some(outcome) => other.outcome == Some(outcome) && other.score == best.score,
        None => {
            let [worse, better] = [other.score, best.score]
                .map(|score| expected_points(f64::from(score.number()), half_value));
            other.outcome.is_none() && worse >= better - NEAR
        }
    });
    near.map(|other| (other.mv, other.score)).collect()
}

/// A random number from 0 to less than 1.
pub(super) fn unit(random: &mut impl Rng) -> f64 {
    f64::from(random.next_u32()) / 4_294_967_296.0
}
