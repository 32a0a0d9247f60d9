//! Opening books of games that must end, made by the prover.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::game::{evaluator, for_game};
use bestmove_engine::game::{Game, Position};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::book::{Record, read, record, write};
use bestmove_engine::search::{backed_up, openings, prove_all};
use clap::Args;

/// How often the records found so far are written.
const BETWEEN_WRITES: Duration = Duration::from_secs(10);

/// A book to make.
#[derive(Args, Clone, Debug)]
pub struct Book {
    /// The name of the game
    game: String,
    /// The plies up to which every position is to be in it
    #[arg(long)]
    plies: u32,
    /// The file to go on with: a record of eight bytes for each proven position after so many plies
    #[arg(long)]
    records: PathBuf,
    /// The file of the book
    #[arg(long)]
    out: PathBuf,
    /// How many positions to prove at most before the book is written, complete or not
    #[arg(long, default_value_t = usize::MAX)]
    proofs: usize,
    /// The proofs to keep in memory, as a power of two of eight bytes each
    #[arg(long, default_value_t = 26, value_parser = clap::value_parser!(u32).range(10..40))]
    table_bits: u32,
}

impl Book {
    /// Proves every position after so many plies, mirror images folded, that the file of records
    /// does not hold yet; then writes these and all earlier positions that follow from them, in the format
    /// that the game embeds. Returns the number of positions.
    ///
    /// # Errors
    /// Where there is no such game, or a file can't be read or written.
    pub fn run(&self) -> io::Result<usize> {
        for_game!(self.game.as_str(), G => self.make::<G>())
    }

    fn make<G: Game>(&self) -> io::Result<usize> {
        self.prove::<G>()?;
        let proven = fs::read(&self.records)?;
        let values = proven.as_chunks().0.iter().copied().map(read).collect();
        let all = backed_up(&G::start(), self.plies, values);
        let positions = all.len();
        write(all, &mut File::create(&self.out)?)?;
        Ok(positions)
    }

    /// Goes on with the file of records until it is complete.
    fn prove<G: Game>(&self) -> io::Result<()> {
        let known = fs::metadata(&self.records)
            .map_or(0, |metadata| metadata.len() as usize / size_of::<Record>());
        let mut output = OpenOptions::new().create(true).append(true).open(&self.records)?;
        if self.proofs == 0 {
            return Ok(());
        }
        let evaluator = evaluator::<G>(None, &Knowledge::default())?;
        let positions = openings(&G::start(), self.plies);
        let total = positions.len();
        let rest = positions.into_iter().skip(known).map(|position| (position, None));
        let mut unwritten = Vec::new();
        let mut written = Instant::now();
        let (mut proven, mut failure) = (known, None);
        prove_all(rest, &evaluator, 1 << self.table_bits, &mut |position, value| {
            unwritten.extend(record(position.canonical().0, value));
            proven += 1;
            if written.elapsed() >= BETWEEN_WRITES {
                failure = output.write_all(&unwritten).err();
                unwritten.clear();
                written = Instant::now();
                println!("{proven} of {total}");
            }
            failure.is_none() && proven - known < self.proofs
        });
        failure.map_or_else(|| output.write_all(&unwritten), Err)
    }
}
