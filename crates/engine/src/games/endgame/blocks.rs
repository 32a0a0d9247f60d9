//! Bytes in blocks, each packed for itself and unpacked when it is asked for.
//!
//! First the ends of all blocks as little-endian 32-bit numbers, then the blocks, each an LZMA2 stream of the same
//! number of bytes. LZMA2 makes the tables a quarter smaller than deflate.

use std::io;
use std::ops::Deref;
use std::sync::OnceLock;

use lzma_rust2::Lzma2Reader;

/// The bytes of a block. Larger blocks pack better and take longer to unpack.
pub const BLOCK: usize = 256 * 1024;
/// The width of the end of a block.
const END: usize = 4;

/// Blocks that can be asked.
pub(in super::super) struct Blocks<B> {
    file: B,
    /// Where the ends of the blocks begin.
    start: usize,
    /// The blocks unpacked so far.
    unpacked: Vec<OnceLock<Vec<u8>>>,
}

impl<B: Deref<Target = [u8]>> Blocks<B> {
    /// The blocks of so many bytes that begin at `start` and go on to the end of the file; none where
    /// that is too early or too late.
    pub(in super::super) fn new(file: B, start: usize, bytes: usize) -> Option<Self> {
        let blocks = bytes.div_ceil(BLOCK);
        let unpacked = std::iter::repeat_with(OnceLock::new).take(blocks).collect();
        let blocks = Self { file, start, unpacked };
        let length = blocks.first() + blocks.end(blocks.unpacked.len());
        (blocks.file.len() == length).then_some(blocks)
    }

    /// The byte at this place; none beyond the last one, or where its block is damaged.
    pub(in super::super) fn get(&self, place: usize) -> Option<u8> {
        let block = place / BLOCK;
        let bytes = self.unpacked.get(block)?.get_or_init(|| self.unpack(block));
        bytes.get(place % BLOCK).copied()
    }

    /// The bytes of all blocks, one after the other; none of those that are damaged.
    pub(in super::super) fn unpacked(&self) -> impl Iterator<Item = Vec<u8>> {
        (0..self.unpacked.len()).map(|block| self.unpack(block))
    }

    /// The bytes of a block; none where it is damaged.
    fn unpack(&self, block: usize) -> Vec<u8> {
        let [start, end] = [block, block + 1].map(|blocks| self.first() + self.end(blocks));
        let mut bytes = Vec::with_capacity(BLOCK);
        let stream = self.file.get(start..end).unwrap_or_default();
        match io::copy(&mut Lzma2Reader::new(stream, BLOCK as u32, None), &mut bytes) {
            Ok(_) => bytes,
            Err(_) => Vec::new(),
        }
    }

    /// Where the first block begins.
    fn first(&self) -> usize {
        self.start + self.unpacked.len() * END
    }

    /// Where so many blocks end, from the beginning of the first one.
    fn end(&self, blocks: usize) -> usize {
        let Some(last) = blocks.checked_sub(1) else { return 0 };
        let place = self.start + last * END;
        let bytes = self.file.get(place..place + END).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, |bytes| u32::from_le_bytes(bytes) as usize)
    }
}
