//! Players: a search in this process, or another process of the laboratory.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use crate::play::{board_after, prepared, random_move};
use bestmove_engine::game::LevelNumber;
use bestmove_engine::games::any::{AnyBoard, AnyGame, SearchParameters};
use bestmove_engine::search::{Algorithm, SearchTables};

/// A move and the value that its player expects.
pub(super) struct Choice {
    pub mv: String,
    /// The value for the side to move, -1 to 1.
    pub value: f64,
}

pub(super) enum Player {
    /// Searches in this process.
    Here(Box<EnginePlayer>),
    /// Moves chosen at random.
    Random(fastrand::Rng),
    /// Another process that [serves](serve) moves.
    Elsewhere { child: Child, stdin: ChildStdin, stdout: BufReader<ChildStdout>, settings: String },
}

impl Player {
    /// A player with `settings`: in the laboratory `lab` of another build; in another process of this build where the
    /// settings name networks; else in this process.
    pub(super) fn new(lab: Option<&Path>, game: &str, settings: &str) -> io::Result<Self> {
        let (networks, others): (Vec<_>, Vec<_>) =
            settings.split(',').partition(|setting| setting.starts_with("networks="));
        if settings == "random" {
            return Ok(Self::Random(fastrand::Rng::with_seed(0)));
        }
        if lab.is_none() && networks.is_empty() {
            return Ok(Self::Here(Box::new(settings.parse()?)));
        }
        let networks = networks.iter().filter_map(|setting| setting.split_once('='));
        let networks = networks.filter(|&(_, file)| file != "embedded");
        let networks = networks.map(|(name, file)| format!("--{name}={game}={file}"));
        let lab = lab.map_or_else(env::current_exe, |lab| Ok(lab.to_owned()))?;
        let mut command = Command::new(lab);
        command.args(networks).args(["engine", game]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the other process has no pipes"));
        };
        Ok(Self::Elsewhere {
            child,
            stdin,
            stdout: BufReader::new(stdout),
            settings: others.join(","),
        })
    }

    /// Sets the seed of a level by the number of the game and the `place` of the player, so that choices differ between games
    /// and between the players.
    pub(super) fn begin_game(&mut self, number: u64, place: u64) {
        match self {
            Self::Here(engine) => {
                engine.tables = SearchTables::default();
                if engine.parameters.level.is_some() {
                    engine.parameters.seed = Some(2 * number + place);
                }
            }
            Self::Random(random) => *random = crate::play::stream(place, number),
            Self::Elsewhere { .. } => {}
        }
    }

    /// The move to play on `board`, to which `moves` led from the start.
    pub(super) fn choose(
        &mut self,
        game: &dyn AnyGame,
        board: &dyn AnyBoard,
        moves: &[String],
    ) -> io::Result<Choice> {
        match self {
            Self::Here(engine) => engine.choose(board),
            Self::Random(random) => {
                let mv = random_move(board, random);
                let mv = mv.ok_or_else(|| io::Error::other("the game is over"))?;
                Ok(Choice { mv, value: 0.0 })
            }
            Self::Elsewhere { stdin, stdout, settings, .. } => {
                writeln!(stdin, "{settings}\t{}", moves.join(" "))?;
                let mut line = String::new();
                stdout.read_line(&mut line)?;
                let garbled = || io::Error::other(format!("{}: '{line}'", game.info().name));
                let (mv, value) = line.trim().split_once(' ').ok_or_else(garbled)?;
                let value = value.parse().map_err(|_| garbled())?;
                Ok(Choice { mv: mv.to_owned(), value })
            }
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        if let Self::Elsewhere { child, .. } = self {
            // The process may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Answers each line of `input`, settings and the moves of a game after a tab, with a line: the move
/// to play and the result expected.
pub(crate) fn serve(name: &str, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let game = crate::game::game(name)?;
    let (mut tables, mut plies) = (SearchTables::default(), 0);
    for line in input.lines() {
        let line = line?;
        let (settings, moves) = line.split_once('\t').unwrap_or((&line, ""));
        let moves: Vec<String> = moves.split_whitespace().map(String::from).collect();
        if moves.len() < plies {
            tables = SearchTables::default();
        }
        plies = moves.len();
        let mut engine = EnginePlayer { tables, ..settings.parse()? };
        let choice = engine.choose(&*board_after(game, &moves)?)?;
        tables = engine.tables;
        writeln!(output, "{} {}", choice.mv, choice.value)?;
        output.flush()?;
    }
    Ok(())
}

/// How a player searches, and the tables that its last search has left.
#[derive(Default)]
pub(super) struct EnginePlayer {
    parameters: SearchParameters,
    /// Whether a search goes on with the tables of the one before.
    keeps_tables: bool,
    tables: SearchTables,
}

impl EnginePlayer {
    fn choose(&mut self, board: &dyn AnyBoard) -> io::Result<Choice> {
        if !self.keeps_tables {
            self.tables = SearchTables::default();
        }
        let search = prepared(board, &self.parameters)?;
        let answer = search.run_with(&false.into(), &mut self.tables, None);
        Ok(Choice { mv: answer.best_move.text, value: answer.evaluation.value })
    }
}

impl FromStr for EnginePlayer {
    type Err = io::Error;

    /// Reads settings such as `nodes=8000,evaluator=material`.
    fn from_str(settings: &str) -> io::Result<Self> {
        let mut engine = Self::default();
        let parameters = &mut engine.parameters;
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let unknown = || io::Error::other(format!("'{setting}' is no setting of a player"));
            let (name, value) = setting.split_once('=').ok_or_else(unknown)?;
            let number = || value.parse::<u64>().map_err(|_| unknown());
            match name {
                "depth" => parameters.depth = Some(number()?),
                "nodes" => parameters.nodes = Some(number()?),
                "time_ms" => parameters.time = Some(Duration::from_millis(number()?)),
                "algorithm" => {
                    parameters.algorithm = Some(Algorithm::named(value).ok_or_else(unknown)?);
                }
                "evaluator" => parameters.evaluator = Some(value.to_owned()),
                "level" => {
                    parameters.level = Some(LevelNumber::parse(value).ok_or_else(unknown)?);
                }
                "seed" => parameters.seed = Some(number()?),
                "tables" if value == "kept" => engine.keeps_tables = true,
                _ => return Err(unknown()),
            }
        }
        Ok(engine)
    }
}
