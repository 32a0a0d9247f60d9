//! An opinion about positions.

use super::prover::by_rules;
use super::{Expansion, Margin, Position};

/// A static evaluation: how good a position looks without any search. It is an opinion and not a
/// rule, so a game may have several.
///
/// Only [`score`](Self::score) must be answered; every other method tells a strong search what it
/// would like to know, with a default that is right for a game that knows nothing of the kind.
pub trait Evaluator<P: Position>: Send + Sync {
    /// The score of an unfinished position from the view of the side to move, in the evaluator's
    /// own unit. Scores beyond plus or minus 29000 are cut off there.
    fn score(&self, position: &P) -> i32;

    /// The score at which the side to move is expected to score three quarters of the points: the
    /// `k` of `value = score / (|score| + k)`.
    fn half_value(&self) -> i32 {
        100
    }

    /// How promising `mv` looks before it is searched; more is better. It orders moves and never
    /// changes a value.
    fn promise(&self, position: &P, mv: P::Move) -> i32 {
        let _ = (position, mv);
        0
    }

    /// For the prover of games that must end: what is known of an unfinished position when asked
    /// whether its margin is at least `beta`. Unless that decides, every child that may matter goes
    /// to `child` with its rank; more is sooner, and of equals the first.
    fn expand(&self, position: &P, beta: Margin, child: impl FnMut(P, i32)) -> Expansion {
        by_rules(position, beta, child)
    }
}
