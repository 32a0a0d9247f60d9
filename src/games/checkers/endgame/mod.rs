//! Perfect play with few pieces: tables of exact values, made by retrograde analysis.
//!
//! Those of up to four pieces are carried in the program, packed, and unpacked block by block as
//! they are asked for; with five pieces it knows who wins, but not how soon. A larger table can be
//! mapped from a file. Draw rules are left out of all values: neither repetitions nor the count
//! towards a draw are part of a position.

mod blocks;
mod draw;
mod header;
mod outcomes;
mod slice;
mod solver;
mod tables;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use memmap2::Mmap;

pub(super) use self::draw::draw;
use self::outcomes::Outcomes;
use self::slice::{MOST_PIECES, Placement};
use self::tables::Tables;
use super::super::retrograde::{DRAW, Plies, is_loss};
use super::board::Board;
use crate::game::{Outcome, Score, TableForm};

/// The most pieces of the table that is part of the program.
const CARRIED_PIECES: u32 = 4;

/// The table that is part of the program.
static CARRIED: LazyLock<Option<Tables<&[u8]>>> = LazyLock::new(|| {
    Tables::new(include_bytes!("../../../../knowledge/checkers-4.tables").as_slice()).ok()
});

/// The pieces of the positions of which the program knows who wins.
const JUDGED_PIECES: u32 = 5;

/// Who wins those.
static JUDGED: LazyLock<Option<Outcomes<&[u8]>>> = LazyLock::new(|| {
    Outcomes::new(include_bytes!("../../../../knowledge/checkers-5.outcomes").as_slice()).ok()
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
    Some(match mapped.or_else(|| CARRIED.as_ref()?.value(&placement))? {
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
    is_quiet.then(|| JUDGED.as_ref()?.outcome(&Placement::from(board))).flatten()
}

/// Makes the table of all positions of up to so many pieces.
///
/// # Errors
/// Where that is too few or too many, or the sink fails.
pub(super) fn write(pieces: u32, form: TableForm, sink: &mut dyn Write) -> io::Result<()> {
    let values = values_up_to(pieces)?;
    match form {
        TableForm::Plain => tables::write_plain(pieces, &values, sink),
        TableForm::Packed => tables::write_packed(pieces, &values, sink),
        TableForm::Outcomes => outcomes::write(pieces, &values, sink),
    }
}

/// The values of all positions of up to so many pieces, in the order of their layout.
fn values_up_to(pieces: u32) -> io::Result<Vec<Plies>> {
    if !(2..=MOST_PIECES as u32).contains(&pieces) {
        let reason = format!("expected 2 to {MOST_PIECES} pieces but got {pieces}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    Ok(solver::values_up_to(pieces as u8))
}

/// Maps a table into memory and asks it from now on. Returns a number that tells it from others.
///
/// # Errors
/// Where the file can't be read or holds no table.
pub(super) fn open(file: &Path) -> io::Result<u64> {
    let file = File::open(file)?;
    #[expect(unsafe_code, reason = "a table of 150 MB is shared with the system's cache, not read")]
    // SAFETY: the map is only read, and any byte is a valid value. The one thing left, that nobody
    // shortens the file meanwhile, is asked of the operator where the setting is described.
    let map = unsafe { Mmap::map(&file)? };
    let tables = Tables::new(map)?;
    Ok(MAPPED.get_or_init(|| tables).checksum())
}

#[cfg(test)]
mod tests;
