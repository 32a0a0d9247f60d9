//! The tests of the service, over real HTTP.

mod analyze;
mod batch;
mod batch_load;
mod best_move;
mod board_svg;
mod caching;
mod claims;
mod cli;
mod common;
mod compatibility;
mod connections;
mod contract;
mod coordinates;
mod docs;
mod draining;
mod echoes;
mod endings;
mod fairness;
mod front_ends;
mod fuzz;
mod games;
mod guides;
mod health;
mod held_memory;
mod include;
mod jobs;
mod knowledge;
mod levels;
mod limits;
mod logging;
mod mcp;
mod metrics;
mod overload;
mod playground;
mod position;
mod problems;
mod reasons;
mod records;
mod replicas;
mod report_cases;
mod review;
mod stream;
mod tree;
mod uci;
mod variants;
mod version;

use std::path::PathBuf;

/// The program.
fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_bestmove").into()
}
