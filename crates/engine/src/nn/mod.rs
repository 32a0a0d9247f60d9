//! Small quantised networks: terms of an evaluation, or estimates of the distance to the end.
//!
//! The input is a set of binary features, such as an own man on a square, from the view of the side to move.
//! The first hidden layer is an accumulator of one row of weights for each feature (Nasu, *Efficiently
//! Updatable Neural-Network-based Evaluation Functions for Computer Shogi*, 2018) with a squared clipped
//! activation. Two fully connected layers with clipped activations and one output follow. All numbers are
//! integers, so that every processor gives the same output.

#![expect(
    clippy::inline_always,
    reason = "the SIMD kernels must be inlined into the function that has the target feature"
)]

mod accumulator;
mod input;
mod layer;
mod packing;

pub use self::accumulator::{HIDDEN, LARGEST, ONE};
pub use self::input::{Features, MOST_FEATURES, NetworkInput, NetworkShape};
pub use self::layer::{DEEP, FULL, LARGEST_DEEP, WEIGHT};
pub use self::packing::unpack;

use wide::{i16x8, i32x4};

use self::accumulator::Accumulator;
use self::layer::{DeepUnits, Layer, Reader};

/// The quantised output of 1: a logit, the logarithm of the odds.
pub const LOGIT: i32 = 256;

/// A distance network: the plies to the end for an output of 0.
pub const HALF_WAY: i32 = 48;

/// A distance network: the plies by which each [`LOGIT`] of output brings the end nearer.
pub const PLIES_OF_LOGIT: i32 = 24;

/// A trained network.
#[derive(Debug)]
pub struct Network {
    first: Accumulator,
    second: Layer<{ HIDDEN / 2 }>,
    third: Layer<{ DEEP / 2 }>,
    /// The output weights of the third layer, in parts of [`LOGIT`].
    outputs: [i16; DEEP],
    /// The output bias.
    offset: i32,
}

impl Network {
    /// Reads all networks of a [compressed](unpack) file, each with so many input features: for each layer a row of
    /// weights for each unit of the layer before, then a row of biases. `None` where the bytes are no such file.
    #[must_use]
    pub fn read_all(bytes: &[u8], features: usize) -> Option<Vec<Self>> {
        Self::of_weights(&unpack(bytes)?, features)
    }

    /// The networks of these weights, one after the other; `None` where there are too few, or one is too large.
    fn of_weights(weights: &[i16], features: usize) -> Option<Vec<Self>> {
        let size = (features + 1) * HIDDEN + (HIDDEN + 1) * DEEP + (DEEP + 1) * DEEP + (DEEP + 1);
        let networks = weights.chunks_exact(size);
        let is_whole = networks.remainder().is_empty();
        let read = |weights| Self::read(&mut Reader::new(weights), features);
        is_whole.then(|| networks.map(read).collect())?
    }

    fn read(reader: &mut Reader<'_>, features: usize) -> Option<Self> {
        Some(Self {
            first: Accumulator::read(reader, features)?,
            second: Layer::read(reader)?,
            third: Layer::read(reader)?,
            outputs: reader.row(LARGEST_DEEP)?,
            offset: i32::from(reader.row::<1>(LARGEST_DEEP)?[0]),
        })
    }

    /// The output as a score of an evaluator with this
    /// [half value](crate::game::Evaluator::half_value).
    #[inline]
    #[must_use]
    pub fn score(&self, features: &[u16], half_value: i32) -> i32 {
        /// Three quarters of the points are odds of three to one.
        const THREE_TO_ONE: i32 = (LOGIT as f64 * 1.098_612_288_668_11) as i32;
        self.output(features) * half_value / THREE_TO_ONE
    }

