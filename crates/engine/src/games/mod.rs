//! The games, one line each.
//!
//! A game knows [`crate::game`] and neither the search nor another game; [`any`] is where the two
//! sides meet.

pub mod any;
pub mod book;
pub mod checkers;
pub mod chess;
pub mod connect_four;
pub mod endgame;
mod grid;
mod knowledge;
mod levels;
pub mod tic_tac_toe;

use std::io;
use std::path::Path;

use any::AnyGame;

pub use self::knowledge::{Knowledge, table_name};

/// Calls a macro with some arguments and the types of all games. A new game is its folder and one line here.
#[macro_export]
macro_rules! with_games {
    ($macro:ident! $arguments:tt) => {
        $macro! {
            $arguments
            $crate::games::tic_tac_toe::TicTacToe,
            $crate::games::connect_four::ConnectFour,
            $crate::games::checkers::Checkers,
            $crate::games::chess::Chess,
        }
    };
}

macro_rules! objects {
    (() $($game:path,)*) => { &[$(&$game),*] };
}

/// All games.
pub static CATALOGUE: &[&dyn AnyGame] = with_games!(objects!());

/// The game of that name.
pub fn find(name: &str) -> Option<&'static dyn AnyGame> {
    CATALOGUE.iter().copied().find(|game| game.info().name == name)
}

/// Loads the knowledge files of all games that are part of the program, and from the folder `tables`, where
/// one is given, the endgame table of each game with the most pieces.
///
/// # Errors
/// Names the file that is damaged, or the folder where it has no table.
pub fn load_knowledge(tables: Option<&Path>) -> io::Result<Knowledge> {
    let mut knowledge = Knowledge::default();
    CATALOGUE.iter().try_for_each(|game| game.load_knowledge(&mut knowledge, tables))?;
    match tables {
        Some(folder) if !knowledge.has_opened() => {
            Err(io::Error::other(format!("no endgame table in {}", folder.display())))
        }
        _ => Ok(knowledge),
    }
}
