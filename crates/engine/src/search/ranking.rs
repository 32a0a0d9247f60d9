//! The best root moves of one depth.

use super::report::SearchVariation;
use crate::game::Score;

/// The wanted number of best root moves, best first. Of equal moves the first in the game's order is better, as in the
/// textbook.
pub(super) struct Ranking<M> {
    wanted: usize,
    /// The variations, each with the place of its move in the game's order.
    best: Vec<(usize, SearchVariation<M>)>,
}

impl<M> Ranking<M> {
    pub(super) fn new(wanted: usize) -> Self {
        Self { wanted, best: Vec::new() }
    }

    /// The value that the move at `place` must exceed to be wanted. A move before the last wanted one in the game's order
    /// needs only equal its value.
    pub(super) fn threshold(&self, place: usize) -> Score {
        match self.best.last() {
            Some((last, variation)) if self.best.len() == self.wanted => {
                if place < *last {
                    variation.score.predecessor()
                } else {
                    variation.score
                }
            }
            _ => -Score::INFINITE,
        }
    }

    /// Inserts a move that exceeds its threshold, and returns whether it is the first now.
    pub(super) fn insert(&mut self, place: usize, variation: SearchVariation<M>) -> bool {
        let mut best = self.best.iter();
        let worse =
            best.position(|(other, known)| (known.score, place) < (variation.score, *other));
        let rank = worse.unwrap_or(self.best.len());
        self.best.insert(rank, (place, variation));
        self.best.truncate(self.wanted);
        rank == 0
    }

    /// The places of the moves, best first.
    pub(super) fn places(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.best.iter().map(|&(place, _)| place)
    }

    /// The moves, best first.
    pub(super) fn into_variations(self) -> Vec<SearchVariation<M>> {
        self.best.into_iter().map(|(_, variation)| variation).collect()
    }
}
