//! Exact values from rounded ones.

use super::{ChessPlacement, ChessSlice, ChessTables, STEP};
use crate::{DRAW, Plies, Slice, is_loss};

/// The worst and the best value that a position may have. Both are of the same outcome.
pub(super) type Bounds = [Plies; 2];

impl ChessTables {
    /// The value of a position; `None` for a position with too many men.
    pub fn value(&self, placement: &ChessPlacement) -> Option<Plies> {
        if let Some([value, _]) = self.values.get(placement) {
            return Some(value);
        }
        let value = self.found(placement)?;
        self.values.keep(placement, [value; 2]);
        Some(value)
    }

    /// The worst and the best value that a position may have, as far as that is known at a glance; none where the position has
    /// too many men.
    pub fn bounds(&self, placement: &ChessPlacement) -> Option<Bounds> {
        if placement.men().next().is_none() {
            return Some([DRAW; 2]);
        }
        let place = self.layout.place::<ChessSlice>(&placement.canonical());
        if let Some(place) = place.filter(|_| !placement.en_passant()) {
            return self.value_at(place).map(bounds);
        }
        if let Some(kept) = self.bounds.get(placement) {
            return Some(kept);
        }
        self.layout.start(placement.slice().reversed())?;
        let mut best: Option<Bounds> = None;
        for next in placement.after() {
            let [worst_of_other, best_of_other] = self.bounds(&next)?;
            let bounds = [best_of_other, worst_of_other].map(one_ply_earlier);
            best = Some(best.map_or(bounds, |best| [0, 1].map(|at| better(best[at], bounds[at]))));
        }
        let bounds = best.unwrap_or_else(|| [placement.value_without_moves(); 2]);
        self.bounds.keep(placement, bounds);
        Some(bounds)
    }

    fn found(&self, placement: &ChessPlacement) -> Option<Plies> {
        let [least, most] = plies(self.bounds(placement)?);
        for plies in (least..most).step_by(2) {
            if self.ends_within(placement, plies)? {
                return Some(plies);
            }
        }
        Some(most)
    }

    /// Whether a position that is won or lost ends within this number of plies.
    fn ends_within(&self, placement: &ChessPlacement, within: Plies) -> Option<bool> {
        let [least, most] = plies(self.bounds(placement)?);
        if most <= within || least > within {
            return Some(most <= within);
        }
        let is_won = !is_loss(least);
        let mut open = Vec::new();
        for next in placement.after() {
            let [least, most] = plies(self.bounds(&next)?);
            // The winner leaves out what does not win.
            if is_won && !is_loss(most) {
                continue;
            }
            // The winner needs one move that is quick enough, and the loser one that is not.
            let (is_quick, is_slow) = (most < within, least >= within);
            if is_quick && is_won || is_slow && !is_won {
                return Some(is_won);
            }
            if !is_quick && !is_slow {
                open.push(next);
            }
        }
        for next in open {
            if self.ends_within(&next, within - 1)? == is_won {
                return Some(is_won);
            }
        }
        Some(!is_won)
    }
}

/// The bounds of the values that are rounded to a kept value.
fn bounds(rounded: Plies) -> Bounds {
    let last = rounded.saturating_add(2 * (STEP - 1));
    match rounded {
        DRAW => [DRAW; 2],
        first if is_loss(first) => [first, last],
        first => [last, first],
    }
}

/// The least and the greatest number of plies between two bounds.
fn plies([worst, best]: Bounds) -> [Plies; 2] {
    [worst.min(best), worst.max(best)]
}

/// The value before the only move, which leads to a position of this value.
pub(super) fn one_ply_earlier(value: Plies) -> Plies {
    if value == DRAW { DRAW } else { value + 1 }
}

/// The better one of two values for the side to move.
pub(super) fn better(a: Plies, b: Plies) -> Plies {
    if rank(a) >= rank(b) { a } else { b }
}

/// A number that is the greater, the better a value is for the side to move.
fn rank(value: Plies) -> i16 {
    match value {
        DRAW => 0,
        plies if is_loss(plies) => i16::from(plies) - 256,
        plies => 256 - i16::from(plies),
    }
}
