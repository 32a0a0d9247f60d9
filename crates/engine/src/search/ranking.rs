//! The best root moves of one depth.

use super::report::SearchVariation;
use crate::game::Score;

/// As many of the best root moves as are wanted, best first; of equal ones the first in the game's
/// order, as the textbook takes it.
pub(super) struct Ranking<M> {
    wanted: usize,
    /// Each with the place of its move in the game's order.
    best: Vec<(usize, SearchVariation<M>)>,
}

impl<M> Ranking<M> {
    pub(super) fn new(wanted: usize) -> Self {
        Self { wanted, best: Vec::new() }
    }

    /// The value that a move at this place must exceed to be wanted. One that stands before the
    /// last wanted move needs only equal it.
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

    /// Puts a move that exceeds its threshold in its rank, and says whether that is the first.
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
