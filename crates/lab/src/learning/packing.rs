//! Compressed weights, as [`unpack`](bestmove_engine::network::unpack) reads them.
//!
//! The low bytes of all weights, then the high ones, as one deflate stream (RFC 1951). Weights are zigzag
//! encoded: the lowest bit is the sign, so that the high byte of a small weight is 0.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;

pub(super) fn pack(weights: &[i16]) -> io::Result<Vec<u8>> {
    let bytes = weights.iter().map(|&weight| zigzag(weight).to_le_bytes());
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    for half in 0..2 {
        let half: Vec<_> = bytes.clone().map(|bytes| bytes[half]).collect();
        encoder.write_all(&half)?;
    }
    encoder.finish()
}

/// Zigzag encoding: 0, -1, 1, -2, … become 0, 1, 2, 3, …
fn zigzag(weight: i16) -> u16 {
    (weight << 1 ^ weight >> 15).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bestmove_engine::network::unpack;
    use fastrand::Rng;

    #[test]
    fn what_is_unpacked_is_what_was_packed() {
        let weights: Vec<_> = (i16::MIN..=i16::MAX).collect();
        let packed = pack(&weights).expect("room");
        assert!(unpack(&packed) == Some(weights));
    }

    #[test]
    fn small_weights_of_either_sign_take_little_more_than_a_byte() {
        let mut random = Rng::with_seed(1);
        let weights: Vec<_> = (0..10_000).map(|_| random.usize(..255) as i16 - 127).collect();
        let packed = pack(&weights).expect("room");
        assert!(packed.len() < 10_500, "{}", packed.len());
    }

    #[test]
    fn bytes_that_were_not_packed_are_refused() {
        let odd = {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&[1, 2, 3]).and_then(|()| encoder.finish()).expect("room")
        };
        for bytes in [&[7, 7, 7][..], &odd] {
            assert_eq!(unpack(bytes), None);
        }
    }
}
