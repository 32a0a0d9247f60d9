//! Perfect play with few pieces: tables of exact values, made by retrograde analysis.
//!
//! Those of up to four pieces are carried in the program, packed, and unpacked block by block as
//! they are asked for; with five pieces it knows who wins, but not how soon. A larger table can be
//! mapped from a file. Draw rules are left out of all values: neither repetitions nor the count
//! towards a draw are part of a position. The laboratory makes the files.

mod outcomes;
mod slice;
mod tables;

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use self::outcomes::Outcomes;
pub use self::outcomes::PLACES;
pub use self::slice::{CheckersPlacement, CheckersSlice, MOST_PIECES};
use self::tables::Tables;
use super::super::endgame::{DRAW, is_loss};
use super::board::CheckersBoard;
use crate::game::{Outcome, Score};

/// The most pieces of the table that is part of the program.
const CARRIED_PIECES: u32 = 4;

/// The pieces of the positions of which the program knows who wins.
const OUTCOME_PIECES: u32 = 5;

/// The tables that can be asked.
#[derive(Default)]
pub(super) struct EndgameTables {
    /// The values of positions with up to [`CARRIED_PIECES`] pieces.
    carried: Option<Tables<&'static [u8]>>,
    /// The outcomes of positions with [`OUTCOME_PIECES`] pieces.
    outcomes: Option<Outcomes<&'static [u8]>>,
    /// A larger table, which is asked first.
    mapped: Option<Tables<Mmap>>,
    /// The most pieces of a position whose value is known.
    pieces: u32,
}

impl EndgameTables {
    /// The tables that are part of the program. Their content is checked when the program is built.
    pub(super) fn read() -> io::Result<Self> {
        Ok(Self {
            carried: Some(knowledge_file!("checkers-4.tables").read(Tables::new)?),
            outcomes: Some(knowledge_file!("checkers-5.outcomes").read(Outcomes::new)?),
            mapped: None,
            pieces: CARRIED_PIECES,
        })
    }

    /// Maps a table into memory, compares it with its checksum, and asks it from now on. Returns a number
    /// that tells it from others.
    pub(super) fn open(&mut self, file: &Path) -> io::Result<u64> {
        let file = File::open(file)?;
        #[expect(
            unsafe_code,
            reason = "tables of 150 MB to 2.7 GB are shared with the system's cache"
        )]
        // SAFETY: the map is only read, and any byte is a valid value. Its length is that of the file, and
        // compared with what the header asks for before any value is read. The one thing left, that
        // nobody shortens the file meanwhile, is asked of the operator where the setting is described.
        let map = unsafe { Mmap::map(&file)? };
        let tables = Tables::new(map)?;
        tables.check()?;
        self.pieces = self.pieces.max(tables.pieces());
        Ok(self.mapped.insert(tables).checksum())
    }

    /// The exact value of an unfinished position with few pieces.
    #[inline]
    pub(super) fn value(&self, board: &CheckersBoard) -> Option<Score> {
        let pieces = (board.own() | board.other()).count_ones();
        if pieces > self.pieces { None } else { self.value_of_few(board) }
    }

    fn value_of_few(&self, board: &CheckersBoard) -> Option<Score> {
        let placement = CheckersPlacement::from(board);
        let mapped = self.mapped.as_ref().and_then(|table| table.value(&placement));
        Some(match mapped.or_else(|| self.carried.as_ref()?.value(&placement))? {
            DRAW => Score::DRAWN,
            plies if is_loss(plies) => Score::lost_in(u32::from(plies)),
            plies => Score::won_in(u32::from(plies)),
        })
    }

    /// The outcome of an unfinished position with a piece more, as far as its side to move can't capture.
    #[inline]
    pub(super) fn outcome(&self, board: &CheckersBoard) -> Option<Outcome> {
        let pieces = (board.own() | board.other()).count_ones();
        if pieces == OUTCOME_PIECES { self.outcome_of_few(board) } else { None }
    }

    fn outcome_of_few(&self, board: &CheckersBoard) -> Option<Outcome> {
        let is_quiet = board.jumpers() == 0;
        is_quiet.then(|| self.outcomes.as_ref()?.outcome(&CheckersPlacement::from(board))).flatten()
    }
}

#[cfg(test)]
mod tests;
