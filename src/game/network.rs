//! A small network that adds to an evaluation what sums of weights can't say, how men stand together;
//! or tells how far off an end is.
//!
//! A position is shown to it as features that are present or not, such as an own man on a square, from
//! the view of the side to move. One hidden layer adds up a row of weights for each feature (Nasu,
//! *Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi*, 2018); each
//! unit is cut off at 0 and at 1 and squared, and the output is a sum of their squares. Everything is
//! counted in whole numbers, so that it comes out the same everywhere.

/// The units of the hidden layer.
pub const HIDDEN: usize = 256;

/// The most features that a position has: the men of chess.
pub const MOST_FEATURES: usize = 32;

/// A hidden unit of 1: the largest number whose square is an `i16`.
pub const ONE: i32 = 181;

/// An output weight that adds 1 to the logarithm of the odds.
pub const LOGIT: i32 = 256;

/// The plies to the end of a decided game for which an output of 0 stands.
pub const HALF_WAY: i32 = 48;

/// By how many plies such an end is nearer for each [`LOGIT`] of output.
pub const PLIES_OF_LOGIT: i32 = 24;

/// No weight of a row is beyond plus or minus this, so that no sum of rows leaves the range of an
/// `i16`.
pub const LARGEST: i32 = i16::MAX as i32 / (MOST_FEATURES as i32 + 1);

/// The units that are added up at once: as many as the registers of any processor hold.
const LANES: usize = 64;

/// The weights of the hidden layer, in parts of [`ONE`] or of [`LOGIT`].
type Row = [i16; HIDDEN];

/// A trained network.
#[derive(Debug)]
pub struct Network<const FEATURES: usize> {
    /// For each feature, what it adds to the hidden units.
    rows: [Row; FEATURES],
    /// What the hidden units are without any feature.
    bias: Row,
    /// What each hidden unit adds to the output.
    outputs: Row,
}

impl<const FEATURES: usize> Network<FEATURES> {
    /// Reads what a trainer has written: rows of little-endian 16-bit numbers, one a feature, the bias
    /// and the outputs. For constants, since it panics where the bytes are something else.
    #[must_use]
    pub const fn read(bytes: &[u8]) -> Self {
        assert!(
            bytes.len() == (FEATURES + 2) * size_of::<Row>(),
            "as many rows as there are features, and two"
        );
        let mut rows = [[0; HIDDEN]; FEATURES];
        let mut row = 0;
        while row < FEATURES {
            rows[row] = read_row(bytes, row, LARGEST);
            row += 1;
        }
        let bias = read_row(bytes, FEATURES, LARGEST);
        let outputs = read_row(bytes, FEATURES + 1, i16::MAX as i32);
        assert!(total(&outputs) <= i32::MAX / (ONE * ONE), "an output that can't overflow");
        Self { rows, bias, outputs }
    }

    /// What the network adds to a score that is expected to bring three quarters of the points at
    /// `half_value`.
    #[inline]
    #[must_use]
    pub fn score(&self, features: &[u16], half_value: i32) -> i32 {
        /// Three quarters of the points are odds of three to one.
        const THREE_TO_ONE: i32 = (LOGIT as f64 * 1.098_612_288_668_11) as i32;
        self.output(features) * half_value / THREE_TO_ONE
    }

    /// In how many plies a decided game ends, for a network that was trained to tell it.
    #[inline]
    #[must_use]
    pub fn plies(&self, features: &[u16]) -> i32 {
        HALF_WAY - self.output(features) * PLIES_OF_LOGIT / LOGIT
    }

    /// The output, in parts of [`LOGIT`], for the `features` that are present, at most
    /// [`MOST_FEATURES`].
    #[inline]
    #[must_use]
    pub fn output(&self, features: &[u16]) -> i32 {
        let mut output = 0;
        for first in (0..HIDDEN).step_by(LANES) {
            output += self.lanes(first, features);
        }
        output / (ONE * ONE)
    }

    /// The share of the hidden units from `first` on in the output.
    #[inline]
    fn lanes(&self, first: usize, features: &[u16]) -> i32 {
        let mut units = [0_i16; LANES];
        units.copy_from_slice(&self.bias[first..first + LANES]);
        for &feature in features {
            let row = &self.rows[usize::from(feature)][first..first + LANES];
            for (unit, weight) in units.iter_mut().zip(row) {
                *unit = unit.wrapping_add(*weight);
            }
        }
        let outputs = &self.outputs[first..first + LANES];
        let parts = units.iter().zip(outputs).map(|(&unit, &weight)| {
            let unit = unit.clamp(0, ONE as i16);
            i32::from(unit * unit) * i32::from(weight)
        });
        parts.sum()
    }
}

