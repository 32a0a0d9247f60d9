//! The learned evaluation: one form of network for every game.
//!
//! The input is a set of binary features in the view of either side, such as an own man on a square, or one of the
//! states of a pattern of squares. Each view has a hidden layer, the sum of a row of weights for each feature that is present, with a squared clipped activation.
//! The units of both views, those of the side to move first, are weighted by one of several sets of output
//! weights, the output buckets (Nasu, *Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
//! Shogi*, 2018). All numbers are integers, so that every processor gives the same output.

mod accumulator;
mod file;
mod kernel;
mod packing;
mod sample;
#[cfg(test)]
mod tests;

pub use self::accumulator::Accumulator;
use self::kernel::Row;
pub use self::packing::unpack;
pub use self::sample::SparseInput;

/// The units of the hidden layer of each view.
pub const UNITS: usize = 128;

/// The quantised activation of 1: the largest number whose square is an `i16`.
pub const ONE: i32 = 181;

/// The quantised square of an activation of 1.
pub const FULL: i32 = 512;

/// The quantised output weight of 1: a logit, the logarithm of the odds.
pub const LOGIT: i32 = 256;

/// The largest absolute output weight: no sum overflows an `i32`.
pub const LARGEST_OUTPUT: i32 = 8191;

/// A position as a network sees it: in each view up to `64 * WORDS` features that are present or not, and for each of
/// the places of patterns one feature that is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input<const WORDS: usize, const PLACES: usize = 0> {
    /// The features that are present in the view of the first side, and in that of the second one: bit `b` of word
    /// `w` is feature `64 * w + (b ^ turn)` with the turn of the view.
    pub views: [[u64; WORDS]; 2],
    /// How either view turns the board: 0 for not at all, on a board of eight columns 7 from left to right and 56 upside down.
    pub turns: [u8; 2],
    /// The states of the patterns in both views, as the numbers of their features, which follow those of the words.
    pub patterns: [[u16; PLACES]; 2],
    /// The index of the view of the side to move.
    pub mover: usize,
    /// The output bucket.
    pub bucket: usize,
}

/// The dimensions of a network, which its game fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkSize {
    /// The features of a view, present or not.
    pub features: usize,
    /// The most features of a view that may be present at once.
    pub present: usize,
    /// The output buckets.
    pub buckets: usize,
}

impl NetworkSize {
    /// The largest absolute weight of the hidden layer: no sum of rows overflows an `i16`.
    #[must_use]
    pub const fn largest(self) -> i32 {
        i16::MAX as i32 / (self.present as i32 + 1)
    }
}

/// A trained network.
#[derive(Debug)]
pub struct Network {
    /// The weights of each feature, in parts of [`ONE`].
    rows: Vec<Row>,
    /// The biases of the hidden layer.
    bias: Row,
    buckets: Vec<Output>,
}

/// The output of one bucket.
#[derive(Debug)]
struct Output {
    /// The weights of the units of the side to move, then of the other side, in parts of [`LOGIT`].
    weights: [Row; 2],
    /// The bias, in parts of [`LOGIT`].
    bias: i32,
}

impl Network {
    /// The output as a score of an evaluator with this [half value](crate::game::Scale::half_value), from the
    /// view of the side to move.
    #[inline]
    #[must_use]
    pub fn score<const WORDS: usize, const PLACES: usize>(
        &self,
        input: &Input<WORDS, PLACES>,
        accumulator: &mut Accumulator<WORDS, PLACES>,
        half_value: i32,
    ) -> i32 {
        /// Three quarters of the points are odds of three to one.
        const THREE_TO_ONE: i64 = (1.098_612_288_668_11 * (LOGIT * FULL) as f64) as i64;
        let output = self.output(input, accumulator);
        (i64::from(output) * i64::from(half_value) / THREE_TO_ONE) as i32
    }

    /// The output, a logit in parts of [`LOGIT`] times [`FULL`].
    #[inline]
    #[must_use]
    pub fn output<const WORDS: usize, const PLACES: usize>(
        &self,
        input: &Input<WORDS, PLACES>,
        accumulator: &mut Accumulator<WORDS, PLACES>,
    ) -> i32 {
        let output = &self.buckets[input.bucket.min(self.buckets.len() - 1)];
        let sums = accumulator.sums_of(self, input);
        let [own, other] = [&sums[input.mover & 1], &sums[1 - (input.mover & 1)]];
        output.bias * FULL + kernel::weighted_squares([own, other], &output.weights)
    }
}
