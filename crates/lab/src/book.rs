//! Opening books of games that must end: made and checked by the prover.
//!
//! Only the positions after the last ply of a book are proven, with value and best move. The reader of a book derives the
//! entries of earlier positions.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use bestmove_engine::game::{Game, Position};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::book::{Book, Entry, move_number, numbered_move};
use bestmove_engine::search::Solver;
use clap::Args;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use crate::error::invalid;
use crate::game::{evaluator, for_game};
use crate::openings::openings;
use crate::resumable::Resumable;

/// A book to make. The serialised fields determine its records.
#[derive(Args, Clone, Debug, Serialize)]
#[serde(tag = "command", rename = "book")]
pub(crate) struct Making {
    /// The name of the game
    game: String,
    /// The plies up to which every position is to be in it
    #[arg(long)]
    plies: u8,
    /// The file to go on with: a line for each proven position after that number of plies, with its value and the number
    /// of its best move
    #[arg(long)]
    #[serde(skip)]
    records: PathBuf,
    /// The file of the book
    #[arg(long)]
    #[serde(skip)]
    out: PathBuf,
    /// The proofs to keep in memory, as a power of two of eight bytes each
    #[arg(long, default_value_t = 26, value_parser = clap::value_parser!(u32).range(10..40))]
    #[serde(skip)]
    table_bits: u32,
}

impl Making {
    /// Proves every position after `plies`, mirror images folded, that the file of records lacks, then writes the book.
    /// Returns the number of positions.
    pub(crate) fn run(&self) -> io::Result<usize> {
        for_game!(self.game.as_str(), G => self.make::<G>())
    }

    fn make<G: Game>(&self) -> io::Result<usize> {
        let positions = openings(&G::VARIANTS[0].start(), u32::from(self.plies));
        let mut records = Resumable::open(Some(&self.records), self, positions.len() as u64)?;
        let unreadable = || invalid(&format!("{} has no records", self.records.display()));
        let known = records.known.iter().map(|line| read_entry(line).ok_or_else(unreadable));
        let mut entries = known.collect::<io::Result<Vec<_>>>()?;
        let rest = positions.iter().skip(entries.len()).map(|position| (position.clone(), None));
        prove::<G>(rest, self.table_bits, |entry| {
            entries.push(entry);
            records.append(&text(entry))
        })?;
        let keys = positions.iter().map(|position| position.canonical().0);
        write(self.plies, keys.zip(entries).collect(), &mut File::create(&self.out)?)?;
        Ok(positions.len())
    }
}

/// A book to check. The serialised fields and the book determine the proofs.
#[derive(Args, Clone, Debug, Serialize)]
#[serde(tag = "command", rename = "verify-book")]
pub(crate) struct Check {
    /// The name of the game
    game: String,
    /// The file of the book
    #[serde(skip)]
    book: PathBuf,
    /// The file to go on with: a line for each entry proven so far, with the position, value and number of the
    /// best move in the book, and the proven ones
    #[arg(long)]
    #[serde(skip)]
    proofs: PathBuf,
    /// The bounds to keep in memory, as a power of two of eight bytes each
    #[arg(long, default_value_t = 28, value_parser = clap::value_parser!(u32).range(10..40))]
    #[serde(skip)]
    table_bits: u32,
}

/// The result of a check of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// The number of proven entries.
    pub proven: usize,
    /// The line of the file of proofs of each wrong entry.
    pub wrong: Vec<String>,
}

impl Check {
    /// Proves every entry anew, without any book; goes on with the file of proofs. Fails where the file is of
    /// another book.
    pub(crate) fn run(&self) -> io::Result<Verdict> {
        for_game!(self.game.as_str(), G => self.check::<G>())
    }