    /// The output of a distance network, in plies.
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
        #[cfg(target_arch = "x86_64")]
        if let Some(output) = self.output_by_wide_registers(features) {
            return output;
        }
        self.output_anywhere(features)
    }

    /// As [`output`](Self::output), by AVX-512 or AVX2 where the processor has them.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn output_by_wide_registers(&self, features: &[u16]) -> Option<i32> {
        use std::arch::is_x86_feature_detected as has;
        // The first processors with AVX-512, which lack the last of these, lower their clock for it.
        if has!("avx512bw") && has!("avx512vnni") {
            #[expect(unsafe_code, reason = "a search with networks that is a tenth faster still")]
            // SAFETY: this processor has the instructions that the function is compiled to.
            return Some(unsafe { self.output_by_avx512(features) });
        }
        if has!("avx2") {
            #[expect(unsafe_code, reason = "a search with networks that is a fifth faster")]
            // SAFETY: this processor has the instructions that the function is compiled to.
            return Some(unsafe { self.output_by_avx2(features) });
        }
        None
    }

    /// As [`output`](Self::output), on any processor.
    #[inline]
    fn output_anywhere(&self, features: &[u16]) -> i32 {
        self.output_of(&self.third.units(&self.second.units(&self.first.units(features))))
    }

    /// As [`output`](Self::output), by AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn output_by_avx2(&self, features: &[u16]) -> i32 {
        let first = self.first.units_by_avx2(features);
        self.output_of(&self.third.units_by_avx2(&self.second.units_by_avx2(&first)))
    }

    /// As [`output`](Self::output), by AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw")]
    fn output_by_avx512(&self, features: &[u16]) -> i32 {
        let first = self.first.units_by_avx512(features);
        self.output_of(&self.third.units_by_avx512(&self.second.units_by_avx512(&first)))
    }

    /// The output for these activations of the third layer.
    #[inline(always)]
    fn output_of(&self, third: &DeepUnits) -> i32 {
        let units = third.as_flattened().as_chunks().0.iter();
        let weights = self.outputs.as_chunks().0.iter();
        let products = units
            .zip(weights)
            .map(|(&units, &weights)| i16x8::from(units).dot(i16x8::from(weights)));
        self.offset
            + products.fold(i32x4::default(), |sum, products| sum + products).reduce_add() / FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    const FEATURES: usize = 40;

    /// The weights of a network as whole numbers of any size, each layer a row for each unit before and
    /// one that always counts.
    struct Plain {
        layers: [Vec<Vec<i64>>; 4],
    }

    impl Plain {
        /// Weights drawn by lot up to these.
        fn drawn(features: usize, largest: [i32; 4], random: &mut Rng) -> Self {
            let sizes = [(features, HIDDEN), (HIDDEN, DEEP), (DEEP, DEEP), (DEEP, 1)];
            let mut layer = |((before, units), largest): ((usize, usize), i32)| {
                let mut weight =
                    || random.usize(..=2 * largest as usize) as i64 - i64::from(largest);
                (0..=before).map(|_| (0..units).map(|_| weight()).collect()).collect()
            };
            let pairs = [0, 1, 2, 3].map(|number| (sizes[number], largest[number]));
            Self { layers: pairs.map(&mut layer) }
        }

        /// As a trainer writes it.
        fn written(&self) -> Vec<i16> {
            self.layers.iter().flatten().flatten().map(|&weight| weight as i16).collect()
        }

        fn output(&self, features: &[u16]) -> i64 {
            let mut present = vec![0; self.layers[0].len() - 1];
            for &feature in features {
                present[usize::from(feature)] += 1;
            }
            let first = sums(&self.layers[0], &present, 1);
            let squares = first.iter().map(|unit| unit.clamp(&0, &i64::from(ONE)).pow(2) / 64);
            let (full, weight) = (i64::from(FULL), i64::from(WEIGHT));
            let cut =
                |sums: Vec<i64>| sums.iter().map(|sum| (sum / weight).clamp(0, full)).collect();
            let second: Vec<_> = cut(sums(&self.layers[1], &squares.collect::<Vec<_>>(), full));
            let third: Vec<_> = cut(sums(&self.layers[2], &second, full));
            sums(&self.layers[3], &third, 0)[0] / full + self.layers[3][DEEP][0]
        }
    }

    /// What the units of a layer add up for those before, where that which always counts is `always`.
    fn sums(rows: &[Vec<i64>], before: &[i64], always: i64) -> Vec<i64> {
        let counts = || before.iter().chain([&always]);
        let unit =
            |unit: usize| rows.iter().zip(counts()).map(|(row, count)| row[unit] * count).sum();
        (0..rows[0].len()).map(unit).collect()
    }

    /// The networks of these weights.
    fn read(weights: &[i16], features: usize) -> Vec<Network> {
        Network::of_weights(weights, features).expect("whole networks")
    }

    /// The output of a network by each way to it that this processor can go.
    fn outputs(network: &Network, features: &[u16]) -> Vec<(&'static str, i32)> {
        let mut outputs = vec![("widest", network.output(features))];
        outputs.push(("anywhere", network.output_anywhere(features)));
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "where there are wider registers it is not taken")]
            // SAFETY: this processor has the instructions that the function is compiled to.
            outputs.push(("AVX2", unsafe { network.output_by_avx2(features) }));
        }
        outputs
    }

    #[test]
    fn weights_of_other_networks_are_refused() {
        let mut weights = Plain::drawn(2, [1; 4], &mut Rng::with_seed(1)).written();
        let all = |weights: &[i16]| Network::of_weights(weights, 2);
        assert!(all(&weights).is_some());
        assert!(all(&weights[1..]).is_none());
        weights[0] = LARGEST as i16 + 1;
        assert!(all(&weights).is_none());
    }

    #[test]
    fn the_output_is_what_the_written_weights_add_up_to_at_any_size() {
        let mut random = Rng::with_seed(1);
        for largest in [[3, 50, 100, 100], [60, 30, 90, 300], [LARGEST, 8191, 8191, 8191]] {
            let plain = [(); 2].map(|()| Plain::drawn(FEATURES, largest, &mut random));
            let networks = read(&plain.each_ref().map(Plain::written).concat(), FEATURES);
            for (network, plain) in networks.iter().zip(&plain) {
                for len in [0, 1, 7, MOST_FEATURES] {
                    let features: Vec<_> =
                        (0..len).map(|_| random.usize(..FEATURES) as u16).collect();
                    let expected = plain.output(&features);
                    for (way, output) in outputs(network, &features) {
                        assert_eq!(i64::from(output), expected, "{way} {largest:?} {features:?}");
                    }
                }
            }
        }
    }

    /// A network whose output is always this.
    fn constant(output: i16) -> Network {
        let mut plain = Plain::drawn(1, [0; 4], &mut Rng::with_seed(1));
        plain.layers[3][DEEP][0] = i64::from(output);
        read(&plain.written(), 1).remove(0)
    }

    #[test]
    fn odds_of_three_to_one_are_worth_the_half_value() {
        // Three to one is 1.0986 as a logarithm, and 281 in parts of 256.
        assert_eq!(constant(281).score(&[0], 1000), 1000);
    }

    #[test]
    fn an_output_of_a_logit_brings_the_end_nearer() {
        assert_eq!(constant(0).plies(&[]), HALF_WAY);
        assert_eq!(constant(LOGIT as i16).plies(&[0]), HALF_WAY - PLIES_OF_LOGIT);
    }
}
