//! Compressed weights.
//!
//! The low bytes of all weights, then the high ones, as one deflate stream (RFC 1951). Weights are zigzag
//! encoded: the lowest bit is the sign, so that the high byte of a small weight is 0.

use std::io::Read;

use flate2::read::DeflateDecoder;

/// The weights in a compressed file; `None` where the bytes are no such file.
#[must_use]
pub fn unpack(bytes: &[u8]) -> Option<Vec<i16>> {
    let mut halves = Vec::new();
    DeflateDecoder::new(bytes).read_to_end(&mut halves).ok()?;
    let (low, high) = halves.split_at(halves.len() / 2);
    let weights =
        low.iter().zip(high).map(|(&low, &high)| from_zigzag(u16::from_le_bytes([low, high])));
    (low.len() == high.len()).then(|| weights.collect())
}

/// The inverse of the zigzag encoding, by which 0, -1, 1, -2, … become 0, 1, 2, 3, …
fn from_zigzag(encoded: u16) -> i16 {
    (encoded >> 1).cast_signed() ^ -(encoded & 1).cast_signed()
}
