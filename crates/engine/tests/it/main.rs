//! The tests of the engine.

mod checkers;
mod chess;
mod conformance;
mod connect_four;
mod equivalence;
mod grid_notation;
mod knowledge;
mod signature;
mod tic_tac_toe;

use std::sync::LazyLock;

use bestmove_engine::game::Game;
use bestmove_engine::games::{self, Knowledge};

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
