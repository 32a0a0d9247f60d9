//! Opening books of games that must end, made by the prover.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bestmove_engine::game::{Game, Position};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::book::{Entry, move_number, write};
use bestmove_engine::search::{Proof, openings, prove_all};
use clap::Args;

use crate::game::{evaluator, for_game};

/// How often the records found so far are written.
const BETWEEN_WRITES: Duration = Duration::from_secs(10);

/// The value and the number of the best move of a position.
const RECORD: usize = 2;

/// A book to make.
#[derive(Args, Clone, Debug)]
pub struct Book {
    /// The name of the game
    game: String,
    /// The plies up to which every position is to be in it
    #[arg(long)]
    plies: u8,
    /// The file to go on with: two bytes for each proven position after so many plies
    #[arg(long)]
    records: PathBuf,
    /// The file of the book
    #[arg(long)]
    out: PathBuf,
    /// The proofs to keep in memory, as a power of two of eight bytes each
    #[arg(long, default_value_t = 26, value_parser = clap::value_parser!(u32).range(10..40))]
    table_bits: u32,
}

impl Book {
    /// Proves every position after so many plies, mirror images folded, that the file of records does not
    /// hold yet; then writes the book that follows from them. Returns the number of positions.
    ///
    /// # Errors
    /// Where there is no such game, or a file can't be read or written.
    pub fn run(&self) -> io::Result<usize> {
        for_game!(self.game.as_str(), G => self.make::<G>())
    }

    fn make<G: Game>(&self) -> io::Result<usize> {
        let positions = openings(&G::start(), u32::from(self.plies));
        self.prove::<G>(&positions)?;
        let records = fs::read(&self.records)?;
        let entries = records.as_chunks::<RECORD>().0.iter();
        let entries = entries.map(|&[value, best_move]| Entry { value: value as i8, best_move });
        let keys = positions.iter().map(|position| position.canonical().0);
        write(self.plies, keys.zip(entries).collect(), &mut File::create(&self.out)?)?;
        Ok(positions.len())
    }

    /// Goes on with the file of records until it is complete.
    fn prove<G: Game>(&self, positions: &[G::Position]) -> io::Result<()> {
        let mut output = OpenOptions::new().create(true).append(true).open(&self.records)?;
        let known = output.metadata()?.len() as usize / RECORD;
        // The half of a record that a stopped run has written.
        output.set_len((known * RECORD) as u64)?;
        let evaluator = evaluator::<G>(None, &Knowledge::default())?;
        let rest = positions.iter().skip(known).map(|position| (position.clone(), None));
        let mut unwritten = Vec::new();
        let mut written = Instant::now();
        let (mut proven, mut failure) = (known, None);
        prove_all(rest, &evaluator, 1 << self.table_bits, &mut |position, proof| {
            let entry = entry(&position, proof);
            unwritten.extend([entry.value as u8, entry.best_move]);
            proven += 1;
            if written.elapsed() >= BETWEEN_WRITES {
                failure = output.write_all(&unwritten).err();
                unwritten.clear();
                written = Instant::now();
                println!("{proven} of {}", positions.len());
            }
            failure.is_none()
        });
        failure.map_or_else(|| output.write_all(&unwritten), Err)
    }
}

/// What a book has of a position that is proven.
pub(crate) fn entry<P: Position>(position: &P, proof: Proof<P::Move>) -> Entry {
    Entry { value: proof.value, best_move: move_number(position, proof.best_move) }
}
