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
mod straying;
mod tables;
mod trainer;
mod tuner;

use std::io;

pub use self::arena::{Conditions, Tally, serve, stage};
pub use self::book::Book;
pub use self::levels::compare_levels;
pub use self::proofs::prove;
pub use self::rescoring::Rescoring;
pub use self::self_play::{SelfPlay, Variety};
pub use self::tables::write_endgame_table;
pub use self::trainer::{School, Training};
pub use self::tuner::Tuning;
use bestmove_engine::games;
use bestmove_engine::games::any::{AnyGame, Model, RequestError};
use fastrand::Rng;

/// The random numbers of item `index` of a run with this seed. The index is mixed first: `fastrand` gives
/// similar numbers for seeds that differ in few bits.
fn stream(seed: u64, index: u64) -> Rng {
    Rng::with_seed(seed ^ Rng::with_seed(index).u64(..))
}

/// The game of that name.
fn game(name: &str) -> io::Result<&'static dyn AnyGame> {
    let unknown = || io::Error::other(format!("no game '{name}'"));
    games::find(name).ok_or_else(unknown)
}

/// What can be learned of the evaluator of that name, or of the game's first.
fn model(game: &dyn AnyGame, evaluator: Option<&str>) -> io::Result<Model> {
    game.model(evaluator).map_err(|refusal| refused(&refusal))
}

/// Says what a game refuses.
fn refused(refusal: &RequestError) -> io::Error {
    invalid(&format!("{refusal:?}"))
}

/// Says what can't be done with what was asked for.
fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}
