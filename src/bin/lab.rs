//! The laboratory: what is computed offline and carried along. No part of the service.

use std::path::PathBuf;
use std::process::ExitCode;

use bestmove::lab;
use clap::{Parser, Subcommand};

/// Computes what the games carry along.
#[derive(Parser)]
#[command(name = "lab", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prove every position after so many plies of a game that must end, resumably
    Prove {
        /// The name of the game
        game: String,
        /// The plies after which to prove every position
        #[arg(long)]
        plies: u32,
        /// The file to go on with: a record of eight bytes a position
        #[arg(long)]
        records: PathBuf,
        /// The proofs to keep in memory, as a power of two of eight bytes each
        #[arg(long, default_value_t = 26, value_parser = clap::value_parser!(u32).range(10..40))]
        table_bits: u32,
    },
}

fn main() -> ExitCode {
    let Command::Prove { game, plies, records, table_bits } = Cli::parse().command;
    match lab::prove(&game, plies, &records, 1 << table_bits) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
