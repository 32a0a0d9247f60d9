//! Endgame tables of chess and checkers: the exact values of all positions with few pieces.
//!
//! A table is a file of values, numbered by the positions. [`chess::ChessTables`] and [`checkers::CheckersTables`] answer with the
//! value of a position; [`chess::write`] and [`checkers::write`] make the files from values. Draws by
//! repetition and by the count of moves are left out of all values.
//!
//! A file begins with a mark, and in little-endian numbers the most pieces of its positions and its [`Form`] (32 bits
//! each) and a checksum of what follows, unpacked (64 bits).

mod blocks;
pub mod checkers;
pub mod chess;
mod header;
mod layout;

use std::io;
use std::ops::Deref;

pub use self::header::{Form, file_name};
pub use self::layout::{Layout, Slice};

/// The plies to the end of the game when the winner hurries and the loser delays. The side to move wins in an odd number
/// of plies and loses in an even one.
pub type Plies = u8;

/// In place of [`Plies`]: neither side can win.
pub const DRAW: Plies = Plies::MAX;

/// Whether the side to move loses in this number of plies.
#[must_use]
pub const fn is_loss(plies: Plies) -> bool {
    plies.is_multiple_of(2)
}

/// The bytes of a file.
type File = Box<dyn Deref<Target = [u8]> + Send + Sync>;

/// Why a file of another length is refused.
fn incomplete() -> io::Error {
    invalid("the file is not complete")
}

/// Why a file is refused.
fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
