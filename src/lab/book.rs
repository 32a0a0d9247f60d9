//! Opening books of games that must end, made by the prover.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The bytes of a record: the canonical key of a position, shifted up by eight bits, and its margin.
const RECORD: usize = 8;

/// How often the records found so far are written.
const BETWEEN_WRITES: Duration = Duration::from_secs(10);

/// Proves every position after `plies` plies, mirror images folded, and appends a record for each to
/// the file. What the file holds already is not proven again: the positions come in a fixed order.
/// Neighbours in that order share a table of `entries` slots.
///
/// # Errors
/// Where there is no such game, or the file can't be read or written.
pub fn prove(name: &str, plies: u32, file: &Path, entries: usize) -> io::Result<()> {
    let game = super::game(name)?;
    let known = fs::metadata(file).map_or(0, |metadata| metadata.len() as usize / RECORD);
    let mut output = OpenOptions::new().create(true).append(true).open(file)?;
    let mut unwritten = Vec::new();
    let mut written = Instant::now();
    let (mut proven, mut failure) = (known, None);
    game.prove_openings(plies, known, entries, &mut |(key, margin), total| {
        unwritten.extend_from_slice(&(key << 8 | u64::from(margin as u8)).to_le_bytes());
        proven += 1;
        if written.elapsed() >= BETWEEN_WRITES {
            failure = output.write_all(&unwritten).err();
            unwritten.clear();
            written = Instant::now();
            println!("{proven} of {total}");
        }
        failure.is_none()
    });
    failure.map_or_else(|| output.write_all(&unwritten), Err)
}
