//! The tests of the engine.

mod checkers;
mod chess;
mod conformance;
mod connect_four;
mod equivalence;
mod grid_notation;
mod knowledge;
mod records;
mod signature;
mod tic_tac_toe;

use std::sync::LazyLock;

use bestmove_engine::game::Game;
use bestmove_engine::games::{self, Knowledge};
use proptest::test_runner::Config;

/// The knowledge files of the engine.
fn knowledge() -> &'static Knowledge {
    static KNOWLEDGE: LazyLock<Knowledge> =
        LazyLock::new(|| games::load_knowledge(None).expect("whole files"));
    &KNOWLEDGE
}

/// The evaluator of that name, with the knowledge files.
fn evaluator<G: Game>(name: &str) -> G::Evaluator {
    G::evaluator(name, &knowledge().of::<G>()).expect("a known name")
}

/// One in how many cases is tried: all where `FULL_TESTS` is set, as in CI, else a quarter.
fn stride() -> usize {
    if std::env::var_os("FULL_TESTS").is_some() { 1 } else { 4 }
}

/// A property that is tried on so many cases, or on a [sample](stride); failures are not written down.
fn cases(full: u32) -> Config {
    let cases = full.div_ceil(stride() as u32);
    Config { failure_persistence: None, ..Config::with_cases(cases) }
}
