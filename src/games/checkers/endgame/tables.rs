//! Tables of values: how they are written, and how a value is read.
//!
//! A table is a header of 24 bytes and the values of all positions of up to so many pieces, a byte
//! each, slice after slice. Either as they are, to be mapped into memory; or packed, to be carried
//! along: the ends of all blocks as 32-bit numbers, then the blocks, each a deflate stream
//! (RFC 1951) of the same number of values. All numbers are little-endian.

use std::io::{self, Write};
use std::ops::Deref;
use std::sync::OnceLock;

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::super::super::retrograde::Plies;
use super::slice::{Layout, MOST_PIECES, Placement};

/// The values of a block. Larger blocks pack better and take longer to unpack.
const BLOCK: usize = 4096;

const MARK: &[u8; 8] = b"endgame1";
const HEADER: usize = 24;
/// The width of the end of a block.
const END: usize = 4;

/// Writes the values of all positions of up to so many pieces, plain or packed.
///
/// # Errors
/// Where the sink fails.
pub(super) fn write(
    pieces: u32,
    values: &[Plies],
    packed: bool,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let mut crc = Crc::new();
    crc.update(values);
    sink.write_all(MARK)?;
    sink.write_all(&pieces.to_le_bytes())?;
    sink.write_all(&u32::from(packed).to_le_bytes())?;
    sink.write_all(&u64::from(crc.sum()).to_le_bytes())?;
    if !packed {
        return sink.write_all(values);
    }
    let blocks = values.chunks(BLOCK).map(deflated).collect::<io::Result<Vec<_>>>()?;
    let mut end = 0;
    for block in &blocks {
        end += block.len();
        sink.write_all(&(end as u32).to_le_bytes())?;
    }
    blocks.iter().try_for_each(|block| sink.write_all(block))
}

fn deflated(values: &[Plies]) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(values)?;
    encoder.finish()
}

/// A table that can be asked.
pub(super) struct Tables<B> {
    bytes: B,
    /// The most pieces of its positions.
    pieces: u32,
    /// Tells this table from others.
    checksum: u64,
    layout: Layout,
    /// The blocks unpacked so far; none where the values are plain.
    unpacked: Vec<OnceLock<Vec<Plies>>>,
}

impl<B: Deref<Target = [u8]>> Tables<B> {
    /// The table that a file holds.
    ///
    /// # Errors
    /// Where the bytes are no table, or not all of it.
    pub(super) fn new(bytes: B) -> io::Result<Self> {
        let number =
            |from: usize| bytes.get(from..from + 4).and_then(|bytes| bytes.try_into().ok());
        let number = |from| number(from).map_or(0, u32::from_le_bytes);
        let pieces = number(MARK.len());
        if !bytes.starts_with(MARK) || !(2..=MOST_PIECES as u32).contains(&pieces) {
            return Err(invalid("not a table of this version"));
        }
        let layout = Layout::up_to(pieces as u8);
        let values = layout.values();
        let blocks = if number(12) == 0 { 0 } else { values.div_ceil(BLOCK) };
        let length = match blocks {
            0 => HEADER + values,
            _ => HEADER + blocks * END + number(HEADER + (blocks - 1) * END) as usize,
        };
        if bytes.len() != length {
            return Err(invalid("the file is not complete"));
        }
        let checksum = u64::from(number(16));
        let unpacked = std::iter::repeat_with(OnceLock::new).take(blocks).collect();
        Ok(Self { bytes, pieces, checksum, layout, unpacked })
    }

    /// The most pieces of the positions that it has values of.
    pub(super) fn pieces(&self) -> u32 {
        self.pieces
    }

    /// A number that tells this table from others.
    pub(super) fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The value of a position; none where it has too many pieces, or the game is over.
    pub(super) fn value(&self, placement: &Placement) -> Option<Plies> {
        let place = self.layout.place(placement)?;
        if self.unpacked.is_empty() {
            return self.bytes.get(HEADER + place).copied();
        }
        let block = place / BLOCK;
        let values = self.unpacked.get(block)?.get_or_init(|| self.unpack(block));
        values.get(place % BLOCK).copied()
    }

    /// The values of a block; none where it is damaged.
    fn unpack(&self, block: usize) -> Vec<Plies> {
        let blocks = &self.bytes[HEADER + self.unpacked.len() * END..];
        let start = block.checked_sub(1).map_or(0, |before| self.end(before));
        let mut values = Vec::with_capacity(BLOCK);
        let stream = blocks.get(start..self.end(block)).unwrap_or_default();
        match io::copy(&mut DeflateDecoder::new(stream), &mut values) {
            Ok(_) => values,
            Err(_) => Vec::new(),
        }
    }

    /// Where a block ends, from the beginning of the first one.
    fn end(&self, block: usize) -> usize {
        let place = HEADER + block * END;
        let bytes = self.bytes.get(place..place + END).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, |bytes| u32::from_le_bytes(bytes) as usize)
    }
}

fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
