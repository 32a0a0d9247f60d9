//! Opening books of games that must end: the solver scores of positions, found by their keys.
//!
//! A book is one deflate stream (RFC 1951): by how much each canonical key is greater than the one
//! before it, as little-endian 64-bit numbers, then the solver scores, a byte each. Sorted keys are so
//! regular that a position takes less than a byte. Unpacked when it is first asked, it answers in less
//! than a microsecond.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::knowledge::invalid;
use crate::game::{Position, Score, SolverScore, outcome_and_score};

/// A position and its solver score: the canonical key, shifted up by eight bits, and the solver score, as a
/// little-endian 64-bit number.
pub type Record = [u8; 8];

/// The record of the position with this canonical key, which has 56 bits at most.
#[must_use]
pub fn record(key: u64, value: SolverScore) -> Record {
    (key << 8 | u64::from(value as u8)).to_le_bytes()
}

/// The key and the solver score of a record.
#[must_use]
pub fn read(record: Record) -> (u64, SolverScore) {
    let number = u64::from_le_bytes(record);
    (number >> 8, number as u8 as SolverScore)
}

/// Writes the book of these positions.
///
/// # Errors
/// Where the sink fails.
pub fn write(mut values: Vec<(u64, SolverScore)>, sink: &mut dyn Write) -> io::Result<()> {
    values.sort_unstable_by_key(|&(key, _)| key);
    let mut stream = DeflateEncoder::new(sink, Compression::best());
    let mut last = 0;
    for &(key, _) in &values {
        stream.write_all(&(key - last).to_le_bytes())?;
        last = key;
    }
    for &(_, value) in &values {
        stream.write_all(&value.to_le_bytes())?;
    }
    stream.finish().map(drop)
}

/// A book, unpacked.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// Sorted by key.
    records: Vec<Record>,
}

impl Book {
    /// The book that these bytes hold.
    ///
    /// # Errors
    /// Where they are no deflate stream of a book.
    pub fn read(bytes: &[u8]) -> io::Result<Self> {
        let mut unpacked = Vec::new();
        DeflateDecoder::new(bytes).read_to_end(&mut unpacked)?;
        if !unpacked.len().is_multiple_of(9) {
            return Err(invalid("the book is not complete"));
        }
        let (steps, values) = unpacked.split_at(unpacked.len() / 9 * 8);
        let mut last = 0;
        let mut key = |step: &[u8; 8]| {
            last += u64::from_le_bytes(*step);
            last
        };
        let steps = steps.as_chunks().0.iter();
        let records =
            steps.zip(values).map(|(step, &value)| record(key(step), value as SolverScore));
        Ok(Self { records: records.collect() })
    }

    /// The solver score of an unfinished position that is in the book.
    pub fn value<P: Position>(&self, position: &P) -> Option<SolverScore> {
        let (key, _) = position.canonical();
        let found = self.records.binary_search_by_key(&key, |&record| read(record).0);
        found.ok().map(|place| read(self.records[place]).1)
    }

    /// The score of an unfinished position that is in the book.
    pub fn score<P: Position>(&self, position: &P) -> Option<Score> {
        let value = self.value(position)?;
        position.plies_left().map(|plies| outcome_and_score(value, plies).1)
    }

    /// All that it holds, sorted by key.
    pub fn records(&self) -> impl ExactSizeIterator<Item = (u64, SolverScore)> {
        self.records.iter().copied().map(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_that_is_read_holds_what_was_written_sorted_by_key() {
        let mut bytes = Vec::new();
        write(vec![(1 << 55, 3), (7, -12), (0, 0), (300, -1)], &mut bytes).expect("a sink");
        let book = Book::read(&bytes).expect("a book");
        let held: Vec<_> = book.records().collect();
        assert_eq!(held, [(0, 0), (7, -12), (300, -1), (1 << 55, 3)]);
        assert!(Book::read(&bytes[..bytes.len() / 2]).is_err());
    }
}
