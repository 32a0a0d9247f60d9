//! Opening books of games that must end, made by the prover.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bestmove_engine::game::Margin;
use bestmove_engine::games::any::AnyGame;
use bestmove_engine::games::book::{Record, read, record, write};

/// How often the records found so far are written.
const BETWEEN_WRITES: Duration = Duration::from_secs(10);

/// A book to make.
#[derive(Clone, Debug)]
pub struct Book {
    /// The plies up to which every position is to be in it.
    pub plies: u32,
    /// The file with the positions after so many plies that are proven so far, in the order in which
    /// they come.
    pub records: PathBuf,
    /// How many positions to prove at most before the book is written, complete or not.
    pub proofs: usize,
    /// The slots of the prover's table, a power of two of eight bytes each.
    pub entries: usize,
}

impl Book {
    /// Proves every position after so many plies, mirror images folded, that the file of records
    /// does not hold yet; then writes these and all earlier positions that follow from them to
    /// `out`, as the program carries them along. Returns how many there are.
    ///
    /// # Errors
    /// Where there is no such game, or a file can't be read or written.
    pub fn write(&self, name: &str, out: &Path) -> io::Result<usize> {
        let game = super::game(name)?;
        self.prove(game)?;
        let proven = fs::read(&self.records)?;
        let margins: Vec<(u64, Margin)> = proven.as_chunks().0.iter().copied().map(read).collect();
        let all = game.backed_up(self.plies, margins);
        let positions = all.len();
        write(all, &mut File::create(out)?)?;
        Ok(positions)
    }

    /// Goes on with the file of records until it is complete.
    fn prove(&self, game: &dyn AnyGame) -> io::Result<()> {
        let known = fs::metadata(&self.records)
            .map_or(0, |metadata| metadata.len() as usize / size_of::<Record>());
        let mut output = OpenOptions::new().create(true).append(true).open(&self.records)?;
        if self.proofs == 0 {
            return Ok(());
        }
        let mut unwritten = Vec::new();
        let mut written = Instant::now();
        let (mut proven, mut failure) = (known, None);
        game.prove_openings(self.plies, known, self.entries, &mut |(key, margin), total| {
            unwritten.extend(record(key, margin));
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
