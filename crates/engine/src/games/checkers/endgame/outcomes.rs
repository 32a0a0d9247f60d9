//! Who wins, without how soon: what there is room for of positions with a piece more.
//!
//! A table of outcomes is a [`Header`] and in [`blocks`] the outcomes of all positions with so many
//! pieces, slice after slice, five a byte as digits to the base 3. Where the side to move can capture,
//! which a search plays out anyway, stands whatever packs best: what stood before.

use std::io::{self, Write};
use std::ops::Deref;

use super::super::super::knowledge::invalid;
use super::super::super::retrograde::{DRAW, Plies, is_loss};
use super::blocks::{self, Blocks};
use super::header::Header;
use super::slice::{Layout, Placement, Slice};
use crate::game::{Outcome, TableForm};

/// The powers of 3 by which the digits of a byte count.
const POWERS: [u8; 5] = [1, 3, 9, 27, 81];

/// The outcomes by their digits.
const OUTCOMES: [Outcome; 3] = [Outcome::Draw, Outcome::Win, Outcome::Loss];

/// Writes the outcomes of the positions with so many pieces, given the values of all positions of up
/// to so many.
pub(super) fn write(pieces: u32, values: &[Plies], sink: &mut dyn Write) -> io::Result<()> {
    let digits = digits(pieces as u8, values);
    let in_byte =
        |digits: &[u8]| digits.iter().zip(POWERS).map(|(digit, power)| digit * power).sum();
    let bytes: Vec<u8> = digits.chunks(POWERS.len()).map(in_byte).collect();
    Header::of(pieces, TableForm::Outcomes, &bytes).write(sink)?;
    blocks::write(&bytes, sink)
}

/// The digits of all positions with so many pieces.
fn digits(pieces: u8, values: &[Plies]) -> Vec<u8> {
    let values = &values[Layout::up_to(pieces - 1).values()..];
    let placements = Slice::of_pieces(pieces)
        .into_iter()
        .flat_map(|slice| (0..slice.positions()).map(move |number| slice.placement(number)));
    let mut last = 0;
    let digit = |(placement, &value): (Option<Placement>, &Plies)| {
        if placement.is_some_and(|placement| placement.board().jumpers() == 0) {
            last = match value {
                DRAW => 0,
                plies if is_loss(plies) => 2,
                _ => 1,
            };
        }
        last
    };
    placements.zip(values).map(digit).collect()
}

/// A table that can be asked.
pub(super) struct Outcomes<B> {
    layout: Layout,
    /// The place of the first outcome in the layout.
    first: usize,
    blocks: Blocks<B>,
}

impl<B: Deref<Target = [u8]>> Outcomes<B> {
    /// The table that a file holds.
    pub(super) fn new(file: B) -> io::Result<Self> {
        let header = Header::read(&file).filter(|header| header.form == TableForm::Outcomes);
        let header = header.ok_or_else(|| invalid("not a table of outcomes"))?;
        let layout = Layout::up_to(header.pieces as u8);
        let first = Layout::up_to(header.pieces as u8 - 1).values();
        let bytes = (layout.values() - first).div_ceil(POWERS.len());
        let blocks = Blocks::new(file, Header::LENGTH, bytes);
        let blocks = blocks.ok_or_else(|| invalid("the file is not complete"))?;
        Ok(Self { layout, first, blocks })
    }

    /// The outcome for the side to move, which can't capture; none where there are more or fewer
    /// pieces.
    pub(super) fn outcome(&self, placement: &Placement) -> Option<Outcome> {
        let place = self.layout.place(placement)?.checked_sub(self.first)?;
        let digits = self.blocks.get(place / POWERS.len())?;
        OUTCOMES.get(usize::from(digits / POWERS[place % POWERS.len()] % 3)).copied()
    }
}
