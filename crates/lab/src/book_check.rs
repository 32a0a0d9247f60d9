//! Opening books held against the prover: the value and the best move of every position after the last ply
//! are proven anew, without any book. All other entries follow from them when a book is read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bestmove_engine::game::Game;
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::book::{Book, Entry, numbered_move};
use bestmove_engine::search::{Proof, openings, prove_all};
use clap::Args;

use crate::book::entry;
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
    /// The file to go on with: a line for each entry proven so far, with the position, value and number of the
    /// best move in the book, and the proven ones
    #[arg(long)]
    proofs: PathBuf,
    /// The bounds to keep in memory, as a power of two of eight bytes each
    #[arg(long, default_value_t = 28, value_parser = clap::value_parser!(u32).range(10..40))]
    table_bits: u32,
}

/// What a check of a book found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookVerdict {
    /// How many entries were proven.
    pub proven: usize,
    /// A line of the file of proofs for each of those that are wrong.
    pub wrong: Vec<String>,
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
        let book = Book::read(&fs::read(&self.book)?, &G::start())?;
        let positions = openings(&G::start(), u32::from(book.plies())).into_iter();
        let entry_of = |position| Some((book.entry(&position)?, position));
        let (entries, positions): (Vec<_>, Vec<_>) = positions.filter_map(entry_of).unzip();
        let claims = positions.iter().map(G::write_position).zip(entries).collect::<Vec<_>>();
        let mut proofs = Proofs::open(&self.proofs, &claims)?;
        self.prove::<G>(positions, &claims, &mut proofs)?;
        let all = claims.iter().zip(&proofs.found);
        let wrong = all.filter(|((_, claimed), found)| claimed != *found);
        let wrong = wrong.map(|(claim, &found)| line(claim, found).trim_end().to_owned()).collect();
        Ok(BookVerdict { proven: proofs.found.len(), wrong })
    }

    /// Proves what is not proven yet.
    fn prove<G: Game>(
        &self,
        positions: Vec<G::Position>,
        claims: &[(String, Entry)],
        proofs: &mut Proofs,
    ) -> io::Result<()> {
        let (skip, start) = (proofs.found.len(), Instant::now());
        let mut written = start;
        let mut failure = None;
        let evaluator = evaluator::<G>(None, &Knowledge::default())?;
        let guesses =
            positions.into_iter().zip(claims).skip(skip).map(|(position, (_, claimed))| {
                let &Entry { value, best_move } = claimed;
                let best_move = numbered_move(&position, best_move);
                (position, best_move.map(|best_move| Proof { value, best_move }))
            });
        prove_all(guesses, &evaluator, 1 << self.table_bits, &mut |position, found| {
            proofs.add(&claims[proofs.found.len()], entry(&position, found));
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
    /// What is proven, in the order of the entries.
    found: Vec<Entry>,
    unwritten: String,
    file: File,
}

impl Proofs {
    /// The proofs of these entries in a file, which is made where it is missing. A last line without an
    /// end is dropped.
    fn open(path: &Path, claims: &[(String, Entry)]) -> io::Result<Self> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let text = fs::read_to_string(path)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut found = Vec::new();
        for (line, claim) in text[..whole].lines().zip(claims) {
            found.push(proven(line, claim).ok_or_else(|| {
                invalid(&format!("{} is of another book: {line}", path.display()))
            })?);
        }
        file.set_len(whole as u64)?;
        file.flush()?;
        Ok(Self { found, unwritten: String::new(), file })
    }

    fn add(&mut self, claim: &(String, Entry), found: Entry) {
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
fn line((position, claimed): &(String, Entry), found: Entry) -> String {
    format!("{position} {} {}\n", text(*claimed), text(found))
}

fn text(Entry { value, best_move }: Entry) -> String {
    format!("{value} {best_move}")
}

/// What is proven by a line of the file, if it is about this entry.
fn proven(line: &str, (position, claimed): &(String, Entry)) -> Option<Entry> {
    let found = line.strip_prefix(&format!("{position} {} ", text(*claimed)))?;
    let (value, best_move) = found.split_once(' ')?;
    Some(Entry { value: value.parse().ok()?, best_move: best_move.parse().ok()? })
}
