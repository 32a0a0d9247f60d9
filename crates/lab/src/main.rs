//! The laboratory: what is computed offline and carried along. No part of the service.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use bestmove_engine::game::{Lot, TableForm};
use bestmove_engine::games;
use bestmove_lab::{Conditions, Tally};
use clap::{Args, Parser, Subcommand};

/// Computes what the games carry along, and measures what makes them stronger.
#[derive(Parser)]
#[command(name = "lab", version)]
struct Cli {
    /// A folder with endgame tables to use
    #[arg(long, global = true)]
    endgame_tables: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make the opening book of a game that must end, resumably
    Book {
        /// The name of the game
        game: String,
        /// The plies up to which every position is to be in it
        #[arg(long)]
        plies: u32,
        /// The file to go on with: a record of eight bytes for each proven position after so many
        /// plies
        #[arg(long)]
        records: PathBuf,
        /// The file of the book
        #[arg(long)]
        out: PathBuf,
        /// How many positions to prove at most before the book is written, complete or not
        #[arg(long, default_value_t = usize::MAX)]
        proofs: usize,
        /// The proofs to keep in memory, as a power of two of eight bytes each
        #[arg(long, default_value_t = 26, value_parser = clap::value_parser!(u32).range(10..40))]
        table_bits: u32,
    },
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
    Tables {
        /// The name of the game
        game: String,
        /// The most pieces
        #[arg(long)]
        pieces: u32,
        /// The folder of the table, which is named after the game and the pieces
        #[arg(long)]
        out: PathBuf,
        /// Compress it, as the program carries it along
        #[arg(long)]
        packed: bool,
        /// Write only who wins the positions with the most pieces, compressed as well
        #[arg(long, conflicts_with = "packed")]
        outcomes: bool,
    },
    /// Play games of the engine against itself, resumably
    SelfPlay(SelfPlay),
    /// Look at positions of such games again, deeper, resumably
    Rescore(Rescore),
    /// Find the weights of an evaluator from such games
    Tune(Tune),
    /// Find a network: of an evaluator from such games, with the weights that it has, or of decided endings
    Train(Train),
    /// Let two ways to search play against each other
    Match(Match),
    /// Let each level of a game play against the one below it
    Levels(Levels),
    /// Answer lines on standard input, settings and moves after a tab, with a move and its value
    Engine {
        /// The name of the game
        game: String,
    },
}

#[derive(Args)]
struct SelfPlay {
    /// The name of the game
    game: String,
    /// The number of games in the file when all is done
    #[arg(long)]
    games: u64,
    /// The positions to visit for a move
    #[arg(long)]
    nodes: u64,
    /// The seed of the random openings
    #[arg(long)]
    seed: u64,
    /// The file to go on with: a game a line
    #[arg(long)]
    out: PathBuf,
    /// How both sides search
    #[arg(long)]
    algorithm: Option<String>,
    /// What both sides evaluate by
    #[arg(long)]
    evaluator: Option<String>,
    /// The first plies that are drawn by lot, or one more
    #[arg(long, default_value_t = 6)]
    random_plies: usize,
    /// Up to which ply any move is played that looks nearly as good as the best
    #[arg(long, default_value_t = 0)]
    loose_plies: usize,
    /// One in how many moves up to the fiftieth is drawn by lot; 0 for none
    #[arg(long, default_value_t = 0)]
    stray: usize,
}

impl SelfPlay {
    fn run(self) -> io::Result<()> {
        let Self { game, games, nodes, seed, out, algorithm, evaluator, .. } = self;
        let Self { random_plies, loose_plies, stray, .. } = self;
        let variety = bestmove_lab::Variety { random_plies, loose_plies, stray };
        bestmove_lab::SelfPlay { games, nodes, seed, algorithm, evaluator, variety }
            .play(&game, &out)
    }
}

#[derive(Args)]
struct Rescore {
    /// The name of the game
    game: String,
    /// The file with the games
    #[arg(long)]
    games: PathBuf,
    /// How many positions of each game
    #[arg(long)]
    positions: usize,
    /// If more than 0, one position that lies up to so many plies off the game instead: off the first of
    /// those from which the lot leads to a quiet one
    #[arg(long, default_value_t = 0)]
    stray: usize,
    /// Only positions that the network of this number judges, from 0
    #[arg(long)]
    network: Option<usize>,
    /// The positions to visit for each of them
    #[arg(long)]
    nodes: u64,
    /// The seed of the draw
    #[arg(long)]
    seed: u64,
    /// The file to go on with: a game a line, with the new scores alone
    #[arg(long)]
    out: PathBuf,
}

impl Rescore {
    fn run(self) -> io::Result<()> {
        let Self { game, games, positions, stray, network, nodes, seed, out } = self;
        bestmove_lab::Rescoring { games, positions, stray, network, nodes, seed }
            .rescore(&game, &out)
    }
}

#[derive(Args)]
struct Tune {
    /// The name of the game
    game: String,
    /// The evaluator whose weights to find
    #[arg(long)]
    evaluator: Option<String>,
    /// The file with the games
    #[arg(long)]
    games: PathBuf,
    /// The seed of the order in which positions are seen
    #[arg(long)]
    seed: u64,
    /// How many steps to take
    #[arg(long, default_value_t = 4000)]
    steps: u32,
    /// Groups of weights, by a part of their names, that keep their guesses
    #[arg(long)]
    without: Vec<String>,
    /// The file to write the weights to
    #[arg(long)]
    out: PathBuf,
}

impl Tune {
    fn run(self) -> io::Result<()> {
        let Self { game, evaluator, games, seed, steps, without, out } = self;
        bestmove_lab::Tuning { evaluator, games, seed, steps, without }.tune(&game, &out)
    }
}

