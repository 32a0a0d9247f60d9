//! A layer of a network in which every unit listens to all units of the layer before.

use wide::{i16x8, i32x4};

use super::reader::Reader;

/// The units of a layer beyond the first one.
pub const DEEP: usize = 32;

/// A unit of 1 in such a layer.
pub const FULL: i32 = 512;

/// A weight of 1 in such a layer.
pub const WEIGHT: i32 = 256;

/// No weight of such a layer is beyond plus or minus this, so that no sum leaves the range of an `i32`.
pub const LARGEST_DEEP: i32 = 8191;

/// The units of a layer, two at a time.
pub(super) type DeepUnits = [[i16; 2]; DEEP / 2];

/// A layer that listens to so many pairs of units. Two are multiplied at a time and added up, for several
/// units side by side, since processors have an instruction for that.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Layer<const PAIRS: usize> {
    /// For each pair of units before, what the two add to the first unit, then to the second, and so on.
    rows: [[i16; 2 * DEEP]; PAIRS],
    /// What the units are when all before are 0.
    bias: [i32; DEEP],
}

/// A method that multiplies as many weights at a time as a wide register holds, by the instructions that
/// fill one with 0, fill one with a pair, multiply and add up pairs, and add.
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
            self.cut_off(bytemuck::cast(sums))
        }
    };
}

impl<const PAIRS: usize> Layer<PAIRS> {
    /// Reads a row of weights for each unit of the layer before, and one that always counts; none where
    /// there are fewer, or one is too large.
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

    /// The units for those of the layer before, each cut off at 0 and at [`FULL`].
    #[inline]
    pub(super) fn units(&self, before: &[[i16; 2]; PAIRS]) -> DeepUnits {
        let mut sums = [i32x4::default(); DEEP / 4];
        for (&[even, odd], row) in before.iter().zip(&self.rows) {
            let pair = i16x8::from([even, odd, even, odd, even, odd, even, odd]);
            for (sum, &weights) in sums.iter_mut().zip(row.as_chunks().0) {
                *sum += pair.dot(i16x8::from(weights));
            }
        }
        self.cut_off(bytemuck::cast(sums))
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

    /// The units for what the layer before adds to them.
    #[inline(always)]
    fn cut_off(&self, sums: [i32; DEEP]) -> DeepUnits {
        let mut units = [[0; 2]; DEEP / 2];
        for ((unit, sum), bias) in units.as_flattened_mut().iter_mut().zip(sums).zip(&self.bias) {
            *unit = ((sum + bias).clamp(0, FULL * WEIGHT) / WEIGHT) as i16;
        }
        units
    }
}
