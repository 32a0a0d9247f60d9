//! Tables of checkers (English draughts).
//!
//! After the header come the values of all positions, a byte each, slice after slice; or the outcomes of the positions with
//! the most pieces, five a byte as digits to the base 3. Where the side to move can capture, which a search plays out
//! anyway, stands the outcome before, which packs best.

mod numbering;

use std::cmp::Ordering;
use std::io::{self, Write};
use std::ops::Deref;

use crate::blocks::{self, Blocks};
use crate::header::{Header, checksum};
use crate::{DRAW, File, Form, Layout, Plies, Slice as _, incomplete, invalid, is_loss};

pub use self::numbering::{CheckersPlacement, CheckersSlice, MOST_PIECES, Squares};

/// The bytes of an unpacked block.
const BLOCK: usize = 256 * 1024;

/// The powers of 3 by which the digits of a byte of outcomes count.
const POWERS: [u8; 5] = [1, 3, 9, 27, 81];

/// The outcomes for the side to move, by digit.
const OUTCOMES: [Ordering; 3] = [Ordering::Equal, Ordering::Greater, Ordering::Less];

/// A table that can be asked.
pub struct CheckersTables {
    header: Header,
    layout: Layout,
    /// The place in the layout of the first value of the file.
    first: usize,
    content: TableContent,
}

enum TableContent {
    Plain(File),
    Packed(Blocks),
}

impl CheckersTables {
    /// The table that a file holds.
    ///
    /// # Errors
    /// Where the file is no table of this version, or not complete.
    pub fn open(file: impl Deref<Target = [u8]> + Send + Sync + 'static) -> io::Result<Self> {
        let header = Header::read(&file, MOST_PIECES)?;
        let pieces = header.pieces as u8;
        let layout = Layout::up_to::<CheckersSlice>(pieces);
        let first = if header.form == Form::Outcomes { first_with(pieces) } else { 0 };
        let (file, values): (File, _) = (Box::new(file), layout.values() - first);
        let bytes = match header.form {
            Form::Plain | Form::Packed => values,
            Form::Outcomes => values.div_ceil(POWERS.len()),
        };
        let content = if header.form != Form::Plain {
            TableContent::Packed(Blocks::read(file, Header::LENGTH, bytes, BLOCK)?)
        } else if file.len() == Header::LENGTH + bytes {
            TableContent::Plain(file)
        } else {
            return Err(incomplete());
        };
        Ok(Self { header, layout, first, content })
    }

    /// The most pieces of the positions of the table.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        self.header.pieces
    }

    /// What the table says.
    #[must_use]
    pub fn form(&self) -> Form {
        self.header.form
    }

    /// Compares the whole table with the checksum in the header.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check(&self) -> io::Result<()> {
        let found = match &self.content {
            TableContent::Plain(file) => checksum([&file[Header::LENGTH..]]),
            TableContent::Packed(blocks) => checksum(blocks.all()),
        };
        let is_whole = found == self.header.checksum;
        is_whole.then_some(()).ok_or_else(|| invalid("the checksum is wrong: the file is damaged"))
    }

    /// The value of a position; `None` where the position has too many pieces, the game is over, or the table has only
    /// outcomes.
    #[must_use]
    pub fn value(&self, placement: &CheckersPlacement) -> Option<Plies> {
        let place = self.layout.place::<CheckersSlice>(placement)?;
        if self.header.form == Form::Outcomes { None } else { self.byte(place) }
    }

    /// The winner of a position without a capture: `Greater` for the side to move, `Less` for the opponent.
    /// None where there are more or fewer pieces than a table of outcomes has, or the table has values.
    #[must_use]
    pub fn outcome(&self, placement: &CheckersPlacement) -> Option<Ordering> {
        if self.header.form != Form::Outcomes {
            return None;
        }
        let place = self.layout.place::<CheckersSlice>(placement)?.checked_sub(self.first)?;
        let digits = self.byte(place / POWERS.len())?;
        OUTCOMES.get(usize::from(digits / POWERS[place % POWERS.len()] % 3)).copied()
    }

    fn byte(&self, place: usize) -> Option<u8> {
        match &self.content {
            TableContent::Plain(file) => file.get(Header::LENGTH + place).copied(),
            TableContent::Packed(blocks) => blocks.get(place),
        }
    }
}

/// The place of the first position with this number of pieces.
fn first_with(pieces: u8) -> usize {
    Layout::up_to::<CheckersSlice>(pieces - 1).values()
}

/// Writes the table of all positions of up to `pieces` pieces from their values, in the order of their [`Layout`].
/// `can_capture` says whether the side to move can capture.
///
/// # Errors
/// Those of `sink`.
pub fn write(
    pieces: u8,
    form: Form,
    values: &[Plies],
    can_capture: impl Fn(&CheckersPlacement) -> bool,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let outcomes;
    let bytes = if form == Form::Outcomes {
        outcomes = digits(pieces, &values[first_with(pieces)..], can_capture);
        &outcomes
    } else {
        values
    };
    sink.write_all(&Header::written(pieces.into(), form, bytes))?;
    match form {
        Form::Plain => sink.write_all(bytes),
        Form::Packed | Form::Outcomes => sink.write_all(&blocks::packed(bytes, BLOCK)?),
    }
}

/// The outcomes of all positions with this number of pieces, as digits.
fn digits(
    pieces: u8,
    values: &[Plies],
    can_capture: impl Fn(&CheckersPlacement) -> bool,
) -> Vec<u8> {
    let placements = CheckersSlice::of_pieces(pieces)
        .into_iter()
        .flat_map(|slice| (0..slice.positions()).map(move |number| slice.placement(number)));
    let mut digit = 0;
    let digits = placements.zip(values).map(|(placement, &value)| {
        if placement.is_some_and(|placement| !can_capture(&placement)) {
            digit = match value {
                DRAW => 0,
                plies if is_loss(plies) => 2,
                _ => 1,
            };
        }
        digit
    });
    let digits: Vec<u8> = digits.collect();
    let bytes = digits
        .chunks(POWERS.len())
        .map(|digits| digits.iter().rev().fold(0, |byte, digit| 3 * byte + digit));
    bytes.collect()
}

#[cfg(test)]
mod tests;
