//! The loops over the units of a network, which the compiler vectorises. Each is compiled for several instruction
//! sets and chosen by the processor at hand; the results are the same integers.

#![expect(
    clippy::inline_always,
    reason = "what is inlined is compiled for the instruction set of the function around it"
)]

use multiversion::multiversion;

use super::{ONE, UNITS};

/// The shift from the square of [`ONE`] to [`FULL`](super::FULL).
const SQUARE_BITS: u32 = 6;

/// A number for each unit, aligned to a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row(pub [i16; UNITS]);

/// Stands for the state of a pattern where a sum holds none.
pub(super) const NO_PATTERN: u16 = u16::MAX;

/// Updates a sum from the features `before` to the features `now`, which are one bit each and one state of each pattern, by
/// the rows of the features that differ, or anew from the bias where that takes fewer rows. The row of a bit is that of the bit
/// `^ turn`. Afterwards `before` equals `now`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub(super) fn update<const WORDS: usize, const PLACES: usize>(
    rows: &[Row],
    bias: &Row,
    sum: &mut Row,
    before: (&mut [u64; WORDS], &mut [u16; PLACES]),
    now: (&[u64; WORDS], &[u16; PLACES]),
    turn: usize,
) {
    let (words, states) = before;
    let differing = words.iter().zip(now.0).map(|(before, now)| (before ^ now).count_ones());
    let present = now.0.iter().map(|now| now.count_ones());
    let places = states.iter().zip(now.1).enumerate();
    let changed = places.map(|(place, (before, now))| u32::from(before != now) << place);
    let mut changed = changed.fold(0, |changed, place| changed | place);
    let mut total = *sum;
    if differing.sum::<u32>() + 2 * changed.count_ones() >= present.sum::<u32>() + PLACES as u32 {
        words.fill(0);
        states.fill(NO_PATTERN);
        changed = (1 << PLACES) - 1;
        total = *bias;
    }
    for ((before, &now), rows) in words.iter_mut().zip(now.0).zip(rows.chunks_exact(64)) {
        let (mut added, mut removed) = (now & !*before, *before & !now);
        while added != 0 {
            add(&mut total, &rows[(added.trailing_zeros() as usize ^ turn) & 63]);
            added &= added - 1;
        }
        while removed != 0 {
            subtract(&mut total, &rows[(removed.trailing_zeros() as usize ^ turn) & 63]);
            removed &= removed - 1;
        }
        *before = now;
    }
    while changed != 0 {
        let place = changed.trailing_zeros() as usize;
        if let Some(row) = rows.get(usize::from(states[place])) {
            subtract(&mut total, row);
        }
        if let Some(row) = rows.get(usize::from(now.1[place])) {
            add(&mut total, row);
        }
        changed &= changed - 1;
    }
    *states = *now.1;
    *sum = total;
}

/// Adds a row to a sum.
#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    sum.0.iter_mut().zip(row.0).for_each(|(unit, weight)| *unit = unit.wrapping_add(weight));
}

/// Subtracts a row from a sum, as [`add`] adds it.
#[inline(always)]
fn subtract(sum: &mut Row, row: &Row) {
    sum.0.iter_mut().zip(row.0).for_each(|(unit, weight)| *unit = unit.wrapping_sub(weight));
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
