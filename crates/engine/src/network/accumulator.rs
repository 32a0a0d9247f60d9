//! The accumulator: the sums of the hidden layer, updated from one position to the next.

use super::kernel::{self, Row};
use super::{Input, Network, UNITS};

/// The sums of both views, and the features that they stand for.
///
/// The next position differs in few features from the one before, so its sums follow by the rows of these features.
/// The sums do not depend on the way to a position. An accumulator belongs to one search and one network.
#[derive(Clone, Debug)]
pub struct Accumulator<const WORDS: usize, const PLACES: usize = 0> {
    sums: [Row; 2],
    views: [[u64; WORDS]; 2],
    patterns: [[u16; PLACES]; 2],
    turns: [u8; 2],
}

impl<const WORDS: usize, const PLACES: usize> Default for Accumulator<WORDS, PLACES> {
    fn default() -> Self {
        let patterns = [[kernel::NO_PATTERN; PLACES]; 2];
        Self { sums: [Row([0; UNITS]); 2], views: [[0; WORDS]; 2], patterns, turns: [0; 2] }
    }
}

impl<const WORDS: usize, const PLACES: usize> Accumulator<WORDS, PLACES> {
    /// The sums of both views of `input`.
    #[inline]
    pub(super) fn sums_of(&mut self, network: &Network, input: &Input<WORDS, PLACES>) -> &[Row; 2] {
        for (view, sum) in self.sums.iter_mut().enumerate() {
            let turn = input.turns[view];
            if self.turns[view] != turn {
                // Without a feature that is left the sum begins anew.
                self.views[view] = [0; WORDS];
                self.patterns[view] = [kernel::NO_PATTERN; PLACES];
            }
            let before = (&mut self.views[view], &mut self.patterns[view]);
            let now = (&input.views[view], &input.patterns[view]);
            kernel::update(&network.rows, &network.bias, sum, before, now, usize::from(turn));
        }
        self.turns = input.turns;
        &self.sums
    }
}
