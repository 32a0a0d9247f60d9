//! The program: [`bestmove_service`] over HTTP, and the settings of the program.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]
#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

pub mod commands;
pub mod config;
pub mod http;
mod resources;
mod signals;
mod telemetry;
mod traces;
