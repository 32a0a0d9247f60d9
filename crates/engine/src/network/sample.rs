//! A position as the input of a trainer.

use super::Input;

/// The numbers of the features that are present in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseInput {
    /// The features in the view of the side to move, and in the view of the other side.
    pub views: [Vec<u16>; 2],
    /// The output bucket.
    pub bucket: usize,
}

impl<const WORDS: usize, const PLACES: usize> From<&Input<WORDS, PLACES>> for SparseInput {
    fn from(input: &Input<WORDS, PLACES>) -> Self {
        let mover = input.mover & 1;
        let views = [mover, 1 - mover].map(|view| {
            present(&input.views[view], &input.patterns[view], usize::from(input.turns[view]))
        });
        Self { views, bucket: input.bucket }
    }
}

/// The numbers of the set bits, and of the states of patterns.
fn present(words: &[u64], patterns: &[u16], turn: usize) -> Vec<u16> {
    let features = 0..64 * words.len();
    let set = features.filter(|feature| words[feature / 64] >> ((feature ^ turn) % 64) & 1 != 0);
    set.map(|feature| feature as u16).chain(patterns.iter().copied()).collect()
}
