//! The features of a position with their counts, from which a tuner computes the score for other weights.

use bestmove_engine::game::linear::Accumulator;
use bestmove_engine::game::{Position, Trainable};

/// The features of a position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trace {
    /// Indices of weights in ascending order, and how often each counts.
    pub counts: Vec<(u16, i16)>,
    /// The shares of the opening and the ending values in the score, from the view of the first side.
    pub shares: [f64; 2],
}

impl Trace {
    /// The features of an unfinished position; `None` where its score is no weighted sum.
    pub(crate) fn of<P: Position>(evaluator: &impl Trainable<P>, position: &P) -> Option<Self> {
        let mut counts = Counts(Vec::new());
        let shares = evaluator.count_features(position, &mut counts)?;
        Some(Self { counts: counts.added_up(), shares })
    }
}

/// Indices and counts as they come.
struct Counts(Vec<(u16, i16)>);

impl Accumulator for Counts {
    fn count(&mut self, index: usize, times: i32) {
        self.0.push((index as u16, times as i16));
    }
}

impl Counts {
    /// One count for each index, none of them 0, in ascending order of the indices.
    fn added_up(self) -> Vec<(u16, i16)> {
        let Self(mut counts) = self;
        counts.sort_unstable_by_key(|&(index, _)| index);
        counts.dedup_by(|next, sum| {
            let is_same = next.0 == sum.0;
            sum.1 += if is_same { next.1 } else { 0 };
            is_same
        });
        counts.retain(|&(_, times)| times != 0);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_the_same_feature_are_added_up() {
        let mut counts = Counts(Vec::new());
        for (index, times) in [(2, 1), (0, 3), (1, 1), (2, 1), (1, -1)] {
            counts.count(index, times);
        }
        assert_eq!(counts.added_up(), [(0, 3), (2, 2)]);
    }
}
