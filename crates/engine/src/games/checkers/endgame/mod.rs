//! Perfect play with few pieces: tables of exact values, made by retrograde analysis.
//!
//! Those of up to four pieces are carried in the program, packed, and unpacked block by block as
//! they are asked for; with five pieces it knows who wins, but not how soon. A larger table can be
//! mapped from a file. Draw rules are left out of all values: neither repetitions nor the count
//! towards a draw are part of a position.

mod blocks;
#[cfg(feature = "train")]
mod generator;
mod header;
#[cfg_attr(not(feature = "train"), expect(dead_code, reason = "only the generator writes"))]
mod outcomes;
#[cfg_attr(not(feature = "train"), expect(dead_code, reason = "only the generator writes"))]
mod slice;
#[cfg(feature = "train")]
mod solver;
#[cfg_attr(not(feature = "train"), expect(dead_code, reason = "only the generator writes"))]
mod tables;

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use memmap2::Mmap;

#[cfg(feature = "train")]
pub(super) use self::generator::{sample, write};
use self::outcomes::Outcomes;
use self::slice::Placement;
use self::tables::Tables;
use super::super::embedded::Embedded;
use super::super::retrograde::{DRAW, is_loss};
use super::board::Board;
use crate::game::{Outcome, Score};

/// The most pieces of the table that is part of the program.
const CARRIED_PIECES: u32 = 4;

/// The table that is part of the program.
static CARRIED: Embedded<Tables<&[u8]>> = Embedded::new("knowledge/checkers-4.tables", || {
    Tables::new(include_bytes!("../../../../../../knowledge/checkers-4.tables").as_slice())
});

/// The pieces of the positions of which the program knows who wins.
const JUDGED_PIECES: u32 = 5;

/// Who wins those.
static JUDGED: Embedded<Outcomes<&[u8]>> = Embedded::new("knowledge/checkers-5.outcomes", || {
    Outcomes::new(include_bytes!("../../../../../../knowledge/checkers-5.outcomes").as_slice())
});

/// The table that is asked first, where one was opened.
static MAPPED: OnceLock<Tables<Mmap>> = OnceLock::new();

/// The exact value of an unfinished position with few pieces.
#[inline]
pub(super) fn value(board: &Board) -> Option<Score> {
    let pieces = (board.own() | board.other()).count_ones();
    let known = MAPPED.get().map_or(CARRIED_PIECES, |table| table.pieces().max(CARRIED_PIECES));
    if pieces > known { None } else { value_of_few(board) }
}

fn value_of_few(board: &Board) -> Option<Score> {
    let placement = Placement::from(board);
    let mapped = MAPPED.get().and_then(|table| table.value(&placement));
    Some(match mapped.or_else(|| CARRIED.get()?.value(&placement))? {
        DRAW => Score::DRAWN,
        plies if is_loss(plies) => Score::lost_in(u32::from(plies)),
        plies => Score::won_in(u32::from(plies)),
    })
}

/// The outcome of an unfinished position with a piece more, as far as its side to move can't capture.
#[inline]
pub(super) fn outcome(board: &Board) -> Option<Outcome> {
    let pieces = (board.own() | board.other()).count_ones();
    if pieces == JUDGED_PIECES { outcome_of_few(board) } else { None }
}

fn outcome_of_few(board: &Board) -> Option<Outcome> {
    let is_quiet = board.jumpers() == 0;
    is_quiet.then(|| JUDGED.get()?.outcome(&Placement::from(board))).flatten()
}

/// Reads what the tables that are part of the program say of themselves. Their content is checked
/// when the program is built.
///
/// # Errors
/// Names the file that is damaged.
pub(super) fn check_embedded() -> io::Result<()> {
    CARRIED.check()?;
    JUDGED.check()
}

/// Maps a table into memory, compares it with its checksum, and asks it from now on. Returns a number
/// that tells it from others.
///
/// # Errors
/// Where the file can't be read, holds no table, or is damaged.
pub(super) fn open(file: &Path) -> io::Result<u64> {
    let file = File::open(file)?;
    #[expect(unsafe_code, reason = "tables of 150 MB to 2.7 GB are shared with the system's cache")]
    // SAFETY: the map is only read, and any byte is a valid value. Its length is that of the file, and
    // compared with what the header asks for before any value is read. The one thing left, that
    // nobody shortens the file meanwhile, is asked of the operator where the setting is described.
    let map = unsafe { Mmap::map(&file)? };
    let tables = Tables::new(map)?;
    tables.check()?;
    Ok(MAPPED.get_or_init(|| tables).checksum())
}

#[cfg(test)]
mod tests;
