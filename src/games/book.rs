//! Opening books of games that must end: the margins of positions, found by their keys.
//!
//! A book is a list of records, sorted: the canonical key of a position, shifted up by eight bits,
//! and its margin, as a little-endian 64-bit number. A position that is not in it is looked up in
//! less than a microsecond.

use crate::game::{Margin, Position, Score, meaning};

/// A position and its margin.
pub type Record = [u8; 8];

/// The record of the position with this canonical key, which has 56 bits at most.
#[must_use]
pub fn record(key: u64, margin: Margin) -> Record {
    (key << 8 | u64::from(margin as u8)).to_le_bytes()
}

/// The key and the margin of a record.
#[must_use]
pub fn read(record: Record) -> (u64, Margin) {
    let number = u64::from_le_bytes(record);
    (number >> 8, number as u8 as Margin)
}

/// A book that is part of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Book {
    records: &'static [Record],
}

impl Book {
    /// The book that these bytes hold.
    pub(super) const fn new(bytes: &'static [u8]) -> Self {
        Self { records: bytes.as_chunks().0 }
    }

    /// The margin of an unfinished position that is in the book.
    pub(super) fn margin<P: Position>(&self, position: &P) -> Option<Margin> {
        let (key, _) = position.canonical();
        let found = self.records.binary_search_by_key(&key, |&record| read(record).0);
        found.ok().map(|place| read(self.records[place]).1)
    }

    /// The score of an unfinished position that is in the book.
    pub(super) fn score<P: Position>(&self, position: &P) -> Option<Score> {
        let margin = self.margin(position)?;
        position.plies_left().map(|plies| meaning(margin, plies).1)
    }

    /// All that it holds.
    #[cfg(test)]
    pub(super) fn records(&self) -> impl ExactSizeIterator<Item = (u64, Margin)> {
        self.records.iter().copied().map(read)
    }
}
