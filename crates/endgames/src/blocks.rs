//! Bytes in blocks, each an LZMA2 stream for itself.
//!
//! First the ends of all blocks as little-endian 32-bit numbers, then the blocks. LZMA2 makes the tables a quarter
//! smaller than deflate.

use std::io::{self, Read, Write};
use std::sync::OnceLock;

use lzma_rust2::{Lzma2Options, Lzma2Reader, Lzma2Writer, LzmaOptions};

use crate::{File, incomplete};

/// The width of the end of a block.
const END: usize = 4;

/// The blocks at the end of a file.
pub(crate) struct Blocks {
    file: File,
    /// The bytes of an unpacked block. Larger blocks pack better and take longer to unpack.
    size: usize,
    /// Where each block begins, and where the last one ends.
    starts: Vec<usize>,
    /// The blocks that [`Self::get`] has unpacked.
    kept: Vec<OnceLock<Vec<u8>>>,
}

impl Blocks {
    /// The blocks of `bytes` bytes that begin at `start` and go on to the end of a file. Refuses a file that ends elsewhere.
    pub(crate) fn read(file: File, start: usize, bytes: usize, size: usize) -> io::Result<Self> {
        let count = bytes.div_ceil(size);
        let first = start + count * END;
        let ends = file.get(start..first).ok_or_else(incomplete)?;
        let ends = ends.as_chunks::<END>().0.iter();
        let ends = ends.map(|end| first.saturating_add(u32::from_le_bytes(*end) as usize));
        let starts: Vec<_> = [first].into_iter().chain(ends).collect();
        let is_whole = starts.is_sorted() && starts.last() == Some(&file.len());
        let kept = std::iter::repeat_with(OnceLock::new).take(count).collect();
        is_whole.then_some(Self { file, size, starts, kept }).ok_or_else(incomplete)
    }

    /// The byte at a place. The block of the byte is kept. `None` beyond the last byte, or where the block is damaged.
    pub(crate) fn get(&self, place: usize) -> Option<u8> {
        let block = place / self.size;
        self.kept.get(block)?.get_or_init(|| self.unpacked(block)).get(place % self.size).copied()
    }

    /// The bytes of all blocks, one after the other.
    pub(crate) fn all(&self) -> impl Iterator<Item = Vec<u8>> {
        (0..self.kept.len()).map(|block| self.unpacked(block))
    }

    /// The bytes of a block; `None` for a damaged block.
    pub(crate) fn unpacked(&self, block: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.size);
        let stream = &self.file[self.starts[block]..self.starts[block + 1]];
        match Lzma2Reader::new(stream, self.size as u32, None).read_to_end(&mut bytes) {
            Ok(_) => bytes,
            Err(_) => Vec::new(),
        }
    }
}

/// Writes bytes in blocks.
pub(crate) fn packed(bytes: &[u8], size: usize) -> io::Result<Vec<u8>> {
    let blocks = bytes.chunks(size).map(|block| compressed(block, size));
    let blocks = blocks.collect::<io::Result<Vec<_>>>()?;
    let ends = blocks.iter().scan(0, |end, block| {
        *end += block.len() as u32;
        Some(end.to_le_bytes())
    });
    Ok([ends.collect::<Vec<_>>().concat(), blocks.concat()].concat())
}

/// The bytes as an LZMA2 stream, with contexts by the upper bits of the last byte and none by the place of a byte.
fn compressed(bytes: &[u8], dictionary: usize) -> io::Result<Vec<u8>> {
    let lzma_options = LzmaOptions {
        dict_size: dictionary as u32,
        lc: 4,
        lp: 0,
        pb: 0,
        nice_len: LzmaOptions::NICE_LEN_MAX,
        depth_limit: 512,
        ..LzmaOptions::with_preset(9)
    };
    let options = Lzma2Options { lzma_options, ..Lzma2Options::default() };
    let mut encoder = Lzma2Writer::new(Vec::new(), options);
    encoder.write_all(bytes)?;
    encoder.finish()
}
