//! Files of endgame tables, as the engine reads them: a [`Header`], then the values of all positions of up to a number of
//! pieces, a byte each, or the outcomes of the positions with exactly that number. Compression is by blocks.

use std::io::{self, Write};

use bestmove_engine::game::TableForm;
use bestmove_engine::games::checkers::endgame::PLACES;
use bestmove_engine::games::endgame::{BLOCK, Header};
use lzma_rust2::{Lzma2Options, Lzma2Writer, LzmaOptions};

/// Writes values without compression.
pub(super) fn write_plain(pieces: u32, values: &[u8], sink: &mut dyn Write) -> io::Result<()> {
    sink.write_all(&Header::of(pieces, TableForm::Plain, values).written())?;
    sink.write_all(values)
}

/// Writes values in blocks.
pub(super) fn write_packed(pieces: u32, values: &[u8], sink: &mut dyn Write) -> io::Result<()> {
    write_blocks(pieces, TableForm::Packed, values, sink)
}

/// Writes outcomes in blocks: 0 for a draw, 1 for a win and 2 for a loss, [`PLACES`] a byte as digits to the base 3.
pub(super) fn write_outcomes(pieces: u32, digits: &[u8], sink: &mut dyn Write) -> io::Result<()> {
    let in_byte = |digits: &[u8]| digits.iter().rev().fold(0, |byte, digit| 3 * byte + digit);
    let bytes: Vec<u8> = digits.chunks(PLACES).map(in_byte).collect();
    write_blocks(pieces, TableForm::Outcomes, &bytes, sink)
}

/// Writes the header, the ends of all blocks as little-endian 32-bit numbers, and the blocks.
fn write_blocks(
    pieces: u32,
    form: TableForm,
    bytes: &[u8],
    sink: &mut dyn Write,
) -> io::Result<()> {
    sink.write_all(&Header::of(pieces, form, bytes).written())?;
    let blocks = bytes.chunks(BLOCK).map(compressed).collect::<io::Result<Vec<_>>>()?;
    let mut end = 0;
    for block in &blocks {
        end += block.len();
        sink.write_all(&(end as u32).to_le_bytes())?;
    }
    blocks.iter().try_for_each(|block| sink.write_all(block))
}

/// The bytes as an LZMA2 stream, with contexts by the upper bits of the last byte and none by the place of a byte.
fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let lzma_options = LzmaOptions {
        dict_size: BLOCK as u32,
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