#[derive(Args)]
struct Train {
    /// The name of the game
    game: String,
    /// The evaluator whose network to find
    #[arg(long, requires = "games")]
    evaluator: Option<String>,
    /// The file with the games to learn from
    #[arg(long, required_unless_present = "endings")]
    games: Option<PathBuf>,
    /// In place of games, decided positions with so many pieces: how far off the end is
    #[arg(long, conflicts_with = "games")]
    endings: Option<u32>,
    /// How many of those positions
    #[arg(long, default_value_t = 13_000_000, requires = "endings")]
    positions: usize,
    /// The seed of the first weights and of the order in which positions are seen
    #[arg(long)]
    seed: u64,
    /// How often to go through all positions
    #[arg(long, default_value_t = 16)]
    epochs: u32,
    /// The largest step of each weight
    #[arg(long, default_value_t = 1.5e-3)]
    step: f32,
    /// The network to go on from, instead of random weights
    #[arg(long)]
    from: Option<PathBuf>,
    /// The file to write the network to
    #[arg(long)]
    out: PathBuf,
}

impl Train {
    fn run(self) -> io::Result<()> {
        let Self { game, evaluator, games, endings, positions, seed, epochs, step, from, out } =
            self;
        let school = match endings {
            Some(pieces) => bestmove_lab::School::Endings(Lot { pieces, count: positions, seed }),
            None => bestmove_lab::School::Games { evaluator, file: games.unwrap_or_default() },
        };
        bestmove_lab::Training { school, seed, epochs, step, from }.train(&game, &out)
    }
}

/// A player is written as settings with commas between: nodes=8000,evaluator=material, with any of
/// depth, nodes, `time_ms`, algorithm and evaluator, or with level alone.
#[derive(Args)]
struct Match {
    /// The name of the game
    game: String,
    /// The first player
    #[arg(long, default_value = "nodes=8000")]
    a: String,
    /// The second player
    #[arg(long, default_value = "nodes=8000")]
    b: String,
    /// The laboratory of another build, by which the second player is moved
    #[arg(long)]
    against: Option<PathBuf>,
    /// Games at most, two from each opening
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// Random plies with which each game begins
    #[arg(long, default_value_t = 8)]
    opening_plies: usize,
    /// Which openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// End as soon as a sequential test decides between these two gains in Elo
    #[arg(long, num_args = 2, value_names = ["LOW", "HIGH"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
}

/// The pairs between two reports.
const REPORTED: u32 = 50;

impl Match {
    fn play(self) -> io::Result<()> {
        let sprt = self.sprt.and_then(|sprt| <[f64; 2]>::try_from(sprt).ok());
        let conditions = Conditions {
            game: self.game,
            players: [self.a, self.b],
            other_build: self.against,
            games: self.games,
            opening_plies: self.opening_plies,
            any_opening: false,
            seed: self.seed,
            threads: self.threads,
            sprt,
        };
        let report = |tally: &Tally| {
            let ratio = sprt.map(|sprt| format!(", ratio {:.2}", tally.likelihood_ratio(sprt)));
            println!("{tally}{}", ratio.unwrap_or_default());
        };
        let watch = |tally: &Tally| {
            if tally.pairs().is_multiple_of(REPORTED) {
                report(tally);
            }
        };
        report(&bestmove_lab::stage(&conditions, &watch)?);
        Ok(())
    }
}

#[derive(Args)]
struct Levels {
    /// The name of the game
    game: String,
    /// Games of each level, two from each opening
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// Random plies with which each game begins
    #[arg(long, default_value_t = 8)]
    opening_plies: usize,
    /// Keep openings in which one side is far ahead
    #[arg(long)]
    any_opening: bool,
    /// Which openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl Levels {
    fn compare(self) -> io::Result<()> {
        let Self { game, games, opening_plies, any_opening, seed, threads } = self;
        let players = Default::default();
        let conditions = Conditions {
            game,
            players,
            other_build: None,
            games,
            opening_plies,
            any_opening,
            seed,
            threads,
            sprt: None,
        };
        bestmove_lab::compare_levels(&conditions, &mut |[above, below], tally| {
            println!("{above} : {below} {:.1} %, {tally}", tally.score() * 100.0);
        })
    }
}

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

impl Cli {
    fn run(self) -> io::Result<()> {
        games::check_knowledge()?;
        if let Some(folder) = &self.endgame_tables {
            games::open_endgame_tables(folder)?;
        }
        match self.command {
            Command::Book { game, plies, records, out, proofs, table_bits } => {
                bestmove_lab::Book { plies, records, proofs, entries: 1 << table_bits }
                    .write(&game, &out)
                    .map(|positions| println!("{positions} positions"))
            }
            Command::Prove { game, table_bits } => {
                let entries = table_bits.map(|bits| 1 << bits);
                bestmove_lab::prove(&game, entries, io::stdin().lock(), io::stdout().lock())
            }
            Command::Tables { game, pieces, out, packed, outcomes } => {
                let form = match (packed, outcomes) {
                    (_, true) => TableForm::Outcomes,
                    (true, false) => TableForm::Packed,
                    (false, false) => TableForm::Plain,
                };
                bestmove_lab::write_endgame_table(&game, pieces, form, &out)
                    .map(|path| println!("{}", path.display()))
            }
            Command::SelfPlay(self_play) => self_play.run(),
            Command::Rescore(rescore) => rescore.run(),
            Command::Tune(tune) => tune.run(),
            Command::Train(train) => train.run(),
            Command::Match(contest) => contest.play(),
            Command::Levels(levels) => levels.compare(),
            Command::Engine { game } => {
                bestmove_lab::serve(&game, io::stdin().lock(), io::stdout().lock())
            }
        }
    }
}
