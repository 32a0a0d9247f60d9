//! The first layer: the sum of a row of weights for each feature that is present.

use wide::i16x8;

use super::input::MOST_FEATURES;
use super::layer::Reader;

/// The units of the first hidden layer.
pub const HIDDEN: usize = 256;

/// The quantised activation of 1 in the first layer: the largest number whose square is an `i16`.
pub const ONE: i32 = 181;

/// The largest absolute weight of the first layer: no sum of rows overflows an `i16`.
pub const LARGEST: i32 = i16::MAX as i32 / (MOST_FEATURES as i32 + 1);

/// The shift from the square of [`ONE`] to [`FULL`](super::FULL).
const SQUARE_BITS: i32 = 6;

/// The units that are accumulated together: as many as the registers of any processor hold.
const LANES: usize = 64;

/// A row of weights, in parts of [`ONE`], aligned to a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row([[i16; LANES]; HIDDEN / LANES]);

impl Row {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.row::<HIDDEN>(LARGEST).map(|row| Self(bytemuck::cast(row)))
    }
}

/// The activations of the first layer, two at a time.
pub(super) type FirstUnits = [[i16; 2]; HIDDEN / 2];

/// The first layer.
#[derive(Debug)]
pub(super) struct Accumulator {
    /// The weights of each feature.
    rows: Vec<Row>,
    /// The bias.
    bias: Row,
}

/// A SIMD kernel, given the units that a register holds and the instructions that fill a register with 0, fill it
/// with a number, add, take the smaller, take the larger, multiply, and shift right.
macro_rules! units_by {
    (
        $(#[$doc:meta])*
        $name:ident, $feature:literal, $width:literal,
        $register:ident, $zero:ident, $fill:ident, $add:ident, $min:ident, $max:ident, $multiply:ident, $shift:ident
    ) => {
        $(#[$doc])*
        #[cfg(target_arch = "x86_64")]
        #[inline]
        #[target_feature(enable = $feature)]
        pub(super) fn $name(&self, features: &[u16]) -> FirstUnits {
            use std::arch::x86_64::{$add, $fill, $max, $min, $multiply, $register, $shift, $zero};
            let mut units = [[0_i16; LANES]; HIDDEN / LANES];
            for (part, units) in units.iter_mut().enumerate() {
                let mut sums: [$register; LANES / $width] = bytemuck::cast(self.bias.0[part]);
                for &feature in features {
                    let weights = self.rows[usize::from(feature)].0[part].as_chunks::<$width>().0;
                    for (sum, &weights) in sums.iter_mut().zip(weights) {
                        *sum = $add(*sum, bytemuck::cast(weights));
                    }
                }
                for sum in &mut sums {
                    let unit = $min($max(*sum, $zero()), $fill(ONE as i16));
                    *sum = $shift::<{ SQUARE_BITS as _ }>($multiply(unit, unit));
                }
                *units = bytemuck::cast(sums);
            }
            bytemuck::cast(units)
        }
    };
}

impl Accumulator {
    /// Reads a row of weights for each of so many features, and the biases; none where there are fewer, or one is
    /// too large.
    pub(super) fn read(reader: &mut Reader<'_>, features: usize) -> Option<Self> {
        let rows = (0..features).map(|_| Row::read(reader)).collect::<Option<_>>()?;
        Some(Self { rows, bias: Row::read(reader)? })
    }

    /// The squared activations, in parts of [`FULL`](super::FULL), for the features that are present.
    #[inline]
    pub(super) fn units(&self, features: &[u16]) -> FirstUnits {
        let mut units = [[0_i16; LANES]; HIDDEN / LANES];
        for (part, units) in units.iter_mut().enumerate() {
            let mut sums: [i16x8; LANES / 8] = bytemuck::cast(self.bias.0[part]);
            for &feature in features {
                let weights = self.rows[usize::from(feature)].0[part].as_chunks().0;
                for (sum, &weights) in sums.iter_mut().zip(weights) {
                    *sum += i16x8::from(weights);
                }
            }
            for sum in &mut sums {
                let unit = sum.max(i16x8::splat(0)).min(i16x8::splat(ONE as i16));
                *sum = (unit * unit) >> SQUARE_BITS;
            }
            *units = bytemuck::cast(sums);
        }
        bytemuck::cast(units)
    }

    units_by! {
        /// As [`units`](Self::units), twice as many side by side.
        units_by_avx2, "avx2", 16, __m256i, _mm256_setzero_si256, _mm256_set1_epi16,
        _mm256_add_epi16, _mm256_min_epi16, _mm256_max_epi16, _mm256_mullo_epi16, _mm256_srli_epi16
    }

    units_by! {
        /// As [`units`](Self::units), four times as many side by side.
        units_by_avx512, "avx512bw", 32, __m512i, _mm512_setzero_si512, _mm512_set1_epi16,
        _mm512_add_epi16, _mm512_min_epi16, _mm512_max_epi16, _mm512_mullo_epi16, _mm512_srli_epi16
    }
}
