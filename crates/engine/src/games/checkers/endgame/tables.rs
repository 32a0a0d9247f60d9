//! Tables of values.
//!
//! A table is a [`Header`] and the values of all positions of up to so many pieces, a byte each, slice
//! after slice. Either as they are, to be mapped into memory; or in [`Blocks`], to be carried along.

use std::io;
use std::ops::Deref;

use flate2::Crc;

use super::super::super::endgame::{Blocks, Header, Plies, SliceLayout};
use super::super::super::knowledge::invalid;
use super::slice::{CheckersPlacement, CheckersSlice, MOST_PIECES};
use crate::game::TableForm;

/// A table that can be asked.
pub(super) struct Tables<B> {
    header: Header,
    layout: SliceLayout<CheckersSlice>,
    values: Values<B>,
}

enum Values<B> {
    Plain(B),
    Packed(Blocks<B>),
}

impl<B: Deref<Target = [u8]>> Tables<B> {
    /// The table that a file holds.
    pub(super) fn new(file: B) -> io::Result<Self> {
        let header = Header::read(&file, MOST_PIECES as u32)
            .ok_or_else(|| invalid("not a table of this version"))?;
        let layout = SliceLayout::up_to(header.pieces as u8);
        let values = match header.form {
            TableForm::Plain => {
                let is_whole = file.len() == Header::LENGTH + layout.values();
                is_whole.then_some(Values::Plain(file))
            }
            TableForm::Packed => {
                Blocks::new(file, Header::LENGTH, layout.values()).map(Values::Packed)
            }
            TableForm::Outcomes => return Err(invalid("a table without distances")),
        };
        let values = values.ok_or_else(|| invalid("the file is not complete"))?;
        Ok(Self { header, layout, values })
    }

    /// The most pieces of the positions that it has values of.
    pub(super) fn pieces(&self) -> u32 {
        self.header.pieces
    }

    /// A number that tells this table from others.
    pub(super) fn checksum(&self) -> u64 {
        self.header.checksum
    }

    /// Compares all values with the checksum.
    pub(super) fn check(&self) -> io::Result<()> {
        let mut crc = Crc::new();
        match &self.values {
            Values::Plain(file) => crc.update(&file[Header::LENGTH..]),
            Values::Packed(blocks) => blocks.unpacked().for_each(|bytes| crc.update(&bytes)),
        }
        let is_whole = u64::from(crc.sum()) == self.header.checksum;
        is_whole.then_some(()).ok_or_else(|| invalid("the checksum is wrong: the file is damaged"))
    }

    /// The value of a position; none where it has too many pieces, or the game is over.
    pub(super) fn value(&self, placement: &CheckersPlacement) -> Option<Plies> {
        let place = self.layout.place(placement)?;
        match &self.values {
            Values::Plain(file) => file.get(Header::LENGTH + place).copied(),
            Values::Packed(blocks) => blocks.get(place),
        }
    }
}
