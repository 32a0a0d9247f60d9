//! How the values of a slice are packed.
//!
//! A table keeps a [`Bucket`] for each position: the outcome, and the distance in steps of [`STEP`] moves. The exact
//! distance follows from the buckets of the positions a few plies later. A block has the positions that differ only in
//! the squares of the kings. Their buckets are coded one after the other, each in the context of those of up to four
//! positions in which a king stands one square further left or down.

use cozy_chess::Square;

use super::super::super::endgame::{BinaryCoder, DRAW, Plies, is_loss};
use super::slice::ChessSlice;

/// The moves of the winner that a bucket does not tell apart.
pub(super) const STEP: Plies = 3;

/// An outcome with a rough distance, in ascending order of value: lost in few moves, in many, drawn, won in many moves,
/// in few.
pub type Bucket = u8;

/// The bucket of a draw, in the middle.
pub(super) const DRAWN: Bucket = 32;

/// The bucket of the quickest win.
const LAST: Bucket = 2 * DRAWN - 1;

/// The contexts of a decision that differ by what is decided: as many for each context of a bucket.
pub const NODES: u32 = 128;

/// The bucket of a value.
#[must_use]
pub fn bucket(value: Plies) -> Bucket {
    match value {
        DRAW => DRAWN,
        plies if is_loss(plies) => plies / 2 / STEP,
        plies => LAST - plies / 2 / STEP,
    }
}

/// The least and the greatest number of plies that a bucket stands for; none for a draw.
pub(super) fn range(bucket: Bucket) -> Option<[Plies; 2]> {
    let moves = |first: Bucket| [first * STEP, first * STEP + STEP - 1];
    match bucket {
        DRAWN => None,
        lost if lost < DRAWN => Some(moves(lost).map(|moves| 2 * moves)),
        won => Some(moves(LAST - won.min(LAST)).map(|moves| 2 * moves + 1)),
    }
}

/// The blocks of a slice.
#[must_use]
pub fn blocks(slice: ChessSlice) -> usize {
    slice.arrangements()
}

/// The block of a position that is no capture en passant, and its place there.
pub(super) fn place_in_block(slice: ChessSlice, number: usize) -> (usize, usize) {
    (number % slice.arrangements(), number / slice.arrangements())
}

/// Codes the buckets of a block, and returns them; that of a draw where there is no position or its mirror image is coded.
/// `value` says what an encoder codes, by the number of the position.
pub fn code_block(
    slice: ChessSlice,
    block: usize,
    coder: &mut impl BinaryCoder,
    value: impl Fn(usize) -> Bucket,
) -> Vec<Bucket> {
    let mut buckets: Vec<Option<Bucket>> = vec![None; slice.king_arrangements()];
    for (own, others) in slice.kings(block).enumerate() {
        for other in others {
            let kings = own * Square::NUM + other as usize;
            let near = near(kings).map(|near| buckets[near?]);
            let value = value(kings * slice.arrangements() + block);
            buckets[kings] = Some(code(coder, near, value));
        }
    }
    buckets.into_iter().map(|bucket| bucket.unwrap_or(DRAWN)).collect()
}

/// The squares of the kings, by their number, when one of them stands one square further left or down.
fn near(kings: usize) -> [Option<usize>; 4] {
    const OWN_FILES: usize = 4;
    const FILES: usize = 8;
    let (own, other) = (kings / Square::NUM, kings % Square::NUM);
    [
        (own % OWN_FILES > 0).then(|| kings - Square::NUM),
        own.checked_sub(OWN_FILES).map(|own| own * Square::NUM + other),
        (other % FILES > 0).then(|| kings - 1),
        (other >= FILES).then(|| kings - FILES),
    ]
}

/// Codes a bucket in the context of those near it.
fn code(coder: &mut impl BinaryCoder, near: [Option<Bucket>; 4], value: Bucket) -> Bucket {
    let expected = median(near);
    let context = context(near, expected) * NODES;
    match expected.filter(|&expected| expected != DRAWN) {
        Some(expected) => code_difference(coder, context, expected, value),
        None => code_whole(coder, context, value),
    }
}

/// The median of the buckets that are there.
fn median(buckets: [Option<Bucket>; 4]) -> Option<Bucket> {
    let mut sorted = buckets;
    // The missing ones come first.
    sorted.sort_unstable();
    let there = buckets.iter().flatten().count();
    sorted.get(buckets.len() - there + there / 2).copied().flatten()
}

/// The context of a bucket: what is expected, and how each of those near it differs.
fn context(near: [Option<Bucket>; 4], expected: Option<Bucket>) -> u32 {
    const DIFFERENCES: u32 = 9;
    let kind = match expected {
        Some(DRAWN) => 0,
        None => 1,
        Some(expected) if expected < DRAWN => 2,
        Some(_) => 3,
    };
    let difference = |near: Option<Bucket>| match (near, expected) {
        (None, _) => 0,
        (Some(DRAWN), _) => 1,
        (Some(near), None | Some(DRAWN)) => 2 + u32::from(near) / 11,
        (Some(near), Some(expected)) => {
            let difference = i32::from(near) - i32::from(expected);
            (5 + difference.clamp(-3, 3)) as u32
        }
    };
    near.into_iter().fold(kind, |context, near| context * DIFFERENCES + difference(near))
}

/// Codes whether it is a draw, and if not, the bits of the bucket.
fn code_whole(coder: &mut impl BinaryCoder, context: u32, value: Bucket) -> Bucket {
    const BITS: u32 = 6;
    if coder.code(context, value == DRAWN) {
        return DRAWN;
    }
    let mut node = 1;
    for bit in (0..BITS).rev() {
        node = 2 * node + u32::from(coder.code(context + node, value >> bit & 1 != 0));
    }
    (node - (1 << BITS)) as Bucket
}

/// Codes whether the bucket is the expected one or a draw, and if neither, by how much it differs.
fn code_difference(
    coder: &mut impl BinaryCoder,
    context: u32,
    expected: Bucket,
    value: Bucket,
) -> Bucket {
    const STEPS_APART: u32 = 12;
    if coder.code(context, value == expected) {
        return expected;
    }
    if coder.code(context + 1, value == DRAWN) {
        return DRAWN;
    }
    let is_more = coder.code(context + 2, value > expected);
    let first = context + 3 + if is_more { STEPS_APART } else { 0 };
    let mut found = expected;
    for step in 0.. {
        let next = if is_more { found.checked_add(1) } else { found.checked_sub(1) };
        let Some(next) = next.filter(|&next| next <= LAST) else { break };
        found = next;
        if coder.code(first + step.min(STEPS_APART - 1), value == found) {
            break;
        }
    }
    found
}
