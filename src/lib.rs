//! The best move of a board game over HTTP: the service around [`bestmove_engine`].
//!
//! [`service`] admits searches, shares and caches their answers, and knows no HTTP. [`http`] has the
//! routes, the layers and the data transfer objects. [`cli`] answers on the command line. Imports go
//! one way only: `cli` → `http` → `service` → the engine.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

pub mod cli;
pub mod config;
pub mod http;
pub mod service;
pub mod telemetry;
