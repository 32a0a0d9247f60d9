//! Reading the weights of a network in the order in which a trainer writes them.

/// Reads weights one after the other.
pub(super) struct Reader<'a> {
    weights: &'a [i16],
}

impl<'a> Reader<'a> {
    /// From the first one on.
    pub(super) fn new(weights: &'a [i16]) -> Self {
        Self { weights }
    }

    /// As many of the next ones; none where there are fewer, or one is beyond plus or minus `largest`.
    pub(super) fn row<const LEN: usize>(&mut self, largest: i32) -> Option<[i16; LEN]> {
        let (row, rest) = self.weights.split_first_chunk()?;
        self.weights = rest;
        row.iter().all(|&weight| i32::from(weight).abs() <= largest).then_some(*row)
    }
}
