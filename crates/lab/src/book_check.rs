//! Opening books held against the prover.
//!
//! An entry whose moves all lead to other entries, or end the game, must have the value that follows from
//! those. Every other entry is proven anew, without any book.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bestmove_engine::game::{Game, SolverScore};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::book::Book;
use bestmove_engine::search::prove_all;
use clap::Args;

use crate::book_entries::{BookVerdict, Entries, WrongEntry};
use crate::game::{evaluator, for_game};
use crate::invalid;

/// How often the proofs found so far are written.
const BETWEEN_WRITES: Duration = Duration::from_secs(10);

/// A book to check.
#[derive(Args, Clone, Debug)]
pub struct BookCheck {
    /// The name of the game
    game: String,
    /// The file of the book
    book: PathBuf,
    /// The file to go on with: a line for each entry proven so far, with the position, the value in the
    /// book and the proven one
    #[arg(long)]
    proofs: PathBuf,
    /// The bounds to keep in memory, as a power of two of eight bytes each
    #[arg(long, default_value_t = 28, value_parser = clap::value_parser!(u32).range(10..40))]
    table_bits: u32,
}

impl BookCheck {
    /// Checks every entry; goes on with the file of proofs. Prints the progress.
    ///
    /// # Errors
    /// Where there is no such game, a file can't be read or written, or the file of proofs is of another
    /// book.
    pub fn run(&self) -> io::Result<BookVerdict> {
        for_game!(self.game.as_str(), G => self.check::<G>())
    }

    fn check<G: Game>(&self) -> io::Result<BookVerdict> {
        let book = Book::read(&fs::read(&self.book)?)?;
        let Entries { derived, mut wrong, open } = Entries::of::<G>(&book);
        let unreachable = book.records().len() - derived - wrong.len() - open.len();
        let claim = |(position, claimed): &_| (G::write_position(position), *claimed);
        let claims: Vec<_> = open.iter().map(claim).collect();
        let mut proofs = Proofs::open(&self.proofs, &claims)?;
        self.prove::<G>(open, &claims, &mut proofs)?;
        for ((position, claimed), &found) in claims.into_iter().zip(&proofs.found) {
            if claimed != found {
                wrong.push(WrongEntry { position, claimed, found });
            }
        }
        Ok(BookVerdict { derived, proven: proofs.found.len(), wrong, unreachable })
    }

    /// Proves what is not proven yet.
    fn prove<G: Game>(
        &self,
        open: Vec<(G::Position, SolverScore)>,
        claims: &[(String, SolverScore)],
        proofs: &mut Proofs,
    ) -> io::Result<()> {
        let (skip, start) = (proofs.found.len(), Instant::now());
        let mut written = start;
        let mut failure = None;
        let evaluator = evaluator::<G>(None, &Knowledge::default())?;
        let guesses =
            open.into_iter().skip(skip).map(|(position, claimed)| (position, Some(claimed)));
        prove_all(guesses, &evaluator, 1 << self.table_bits, &mut |_, found| {
            proofs.add(&claims[proofs.found.len()], found);
            if written.elapsed() >= BETWEEN_WRITES {
                failure = proofs.write().err();
                written = Instant::now();
                print_progress(proofs.found.len(), skip, claims.len(), start.elapsed());
            }
            failure.is_none()
        });
        failure.map_or_else(|| proofs.write(), Err)
    }
}

/// How far the proofs are and how long the rest takes at the same rate.
fn print_progress(done: usize, skipped: usize, total: usize, elapsed: Duration) {
    let elapsed = elapsed.as_secs();
    let rest = elapsed * (total - done) as u64 / (done - skipped).max(1) as u64;
    println!("{done} of {total} proven after {elapsed} s, {rest} s left at this rate");
}

/// The file of proofs.
struct Proofs {
    /// The proven values, in the order of the entries.
    found: Vec<SolverScore>,
    unwritten: String,
    file: File,
}

impl Proofs {
    /// The proofs of these entries in a file, which is made where it is missing. A last line without an
    /// end is dropped.
    fn open(path: &Path, claims: &[(String, SolverScore)]) -> io::Result<Self> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let text = fs::read_to_string(path)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut found = Vec::new();
        for (line, claim) in text[..whole].lines().zip(claims) {
            found.push(proven_value(line, claim).ok_or_else(|| {
                invalid(&format!("{} is of another book: {line}", path.display()))
            })?);
        }
        file.set_len(whole as u64)?;
        file.flush()?;
        Ok(Self { found, unwritten: String::new(), file })
    }

    fn add(&mut self, claim: &(String, SolverScore), found: SolverScore) {
        self.found.push(found);
        self.unwritten.push_str(&line(claim, found));
        if found != claim.1 {
            print!("wrong: {}", line(claim, found));
        }
    }

    fn write(&mut self) -> io::Result<()> {
        self.file.write_all(self.unwritten.as_bytes())?;
        self.unwritten.clear();
        Ok(())
    }
}

/// A line of the file of proofs.
fn line((position, claimed): &(String, SolverScore), found: SolverScore) -> String {
    format!("{position} {claimed} {found}\n")
}

/// The proven value in a line of the file, if it is about this entry.
fn proven_value(line: &str, (position, claimed): &(String, SolverScore)) -> Option<SolverScore> {
    line.strip_prefix(&format!("{position} {claimed} "))?.parse().ok()
}
