//! A fully connected layer, and the reader of weights.

use wide::{i16x8, i32x4, i32x8};

/// The units of a layer after the first one.
pub const DEEP: usize = 32;

/// The quantised activation of 1 in such a layer.
pub const FULL: i32 = 512;

/// The quantised weight of 1 in such a layer.
pub const WEIGHT: i32 = 256;

/// The largest absolute weight of such a layer: no sum overflows an `i32`.
pub const LARGEST_DEEP: i32 = 8191;

/// The units of a layer, two at a time.
pub(super) type DeepUnits = [[i16; 2]; DEEP / 2];

/// A layer with so many pairs of inputs. Processors multiply and add pairs in one instruction, for several
/// units at once.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Layer<const PAIRS: usize> {
    /// For each pair of inputs, their two weights for each unit.
    rows: [[i16; 2 * DEEP]; PAIRS],
    /// The biases.
    bias: [i32; DEEP],
}

/// A SIMD kernel, given the instructions that fill a register with 0, fill it with a pair, multiply and add pairs,
/// and add.
macro_rules! units_by {
    (
        $(#[$doc:meta])*
        $name:ident, $feature:literal, $weights:literal,
        $register:ident, $zero:ident, $fill:ident, $multiply:ident, $add:ident
    ) => {
        $(#[$doc])*
        #[cfg(target_arch = "x86_64")]
        #[inline]
        #[target_feature(enable = $feature)]
        pub(super) fn $name(&self, before: &[[i16; 2]; PAIRS]) -> DeepUnits {
            use std::arch::x86_64::{$add, $fill, $multiply, $register, $zero};
            let mut sums = [$zero(); 2 * DEEP / $weights];
            for (&pair, row) in before.iter().zip(&self.rows) {
                let pair = $fill(bytemuck::cast(pair));
                for (sum, &weights) in sums.iter_mut().zip(row.as_chunks::<$weights>().0) {
                    let weights: $register = bytemuck::cast(weights);
                    *sum = $add(*sum, $multiply(pair, weights));
                }
            }
            self.clip(bytemuck::cast(sums))
        }
    };
}

impl<const PAIRS: usize> Layer<PAIRS> {
    /// Reads a row of weights for each input, and the biases; none where there are fewer, or one is too large.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut layer = Self { rows: [[0; 2 * DEEP]; PAIRS], bias: [0; DEEP] };
        for rows in &mut layer.rows {
            for parity in 0..2 {
                let row = reader.row::<DEEP>(LARGEST_DEEP)?;
                for (unit, weight) in row.into_iter().enumerate() {
                    rows[2 * unit + parity] = weight;
                }
            }
        }
        layer.bias = reader.row(LARGEST_DEEP)?.map(|weight| i32::from(weight) * FULL);
        Some(layer)
    }

    /// The activations for these inputs, clipped to 0 to [`FULL`].
    #[inline]
    pub(super) fn units(&self, before: &[[i16; 2]; PAIRS]) -> DeepUnits {
        let mut sums = [i32x4::default(); DEEP / 4];
        for (&[even, odd], row) in before.iter().zip(&self.rows) {
            let pair = i16x8::from([even, odd, even, odd, even, odd, even, odd]);
            for (sum, &weights) in sums.iter_mut().zip(row.as_chunks().0) {
                *sum += pair.dot(i16x8::from(weights));
            }
        }
        self.clip(bytemuck::cast(sums))
    }

    units_by! {
        /// As [`units`](Self::units), twice as many side by side.
        units_by_avx2, "avx2", 16,
        __m256i, _mm256_setzero_si256, _mm256_set1_epi32, _mm256_madd_epi16, _mm256_add_epi32
    }

    units_by! {
        /// As [`units`](Self::units), four times as many side by side.
        units_by_avx512, "avx512bw", 32,
        __m512i, _mm512_setzero_si512, _mm512_set1_epi32, _mm512_madd_epi16, _mm512_add_epi32
    }

    /// The clipped activations of these weighted sums.
    #[inline(always)]
    fn clip(&self, sums: [i32; DEEP]) -> DeepUnits {
        let mut units = [[0_i16; 8]; DEEP / 8];
        let (sums, biases) = (sums.as_chunks().0, self.bias.as_chunks().0);
        for ((units, &sums), &bias) in units.iter_mut().zip(sums).zip(biases) {
            let sums = (i32x8::from(sums) + i32x8::from(bias)).max(i32x8::splat(0));
            let clipped = sums.min(i32x8::splat(FULL * WEIGHT)) >> WEIGHT.ilog2();
            *units = i16x8::from_i32x8_saturate(clipped).to_array();
        }
        bytemuck::cast(units)
    }
}

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
