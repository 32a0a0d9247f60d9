//! The best move of a board game, found by one game-independent minimax search and served over
//! HTTP.
//!
//! The rooms, from the ground up: [`game`] is the vocabulary, [`search`] knows it and no game,
//! [`games`] know it and no search; they meet in [`games::any`]. [`service`] admits searches and
//! knows no HTTP, [`http`] speaks it and knows no game. Imports go one way only.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

pub mod cli;
pub mod config;
pub mod game;
pub mod games;
pub mod http;
pub mod lab;
pub mod search;
pub mod service;
pub mod telemetry;
