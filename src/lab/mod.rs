//! The laboratory: long computations whose results the games carry along, and matches that tell
//! whether a change made the play stronger.

mod arena;
mod book;
mod expectation;
mod levels;
mod proofs;
mod record;
mod rescoring;
mod samples;
mod self_play;
mod tables;
mod trainer;
mod tuner;

pub use self::arena::{Conditions, Tally, serve, stage};
pub use self::book::Book;
pub use self::levels::compare_levels;
pub use self::proofs::prove;
pub use self::rescoring::Rescoring;
pub use self::self_play::{SelfPlay, Variety};
pub use self::tables::write_endgame_table;
pub use self::trainer::{School, Training};
pub use self::tuner::Tuning;
use crate::games::{self, any::AnyGame};

/// The game of that name.
fn game(name: &str) -> std::io::Result<&'static dyn AnyGame> {
    let unknown = || std::io::Error::other(format!("no game '{name}'"));
    games::find(name).ok_or_else(unknown)
}
