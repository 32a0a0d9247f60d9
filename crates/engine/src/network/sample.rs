//! A position as a trainer sees it.

use super::Input;

/// The features of a position that are present, as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseInput {
    /// The features in the view of the side to move, and in that of the other side.
    pub views: [Vec<u16>; 2],
    /// The output bucket.
    pub bucket: usize,
}

impl<const WORDS: usize> From<&Input<WORDS>> for SparseInput {
    fn from(input: &Input<WORDS>) -> Self {
        let mover = input.mover & 1;
        let views = [mover, 1 - mover].map(|view| present(&input.views[view]));
        Self { views, bucket: input.bucket }
    }
}

/// The numbers of the bits that are set.
fn present(words: &[u64]) -> Vec<u16> {
    let features = 0..64 * words.len();
    let set = features.filter(|feature| words[feature / 64] >> (feature % 64) & 1 != 0);
    set.map(|feature| feature as u16).collect()
}
