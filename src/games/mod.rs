//! The games, one line each.
//!
//! A game knows [`crate::game`] and neither the search nor another game; [`any`] is where the two
//! sides meet.

pub mod any;
pub mod checkers;
pub mod chess;
pub mod connect_four;
mod grid;
pub mod tic_tac_toe;

use any::AnyGame;

/// All games. A new one is its folder and one line here.
pub static CATALOGUE: &[&dyn AnyGame] =
    &[&tic_tac_toe::TicTacToe, &connect_four::ConnectFour, &checkers::Checkers, &chess::Chess];

/// The game of that name.
pub fn find(name: &str) -> Option<&'static dyn AnyGame> {
    CATALOGUE.iter().copied().find(|game| game.about().name == name)
}
