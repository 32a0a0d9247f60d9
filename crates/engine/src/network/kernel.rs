//! The loops over the units of a network, which the compiler vectorises. Each is compiled for several instruction
//! sets and chosen by the processor at hand; the results are the same integers.

use multiversion::multiversion;

use super::{ONE, UNITS};

/// The shift from the square of [`ONE`] to [`FULL`](super::FULL).
const SQUARE_BITS: u32 = 6;

/// A number for each unit, aligned to a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row(pub [i16; UNITS]);

/// Updates a sum from the features `before` to the features `now`, one bit each, by the rows of the features that
/// differ, or anew from the bias where that takes fewer rows. Afterwards `before` equals `now`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub(super) fn update(rows: &[Row], bias: &Row, sum: &mut Row, before: &mut [u64], now: &[u64]) {
    let differing = before.iter().zip(now).map(|(before, now)| (before ^ now).count_ones());
    let present = now.iter().map(|now| now.count_ones());
    let mut total = *sum;
    if differing.sum::<u32>() >= present.sum() {
        before.fill(0);
        total = *bias;
    }
    for ((before, &now), rows) in before.iter_mut().zip(now).zip(rows.chunks_exact(64)) {
        let (mut added, mut removed) = (now & !*before, *before & !now);
        while added != 0 {
            let row = &rows[added.trailing_zeros() as usize & 63];
            total
                .0
                .iter_mut()
                .zip(row.0)
                .for_each(|(unit, weight)| *unit = unit.wrapping_add(weight));
            added &= added - 1;
        }
        while removed != 0 {
            let row = &rows[removed.trailing_zeros() as usize & 63];
            total
                .0
                .iter_mut()
                .zip(row.0)
                .for_each(|(unit, weight)| *unit = unit.wrapping_sub(weight));
            removed &= removed - 1;
        }
        *before = now;
    }
    *sum = total;
}

/// The sum of the squared clipped units of two views, in parts of [`FULL`](super::FULL), times their weights. No sum
/// overflows, as [`LARGEST_OUTPUT`](super::LARGEST_OUTPUT) tells; checks of that would keep the loop from being vectorised.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub(super) fn weighted_squares(sums: [&Row; 2], weights: &[Row; 2]) -> i32 {
    let mut total = 0_i32;
    for (sum, weights) in sums.into_iter().zip(weights) {
        for (&unit, &weight) in sum.0.iter().zip(&weights.0) {
            let clipped = unit.clamp(0, ONE as i16);
            let square = clipped.wrapping_mul(clipped) as u16 >> SQUARE_BITS;
            total = total.wrapping_add(i32::from(square as i16).wrapping_mul(i32::from(weight)));
        }
    }
    total
}
