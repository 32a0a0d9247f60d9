//! Perfect play with few pieces.
//!
//! The values of positions with up to four pieces are carried in the program; with five pieces it knows who wins, but not
//! how soon. A larger table can be mapped from a file. The laboratory makes the files.

use std::cmp::Ordering;
use std::fs::File;
use std::io;
use std::path::Path;

use bestmove_endgames::Form;
use bestmove_endgames::checkers::{CheckersPlacement, CheckersTables};
use memmap2::Mmap;

use super::super::endgame::score;
use super::super::knowledge::{CarriedTable, invalid};
use super::board::CheckersBoard;
use crate::game::{Outcome, Position, Score, Side};

/// The most pieces of the table that is part of the program.
const CARRIED_PIECES: u32 = 4;

/// The pieces of the positions of which the program knows who wins.
const OUTCOME_PIECES: u32 = 5;

/// The tables that can be asked.
#[derive(Default)]
pub(super) struct EndgameTables {
    /// The values of positions with up to [`CARRIED_PIECES`] pieces.
    carried: CarriedTable<CheckersTables>,
    /// The outcomes of positions with [`OUTCOME_PIECES`] pieces.
    outcomes: CarriedTable<CheckersTables>,
    /// A larger table, which is asked first.
    mapped: Option<CheckersTables>,
    /// The most pieces of a position whose value is known.
    pieces: u32,
}

impl EndgameTables {
    /// The tables that are part of the program. Their content is checked when the program is built.
    pub(super) fn read() -> io::Result<Self> {
        Ok(Self {
            carried: carried_table!("checkers-4.tables", CheckersTables::open)?,
            outcomes: carried_table!("checkers-5.outcomes", CheckersTables::open)?,
            mapped: None,
            pieces: CARRIED_PIECES,
        })
    }

    /// Maps a table into memory, compares it with its checksum, and asks it from now on.
    pub(super) fn open(&mut self, file: &Path) -> io::Result<()> {
        let file = File::open(file)?;
        #[expect(
            unsafe_code,
            reason = "tables of 150 MB to 2.7 GB are shared with the system's cache"
        )]
        // SAFETY: the map is only read, and any byte is a valid value. Its length is that of the file, and
        // compared with what the header asks for before any value is read. The one thing left, that
        // nobody shortens the file meanwhile, is asked of the operator where the setting is described.
        let map = unsafe { Mmap::map(&file)? };
        let tables = CheckersTables::open(map)?;
        if tables.form() == Form::Outcomes {
            return Err(invalid("a table without distances"));
        }
        tables.check()?;
        self.pieces = self.pieces.max(tables.pieces());
        self.mapped = Some(tables);
        Ok(())
    }

    /// The exact value of an unfinished position with few pieces.
    #[inline]
    pub(super) fn value(&self, board: &CheckersBoard) -> Option<Score> {
        let pieces = (board.own | board.other).count_ones();
        if pieces > self.pieces { None } else { self.value_of_few(board) }
    }

    fn value_of_few(&self, board: &CheckersBoard) -> Option<Score> {
        let placement = CheckersPlacement::from(board);
        let mapped = self.mapped.as_ref().and_then(|table| table.value(&placement));
        mapped.or_else(|| self.carried.get()?.value(&placement)).map(score)
    }

    /// The outcome of an unfinished position with a piece more, as far as its side to move can't capture.
    #[inline]
    pub(super) fn outcome(&self, board: &CheckersBoard) -> Option<Outcome> {
        let pieces = (board.own | board.other).count_ones();
        if pieces == OUTCOME_PIECES { self.outcome_of_few(board) } else { None }
    }

    fn outcome_of_few(&self, board: &CheckersBoard) -> Option<Outcome> {
        if board.jumpers() != 0 {
            return None;
        }
        let outcome = self.outcomes.get()?.outcome(&CheckersPlacement::from(board))?;
        Some(match outcome {
            Ordering::Less => Outcome::Loss,
            Ordering::Equal => Outcome::Draw,
            Ordering::Greater => Outcome::Win,
        })
    }
}

impl From<&CheckersBoard> for CheckersPlacement {
    fn from(board: &CheckersBoard) -> Self {
        let seen = |pieces: u64| match board.side_to_move() {
            Side::First => gathered(pieces),
            Side::Second => gathered(pieces).reverse_bits(),
        };
        let (own, other, kings) = (board.own, board.other, board.kings);
        Self {
            men: [seen(own & !kings), seen(other & !kings)],
            kings: [seen(own & kings), seen(other & kings)],
        }
    }
}

/// The board on which the first side is to move.
impl From<&CheckersPlacement> for CheckersBoard {
    fn from(&CheckersPlacement { men, kings }: &CheckersPlacement) -> Self {
        let pieces = [0, 1].map(|side| scattered(men[side] | kings[side]));
        Self::new(pieces, scattered(kings[0] | kings[1]), Side::First)
    }
}

/// The 32 squares of a board without the gaps between its rows.
fn gathered(pieces: u64) -> u32 {
    let pair = |rows: u32| (pieces >> (9 * rows) & 0xff) << (8 * rows);
    (pair(0) | pair(1) | pair(2) | pair(3)) as u32
}

/// The inverse of [`gathered`].
fn scattered(squares: u32) -> u64 {
    let pair = |rows: u32| (u64::from(squares) >> (8 * rows) & 0xff) << (9 * rows);
    pair(0) | pair(1) | pair(2) | pair(3)
}

#[cfg(test)]
mod tests;
