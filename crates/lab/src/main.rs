//! The laboratory: data files that the games embed, computed offline, and matches that measure a change of
//! strength.

mod adjudication;
mod arena;
mod book;
mod endgames;
mod error;
mod game;
mod in_order;
mod knowledge;
mod learning;
mod levels;
mod loading;
mod openings;
mod perturbation;
mod pipeline;
mod play;
mod proofs;
mod record;
mod rescoring;
mod resumable;
mod self_play;
mod targets;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use bestmove_endgames::Form;
use clap::{Args, Parser, Subcommand};

use self::levels::Levels;
use self::loading::load_knowledge;
use self::pipeline::{Pipeline, Stage};

/// Computes the data files of the games, and measures changes of strength.
#[derive(Parser)]
#[command(name = "lab", version)]
struct LabCli {
    /// A folder with endgame tables to use
    #[arg(long, global = true)]
    endgame_tables: Option<PathBuf>,
    /// Networks to use in place of the embedded ones of a game; none for networks of zeros
    #[arg(long, global = true, value_name = "GAME=FILE")]
    networks: Option<String>,
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Subcommand)]
enum LabCommand {
    /// Make the opening book of a game that must end, resumably
    Book(book::Making),
    /// Check every entry of such a book by the prover, resumably
    VerifyBook(book::Check),
    /// Prove positions of a game that must end, read from standard input one a line, and time it
    Prove {
        /// The name of the game
        game: String,
        /// The proofs to keep in memory at most, as a power of two of eight bytes each; by default as
        /// many as the service keeps
        #[arg(long, value_parser = clap::value_parser!(u32).range(8..40))]
        table_bits: Option<u32>,
    },
    /// Make a table of the exact values of all positions with few pieces, for --endgame-tables
    Tables(Tables),
    #[command(flatten)]
    Stage(Stage),
    /// Run the stages of a recipe one after the other, resumably
    Pipeline(Pipeline),
    /// Let each level of a game play against the one below it
    Levels(Levels),
    /// Answer lines on standard input, settings and moves after a tab, with a move and its value
    Engine {
        /// The name of the game
        game: String,
    },
}

#[derive(Args)]
struct Tables {
    /// The name of the game
    game: String,
    /// The most pieces
    #[arg(long)]
    pieces: u32,
    /// The folder of the table, which is named after the game and the pieces
    #[arg(long)]
    out: PathBuf,
    /// Compress it, as the program embeds it
    #[arg(long)]
    packed: bool,
    /// Write only who wins the positions with the most pieces, compressed as well
    #[arg(long, conflicts_with = "packed")]
    outcomes: bool,
}

impl Tables {
    fn write(&self) -> io::Result<()> {
        let form = match (self.packed, self.outcomes) {
            (_, true) => Form::Outcomes,
            (true, false) => Form::Packed,
            (false, false) => Form::Plain,
        };
        endgames::write_endgame_table(&self.game, self.pieces, form, &self.out)
            .map(|path| println!("{}", path.display()))
    }
}

/// Prints the result of a check of a book. A wrong entry is an error.
fn report(book::Verdict { proven, wrong }: &book::Verdict) -> io::Result<()> {
    println!("{proven} entries are proven");
    for line in wrong {
        println!("wrong: {line}");
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(io::Error::other(format!("{} entries are wrong", wrong.len())))
}

fn main() -> ExitCode {
    match LabCli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

impl LabCli {
    fn run(self) -> io::Result<()> {
        let networks = self.networks.as_deref();
        let networks = networks.map(|setting| setting.split_once('=').unwrap_or((setting, "")));
        load_knowledge(self.endgame_tables.as_deref(), networks)?;
        match self.command {
            LabCommand::Book(book) => book.run().map(|positions| println!("{positions} positions")),
            LabCommand::VerifyBook(check) => report(&check.run()?),
            LabCommand::Prove { game, table_bits } => {
                let entries = table_bits.map(|bits| 1 << bits);
                proofs::prove(&game, entries, io::stdin().lock(), io::stdout().lock())
            }
            LabCommand::Tables(tables) => tables.write(),
            LabCommand::Stage(stage) => stage.run().map(drop),
            LabCommand::Pipeline(pipeline) => pipeline.run(self.endgame_tables.as_deref()),
            LabCommand::Levels(levels) => levels.run(),
            LabCommand::Engine { game } => {
                arena::serve(&game, io::stdin().lock(), io::stdout().lock())
            }
        }
    }
}
