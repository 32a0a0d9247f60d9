//! The games, one line each.
//!
//! A game knows [`crate::game`] and neither the search nor another game; [`any`] is where the two
//! sides meet.

pub mod any;
mod bits;
pub mod book;
pub mod checkers;
pub mod chess;
pub mod connect_four;
pub mod endgame;
mod grid;
mod knowledge;
mod levels;
pub mod othello;
pub mod tic_tac_toe;

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use any::AnyGame;
use checkers::Checkers;
use chess::Chess;
use connect_four::{ConnectFour, SizedConnectFour};
use othello::Othello;
use tic_tac_toe::TicTacToe;

pub use self::knowledge::Knowledge;
pub(crate) use self::knowledge::{CarriedTable, KnowledgeFile};
use crate::game::{Game, GameInfo};

/// All games, each in its standard variant. A new game is its folder and a line here.
// As a static it would have the searches of all games compiled for the unit tests too, and inlined for the crates that ask.
#[inline(never)]
pub fn catalogue() -> &'static [&'static dyn AnyGame] {
    &[&TicTacToe::STANDARD, &ConnectFour::STANDARD, &Checkers, &Chess::Standard, &Othello::Standard]
}

/// The game of that name in its standard variant.
///
/// ```
/// use bestmove_engine::games;
/// let game = games::find("connect-four").expect("a game of the catalogue");
/// assert_eq!(game.info().title, "Connect Four");
/// assert_eq!(games::find("Reversi").map(|game| game.info().name), Some("othello"));
/// assert!(games::find("go").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static dyn AnyGame> {
    catalogue().iter().copied().find(|game| game.info().is_game(name))
}

/// All variants of all games, game by game.
// Not inlined, for the reason above.
#[inline(never)]
pub fn all_variants() -> &'static [&'static dyn AnyGame] {
    static VARIANTS: OnceLock<Vec<&dyn AnyGame>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        // One variant of each further type of game, for games whose variants have more than one.
        let others: [&dyn AnyGame; 1] = [&SizedConnectFour::VARIANTS[0]];
        let types = catalogue().iter().flat_map(|&game| {
            let name = game.info().name;
            [game]
                .into_iter()
                .chain(others.into_iter().filter(move |other| other.info().name == name))
        });
        types.flat_map(AnyGame::variants).collect()
    })
}

/// All variants of the game of that name, the standard one first.
///
/// ```
/// use bestmove_engine::games;
/// let mut variants = games::variants("othello").map(|game| game.info().variant);
/// assert!(variants.eq(["standard", "6x6", "4x4"]));
/// assert!(games::all_variants().len() > games::catalogue().len());
/// ```
pub fn variants(name: &str) -> impl Iterator<Item = &'static dyn AnyGame> {
    all_variants().iter().copied().filter(move |game| game.info().is_game(name))
}

/// The name of a variant, where it is not the standard one of its game.
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::{self, othello::Othello};
/// assert_eq!(games::special_variant(Othello::Six.game_info()), Some("6x6"));
/// assert_eq!(games::special_variant(Othello::Standard.game_info()), None);
/// ```
pub fn special_variant(game: &GameInfo) -> Option<&'static str> {
    let standard = find(game.name).map(|game| game.info().variant);
    standard.filter(|&standard| standard != game.variant).map(|_| game.variant)
}

/// Loads the knowledge files of all games that are part of the program, and from the folder `tables`, where
/// one is given, the endgame table of each game with the most pieces.
///
/// ```
/// use bestmove_engine::game::{Game, known_value};
/// use bestmove_engine::games::{self, connect_four::ConnectFour};
/// let knowledge = games::load_knowledge(None)?;
/// let evaluator = ConnectFour::evaluator("threats", &knowledge.of::<ConnectFour>());
/// let start = ConnectFour::STANDARD.start();
/// let known = evaluator.and_then(|evaluator| known_value(&evaluator, &start));
/// assert_eq!(known.and_then(|score| score.plies()), Some(41), "the book has the start");
/// assert!(games::load_knowledge(Some("no such folder".as_ref())).is_err());
/// # Ok::<_, std::io::Error>(())
/// ```
///
/// # Errors
/// Names the file that is damaged, or the folder where it has no table.
pub fn load_knowledge(tables: Option<&Path>) -> io::Result<Knowledge> {
    let mut knowledge = Knowledge::default();
    catalogue().iter().try_for_each(|game| game.load_knowledge(&mut knowledge, tables, None))?;
    match tables {
        Some(folder) if !knowledge.has_opened() => {
            Err(io::Error::other(format!("no endgame table in {}", folder.display())))
        }
        _ => Ok(knowledge),
    }
}
