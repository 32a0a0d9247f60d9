//! Whether a known win comes before a move counter draws the game.
//!
//! The winner plays only moves that win as fast as can be, so no position comes back, and the plies
//! to the end fall with each of them; the loser plays whatever it can. A line is confirmed as soon
//! as fewer plies are left to the end than to the draw, which in most is after the next capture.

use std::collections::HashMap;

use super::value;
use crate::game::{Evaluator, Position, Score};

/// The positions looked at before a win counts as not confirmed: some tens of milliseconds. The
/// longest win of five pieces at checkers, in 161 plies, takes 21 000.
const PATIENCE: usize = 100_000;

/// What has been found out about wins.
pub(super) struct Confirmation<'a, E> {
    evaluator: &'a E,
    /// Whether the side to move wins, by the position's key and its plies to the draw.
    settled: HashMap<(u64, Option<u32>), bool>,
}

impl<'a, E> Confirmation<'a, E> {
    pub(super) fn new(evaluator: &'a E) -> Self {
        Self { evaluator, settled: HashMap::new() }
    }

    /// Whether the side to move, which is known to win in so many plies, does so by the rules.
    pub(super) fn is_won<P: Position>(&mut self, position: &P, plies: u32) -> bool
    where
        E: Evaluator<P>,
    {
        if let Some(is_won) = settled_by_counter(position, plies) {
            return is_won;
        }
        let key = (position.key(), position.plies_to_draw());
        if let Some(&is_won) = self.settled.get(&key) {
            return is_won;
        }
        if self.settled.len() >= PATIENCE {
            return false;
        }
        let is_won = position.legal_moves().into_iter().any(|mv| {
            let child = position.play(mv);
            value(self.evaluator, &child) == Some(Score::lost_in(plies - 1))
                && self.is_lost(&child, plies - 1)
        });
        self.settled.insert(key, is_won);
        is_won
    }

    /// Whether the side to move, which is known to lose in so many plies, does so by the rules.
    pub(super) fn is_lost<P: Position>(&mut self, position: &P, plies: u32) -> bool
    where
        E: Evaluator<P>,
    {
        settled_by_counter(position, plies).unwrap_or_else(|| {
            position.legal_moves().into_iter().all(|mv| {
                let child = position.play(mv);
                let plies = value(self.evaluator, &child).and_then(Score::plies);
                plies.is_some_and(|plies| self.is_won(&child, plies))
            })
        })
    }
}

/// Whether a game that is to end in so many plies does so before the draw, where that is certain.
fn settled_by_counter<P: Position>(position: &P, plies: u32) -> Option<bool> {
    match position.plies_to_draw() {
        Some(0) if plies > 0 => Some(false),
        Some(left) if left < plies => None,
        _ => Some(true),
    }
}
