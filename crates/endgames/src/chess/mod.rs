//! Tables of chess: the values of all positions with up to four men, without castling rights.
//!
//! After the header come the values of slices of three and more men, a byte each, rounded down to steps of three moves;
//! exact values follow from those of the positions a few plies later. Of a slice and its reverse only the one that packs better
//! stands in the file. A number that stands for no position, a capture en passant or the mirror image of
//! another position has the value before, which packs best.

mod memo;
mod moves;
mod numbering;
mod placement;
mod probe;
mod slice;

use std::io::{self, Write};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use self::memo::Memo;
pub use self::placement::{ChessPlacement, attacked};
pub use self::slice::{ChessSlice, MOST_MEN, Man};
use crate::blocks::{self, Blocks};
use crate::header::Header;
use crate::{DRAW, Form, Layout, Plies, Slice as _, invalid};

/// The moves of the winner that the file does not tell apart.
const STEP: Plies = 3;

/// The bytes of an unpacked block.
const BLOCK: usize = 64 * 1024;

/// The unpacked blocks that are kept.
const SLOTS: usize = 256;

/// The number of a block, and its values.
type Unpacked = (usize, Vec<Plies>);

/// A table that can be asked.
pub struct ChessTables {
    /// The slices whose values stand in the file.
    layout: Layout,
    blocks: Blocks,
    /// The blocks that were asked for last, with their numbers, each in the slot that the remainder of its number tells.
    slots: Vec<Mutex<Option<Unpacked>>>,
    /// The bounds that were asked for last, of positions whose value does not stand in the file.
    bounds: Memo,
    /// The exact values that were asked for last, as bounds. They are apart, since an answer follows from its question alone,
    /// not from questions before it.
    values: Memo,
}

impl ChessTables {
    /// The table that a file holds.
    ///
    /// # Errors
    /// Where the file is no table of this version, or not complete.
    pub fn open(file: impl Deref<Target = [u8]> + Send + Sync + 'static) -> io::Result<Self> {
        let header = Header::read(&file, MOST_MEN)?;
        if header.form != Form::Packed {
            return Err(invalid("not a table of this version"));
        }
        let layout = Layout::of(slices(header.pieces as u8));
        let blocks = Blocks::read(Box::new(file), Header::LENGTH, layout.values(), BLOCK)?;
        let slots = std::iter::repeat_with(Mutex::default).take(SLOTS).collect();
        Ok(Self { layout, blocks, slots, bounds: Memo::default(), values: Memo::default() })
    }

    /// The value at this place of the layout.
    fn value_at(&self, place: usize) -> Option<Plies> {
        let block = place / BLOCK;
        let slot = &self.slots[block % SLOTS];
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, values) = match &mut *slot {
            Some(kept) if kept.0 == block => kept,
            slot => slot.insert((block, self.blocks.unpacked(block))),
        };
        values.get(place % BLOCK).copied()
    }
}

/// The slices of up to `men` men whose values stand in a file.
fn slices(men: u8) -> impl Iterator<Item = ChessSlice> {
    (3..=men).flat_map(ChessSlice::of_pieces).filter(|slice| slice.stands())
}

/// A value in the form of the file.
fn rounded(value: Plies) -> Plies {
    if value == DRAW { DRAW } else { value - value / 2 % STEP * 2 }
}

/// Writes the table of all positions of up to `men` men from their values, in the order of their [`Layout`].
///
/// # Errors
/// Those of `sink`.
pub fn write(men: u8, values: &[Plies], sink: &mut dyn Write) -> io::Result<()> {
    let layout = Layout::up_to::<ChessSlice>(men);
    let content = slices(men).flat_map(|slice| {
        let start = layout.start(slice).unwrap_or_default();
        content(slice, &values[start..])
    });
    let bytes: Vec<u8> = content.collect();
    sink.write_all(&Header::written(men.into(), Form::Packed, &bytes))?;
    sink.write_all(&blocks::packed(&bytes, BLOCK)?)
}

/// What stands in the file for the values of a slice.
fn content(slice: ChessSlice, values: &[Plies]) -> Vec<u8> {
    let mut last = DRAW;
    let numbered = values[..slice.positions()].iter().enumerate();
    let bytes = numbered.map(|(number, &value)| {
        let placement = slice.placement(number);
        if placement.is_some_and(|placement| placement.is_canonical() && !placement.en_passant()) {
            last = rounded(value);
        }
        last
    });
    bytes.collect()
}

#[cfg(test)]
mod tests;
