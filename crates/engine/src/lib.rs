//! A game-independent minimax search, and tic-tac-toe, Connect Four, checkers and chess to play with it.
//!
//! [`game`] has the traits of a game and its evaluation. [`search`] finds the best move of any game
//! that implements them. [`games`] has the games, each in a folder of its own. Only [`games::any`]
//! sees both a game and the search: it erases the types, so that a caller chooses a game by name.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

pub mod game;
pub mod games;
pub mod nn;
pub mod search;
