//! The games, one line each.
//!
//! A game knows [`crate::game`] and neither the search nor another game; [`any`] is where the two
//! sides meet.

pub mod any;
pub mod book;
pub mod checkers;
pub mod chess;
pub mod connect_four;
mod embedded;
mod grid;
mod levels;
#[cfg_attr(not(feature = "train"), expect(dead_code, reason = "only the generator solves"))]
mod retrograde;
pub mod tic_tac_toe;

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use any::AnyGame;

use crate::game::TableForm;

/// All games, as objects of a trait that every [`Game`](crate::game::Game) implements. A new game is
/// its folder and one line here.
#[macro_export]
macro_rules! catalogue {
    ($object:ty) => {{
        const GAMES: &[&$object] = &[
            &$crate::games::tic_tac_toe::TicTacToe,
            &$crate::games::connect_four::ConnectFour,
            &$crate::games::checkers::Checkers,
            &$crate::games::chess::Chess,
        ];
        GAMES
    }};
}

/// All games.
pub static CATALOGUE: &[&dyn AnyGame] = catalogue!(dyn AnyGame);

/// The game of that name.
pub fn find(name: &str) -> Option<&'static dyn AnyGame> {
    CATALOGUE.iter().copied().find(|game| game.info().name == name)
}

/// The name of the file that holds a game's endgame table of up to so many pieces.
pub fn table_name(game: &str, pieces: u32, form: TableForm) -> String {
    let kind = if form == TableForm::Outcomes { "outcomes" } else { "tables" };
    format!("{game}-{pieces}.{kind}")
}

/// Reads the knowledge files that are part of the program, so that a damaged one is refused at the start.
///
/// # Errors
/// Names the file that is damaged.
pub fn check_knowledge() -> io::Result<()> {
    CATALOGUE.iter().try_for_each(|game| game.check_knowledge())
}

/// Tells the knowledge files that were opened from others; 0 where there are none.
static OPENED: AtomicU64 = AtomicU64::new(0);

/// Opens the endgame tables of a folder, of each game the one with the most pieces, for as long as
/// the program runs. To be called once, before the first search.
///
/// # Errors
/// Where one can't be read, or the folder has none.
pub fn open_endgame_tables(folder: &Path) -> io::Result<()> {
    const MOST_PIECES: u32 = 9;
    let mut mark: Option<u64> = None;
    for game in CATALOGUE {
        let name = |pieces| table_name(game.info().name, pieces, TableForm::Plain);
        let mut files = (2..=MOST_PIECES).rev().map(|pieces| folder.join(name(pieces)));
        if let Some(file) = files.find(|file| file.exists()) {
            let opened = game.open_endgame_table(&file);
            let named = |error| io::Error::other(format!("{}: {error}", file.display()));
            mark = Some(mark.unwrap_or_default().rotate_left(1) ^ opened.map_err(named)?);
        }
    }
    let missing = || io::Error::other(format!("no endgame table in {}", folder.display()));
    OPENED.store(mark.ok_or_else(missing)?, Ordering::Relaxed);
    Ok(())
}

/// A number that tells the knowledge files that were opened from others: the same request to the same
/// build gets the same answer where this is the same.
pub fn knowledge() -> u64 {
    OPENED.load(Ordering::Relaxed)
}