    fn check<G: Game>(&self) -> io::Result<Verdict> {
        let book = Book::read(&fs::read(&self.book)?, &G::VARIANTS[0].start())?;
        let positions = openings(&G::VARIANTS[0].start(), u32::from(book.plies())).into_iter();
        let claims = positions.filter_map(|position| Some((book.entry(&position)?, position)));
        let claims: Vec<_> = claims.collect();
        let claimed: Vec<_> =
            claims.iter().map(|(entry, position)| claim::<G>(position, *entry)).collect();
        let mut proofs = Resumable::open(Some(&self.proofs), self, claims.len() as u64)?;
        for (line, claimed) in proofs.known.iter().zip(&claimed) {
            if line.strip_prefix(claimed).and_then(read_entry).is_none() {
                let file = self.proofs.display();
                return Err(invalid(&format!("{file} is of another book: {line}")));
            }
        }
        let mut lines = proofs.known.clone();
        let rest = claims.iter().map(|(entry, position)| (position.clone(), Some(*entry)));
        prove::<G>(rest.skip(lines.len()), self.table_bits, |found| {
            lines.push(claimed[lines.len()].clone() + &text(found));
            lines.last().map_or(Ok(()), |line| proofs.append(line))
        })?;
        let right =
            claims.iter().zip(&claimed).map(|((entry, _), claim)| claim.clone() + &text(*entry));
        let proven = lines.len();
        let wrong = lines.into_iter().zip(right).filter(|(line, right)| line != right);
        Ok(Verdict { proven, wrong: wrong.map(|(line, _)| line).collect() })
    }
}

/// The beginning of a line of the file of proofs: a position and its entry in the book.
fn claim<G: Game>(position: &G::Position, entry: Entry) -> String {
    format!("{} {} ", G::write_position(position), text(entry))
}

fn text(Entry { value, best_move }: Entry) -> String {
    format!("{value} {best_move}")
}

/// The entry that [`text`] wrote.
fn read_entry(text: &str) -> Option<Entry> {
    let (value, best_move) = text.split_once(' ')?;
    Some(Entry { value: value.parse().ok()?, best_move: best_move.parse().ok()? })
}

/// Proves positions one after the other, and hands the entry of each to `sink`. A guess, where there is one, is tested
/// first.
fn prove<G: Game>(
    mut positions: impl Iterator<Item = (G::Position, Option<Entry>)>,
    table_bits: u32,
    mut sink: impl FnMut(Entry) -> io::Result<()>,
) -> io::Result<()> {
    let evaluator = evaluator::<G>(None, &Knowledge::default())?;
    if G::VARIANTS[0].start().plies_left().is_none() {
        return Err(invalid("a game that need not end"));
    }
    let mut solver = Solver::new(&evaluator, 1 << table_bits);
    positions.try_for_each(|(position, guess)| sink(proven(&mut solver, &position, guess)))
}

/// The entry of a position: the guess, if its move holds its value and no move exceeds it.
fn proven<P: Position>(solver: &mut Solver<'_, P>, position: &P, guess: Option<Entry>) -> Entry {
    if let Some(guess) = guess
        && let Some(best_move) = numbered_move(position, guess.best_move)
        && solver.is_move_at_least(position, best_move, guess.value)
        && !solver.is_at_least(position, guess.value + 1)
    {
        return guess;
    }
    let value = solver.value(position);
    let best_move = move_number(position, solver.holding_move(position, value));
    Entry { value, best_move }
}

/// Writes a book. `entries` has all unfinished positions after `plies`, by canonical key.
fn write(plies: u8, mut entries: Vec<(u64, Entry)>, sink: &mut dyn Write) -> io::Result<()> {
    entries.sort_unstable_by_key(|&(key, _)| key);
    let mut stream = DeflateEncoder::new(sink, Compression::best());
    stream.write_all(&[plies])?;
    let values = entries.iter().map(|(_, entry)| entry.value as u8);
    let moves = entries.iter().map(|(_, entry)| entry.best_move);
    stream.write_all(&values.chain(moves).collect::<Vec<_>>())?;
    stream.finish().map(drop)
}

#[cfg(test)]
mod tests;
