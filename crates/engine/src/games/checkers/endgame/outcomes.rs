//! Who wins, without how soon: what there is room for of positions with a piece more.
//!
//! A table of outcomes is a [`Header`] and in [`Blocks`] the outcomes of all positions with so many
//! pieces, slice after slice, five a byte as digits to the base 3. Where the side to move can capture,
//! which a search plays out anyway, stands whatever packs best: what stood before.

use std::io;
use std::ops::Deref;

use super::super::super::endgame::{Blocks, Header, SliceLayout};
use super::super::super::knowledge::invalid;
use super::slice::{CheckersPlacement, CheckersSlice, MOST_PIECES};
use crate::game::{Outcome, TableForm};

/// The outcomes of a byte.
pub const PLACES: usize = 5;

/// The powers of 3 by which the digits of a byte count.
const POWERS: [u8; PLACES] = [1, 3, 9, 27, 81];

/// The outcomes by their digits.
const OUTCOMES: [Outcome; 3] = [Outcome::Draw, Outcome::Win, Outcome::Loss];

/// A table that can be asked.
pub(super) struct Outcomes<B> {
    layout: SliceLayout<CheckersSlice>,
    /// The place of the first outcome in the layout.
    first: usize,
    blocks: Blocks<B>,
}

impl<B: Deref<Target = [u8]>> Outcomes<B> {
    /// The table that a file holds.
    pub(super) fn new(file: B) -> io::Result<Self> {
        let header = Header::read(&file, MOST_PIECES as u32)
            .filter(|header| header.form == TableForm::Outcomes);
        let header = header.ok_or_else(|| invalid("not a table of outcomes"))?;
        let layout = SliceLayout::up_to(header.pieces as u8);
        let first = SliceLayout::<CheckersSlice>::up_to(header.pieces as u8 - 1).values();
        let bytes = (layout.values() - first).div_ceil(POWERS.len());
        let blocks = Blocks::new(file, Header::LENGTH, bytes);
        let blocks = blocks.ok_or_else(|| invalid("the file is not complete"))?;
        Ok(Self { layout, first, blocks })
    }

    /// The outcome for the side to move, which can't capture; none where there are more or fewer
    /// pieces.
    pub(super) fn outcome(&self, placement: &CheckersPlacement) -> Option<Outcome> {
        let place = self.layout.place(placement)?.checked_sub(self.first)?;
        let digits = self.blocks.get(place / POWERS.len())?;
        OUTCOMES.get(usize::from(digits / POWERS[place % POWERS.len()] % 3)).copied()
    }
}