/// The row of this number, of weights up to `largest`.
const fn read_row(bytes: &[u8], number: usize, largest: i32) -> Row {
    let mut row = [0; HIDDEN];
    let mut unit = 0;
    while unit < HIDDEN {
        let at = (number * HIDDEN + unit) * 2;
        row[unit] = i16::from_le_bytes([bytes[at], bytes[at + 1]]);
        assert!((row[unit] as i32).abs() <= largest, "a weight that can't overflow");
        unit += 1;
    }
    row
}

/// The sum of the sizes of all weights.
const fn total(row: &Row) -> i32 {
    let (mut unit, mut total) = (0, 0);
    while unit < HIDDEN {
        total += row[unit].unsigned_abs() as i32;
        unit += 1;
    }
    total
}

/// The features of a position.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    present: [u16; MOST_FEATURES],
    len: usize,
}

impl Features {
    /// None so far.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self { present: [0; MOST_FEATURES], len: 0 }
    }

    /// Adds one; those beyond [`MOST_FEATURES`] are left out.
    #[inline]
    pub fn add(&mut self, feature: u16) {
        if let Some(next) = self.present.get_mut(self.len) {
            *next = feature;
            self.len += 1;
        }
    }

    /// Those that are present.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u16] {
        &self.present[..self.len]
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::new()
    }
}

/// What a trainer sees of a position.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// What the network is shown.
    pub features: Features,
    /// What the score is without the network, from the view of the side to move.
    pub score: i32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::random::Random;

    const FEATURES: usize = 40;

    /// Rows of weights drawn by lot up to `largest`.
    fn rows(random: &mut Random, rows: usize, largest: i32) -> Vec<Row> {
        let weight = |random: &mut Random| random.below(2 * largest as usize + 1) as i32 - largest;
        let mut row = || [(); HIDDEN].map(|()| weight(random) as i16);
        (0..rows).map(|_| row()).collect()
    }

    /// The rows as a trainer writes them.
    fn written(rows: &[Row]) -> Vec<u8> {
        rows.iter().flatten().flat_map(|weight| weight.to_le_bytes()).collect()
    }

    #[test]
    fn the_output_is_what_the_written_weights_add_up_to_at_any_size() {
        let mut random = Random::new(1);
        for largest in [3, 60, LARGEST] {
            let mut rows = [rows(&mut random, FEATURES + 1, largest), rows(&mut random, 1, 250)];
            let network = Network::<FEATURES>::read(&written(&rows.concat()));
            let (outputs, rows) = (rows[1].remove(0), &rows[0]);
            for len in [0, 1, 7, MOST_FEATURES] {
                let features: Vec<_> = (0..len).map(|_| random.below(FEATURES) as u16).collect();
                let unit = |unit: usize| {
                    let weight = |row: usize| i64::from(rows[row][unit]);
                    let present = features.iter().map(|&feature| weight(usize::from(feature)));
                    let sum = weight(FEATURES) + present.sum::<i64>();
                    sum.clamp(0, i64::from(ONE)).pow(2) * i64::from(outputs[unit])
                };
                let expected = (0..HIDDEN).map(unit).sum::<i64>() / i64::from(ONE * ONE);
                assert_eq!(
                    i64::from(network.output(&features)),
                    expected,
                    "{largest} {features:?}"
                );
            }
        }
    }

    #[test]
    fn odds_of_three_to_one_are_worth_the_half_value() {
        let [zero, one, outputs] = [0, ONE as i16, 1].map(|weight| [weight; HIDDEN]);
        let network = Network::<2>::read(&written(&[zero, zero, one, outputs]));
        // Three to one is 1.0986 as a logarithm, and 281 in parts of 256.
        assert_eq!(network.score(&[0, 1], 1000), 1000 * HIDDEN as i32 / 281);
    }

    #[test]
    fn an_output_of_a_logit_brings_the_end_nearer() {
        let zero = [0; HIDDEN];
        let mut outputs = zero;
        outputs[0] = LOGIT as i16;
        let network = Network::<1>::read(&written(&[[ONE as i16; HIDDEN], zero, outputs]));
        assert_eq!(network.plies(&[]), HALF_WAY);
        assert_eq!(network.plies(&[0]), HALF_WAY - PLIES_OF_LOGIT);
    }

    #[test]
    fn features_beyond_the_most_are_left_out() {
        let mut features = Features::new();
        (0..=MOST_FEATURES as u16).for_each(|feature| features.add(feature));
        assert_eq!(features.as_slice().len(), MOST_FEATURES);
    }
}
