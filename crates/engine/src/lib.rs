//! Board games and their search: minimax, alpha-beta, a selective search and a solver, generic over the
//! game; and tic-tac-toe, Connect Four, checkers, chess and Othello to play with them.
//!
//! Searching a position:
//!
//! ```
//! use bestmove_engine::game::{Game, Notation, PositionText};
//! use bestmove_engine::games::{self, chess::Chess};
//! use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
//!
//! let text = PositionText::Text("6k1/5ppp/8/8/8/8/8/R6K w - -".to_owned());
//! let position = Chess::Standard.read_position(&text)?;
//! let task = Task::new(position.clone(), SearchLimits::depth(4), Algorithm::Selective);
//! let knowledge = games::load_knowledge(None)?.of::<Chess>();
//! let evaluator = Chess::evaluator("full", &knowledge).ok_or("no such evaluator")?;
//! let report = search::run(&task, &evaluator);
//! assert_eq!(Chess::write_move(&position, report.best_move()).text, "a1a8");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! A game can also be chosen by its name at run time: see [`games::any`]. A new game implements the traits of
//! [`game`], which shows one in full.
//!
//! - [`game`]: the traits of a game and its evaluation, and the types that games and searches share.
//! - [`network`]: the learned evaluation, one form of network for every game.
//! - [`search`]: the searches. They know no game.
//! - [`games`]: the games, a folder each. They know no search. Only [`games::any`] sees both.
//! - [`host`]: the clock. On WebAssembly the host of the program has it, and the endgame tables.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

/// A [`KnowledgeFile`](games::KnowledgeFile) with the content of the file of that name in `knowledge/`.
macro_rules! knowledge_file {
    ($name:literal) => {
        crate::games::KnowledgeFile {
            name: $name,
            bytes: include_bytes!(concat!(env!("KNOWLEDGE"), "/", $name)),
        }
    };
}

/// A [`CarriedTable`](games::CarriedTable) of the file of that name in `knowledge/`.
macro_rules! carried_table {
    ($name:literal, $open:expr) => {{
        #[cfg(not(target_arch = "wasm32"))]
        let table = knowledge_file!($name).read($open).map(crate::games::CarriedTable::open);
        #[cfg(target_arch = "wasm32")]
        let table = std::io::Result::Ok(crate::games::CarriedTable::of_host(|| {
            crate::host::opened($name, $open)
        }));
        table
    }};
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod game;
pub mod games;
pub mod host;
pub mod network;
pub mod search;
