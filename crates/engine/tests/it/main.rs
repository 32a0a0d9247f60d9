//! The tests of the engine.

mod chances;
mod checkers;
mod chess;
mod conformance;
mod connect_four;
mod connect_four_sizes;
mod deadline;
mod equivalence;
mod grid_notation;
mod kept_tables;
mod knowledge;
mod late_positions;
mod othello;
mod othello_diagrams;
mod othello_margins;
mod othello_presearch;
mod othello_sizes;
mod records;
mod signature;
mod tic_tac_toe;
mod tic_tac_toe_variants;

use std::collections::HashSet;
use std::fs;
use std::sync::LazyLock;

use bestmove_engine::game::{Game, Position};
use bestmove_engine::games::any::AnyGame;
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

/// The game as the service knows it. Its searches are compiled with the engine and not once more with the tests.
fn untyped<G: Game>(game: G) -> &'static dyn AnyGame {
    let (name, variant) = (game.game_info().name, game.game_info().variant);
    games::variants(name).find(|game| game.info().variant == variant).expect("a game")
}

/// A file of `tests/data`, whose README says where it is from.
fn data(name: &str) -> String {
    let file = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The unfinished positions after so many plies, symmetric ones once.
fn positions_after<P: Position>(start: &P, plies: u32) -> Vec<P> {
    let mut positions = vec![start.clone()];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let children = positions
            .iter()
            .flat_map(|position| position.legal_moves().into_iter().map(|mv| position.play(mv)));
        let ongoing = children.filter(|child| child.outcome().is_none());
        positions = ongoing.filter(|child| seen.insert(child.canonical().0)).collect();
    }
    positions
}

/// One in how many cases is tried: all where `FULL_TESTS` is set, else a tenth.
fn stride() -> usize {
    if std::env::var_os("FULL_TESTS").is_some() { 1 } else { 10 }
}

/// A property that is tried on so many cases, or on a [sample](stride); failures are not written down.
fn cases(full: u32) -> Config {
    let cases = full.div_ceil(stride() as u32);
    Config { failure_persistence: None, ..Config::with_cases(cases) }
}
