//! The arguments that several commands share.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::num::ParseIntError;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Args, value_parser};
use serde::Serialize;
use serde_json::Value;

use super::io_error;
use bestmove_api::{
    BestMoveRequest, BoardRequest, Fields, MOST, MOST_TIME_MS, Prepare, game_names, read_value,
};
use bestmove_engine::games::any::SearchParameters;

/// Which game is meant, how far it has been played, and how its positions are searched.
#[derive(Args, Clone, Debug, Serialize)]
pub(super) struct GameOptions {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(game_names()))]
    game: String,
    /// The variant of the game; the standard one where absent
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Moves played, one by one or as the record of a game: `e4 e5`, "1. e4 e5", 4453; or a file with the
    /// record, or `-` for standard input
    #[serde(skip)]
    moves: Vec<String>,
    /// The position in which they begin, in the notation of the game; its start where absent
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Plies to look ahead
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u64).range(1..=MOST))]
    depth: Option<u64>,
    /// Milliseconds of search
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=MOST_TIME_MS))]
    time_ms: Option<u64>,
    /// Positions to visit at most
    #[arg(long, value_name = "COUNT", value_parser = value_parser!(u64).range(1..=MOST))]
    nodes: Option<u64>,
    /// How to search
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// A static evaluation by its name
    #[arg(long, value_name = "NAME")]
    evaluator: Option<String>,
}

impl GameOptions {
    /// The fields of a request with these `options`, which include those of the game. The words mean the same as in the
    /// query of a URL.
    pub(super) fn request<R: Prepare>(&self, options: &impl Serialize) -> io::Result<Fields> {
        let mut request = serde_json::to_value(options)?;
        request["moves"] = self.record()?.into();
        read_value::<R>(request).map(|request| request.fields).map_err(io_error)
    }

    /// The record of the game: the arguments, the file that a single argument names, or standard input.
    fn record(&self) -> io::Result<String> {
        let mut bytes = Vec::new();
        let (name, read) = match &self.moves[..] {
            [name] if name == "-" => ("standard input", io::stdin().read_to_end(&mut bytes)),
            [name] if names_file(Path::new(name)) => {
                (&**name, File::open(name).and_then(|mut file| file.read_to_end(&mut bytes)))
            }
            moves => return Ok(moves.join(" ")),
        };
        read.map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
        // Tags may be in an encoding other than UTF-8; most encodings write moves in ASCII.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Whether an argument names a file rather than a move: a file that exists, or a name that ends as those of files do, such
/// as `game.pgn`.
fn names_file(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_word = extension.len() == 3 && extension.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_word || path.is_file()
}

/// How to search for one move of a game.
#[derive(Args, Clone, Debug, Serialize)]
pub(super) struct SearchOptions {
    #[command(flatten)]
    #[serde(flatten)]
    game: GameOptions,
    /// The only moves to consider, separated by commas
    #[arg(long, value_name = "MOVES")]
    search_moves: Option<String>,
    /// How strong a player, 1 to 10 or beginner, amateur, professional or master, in place of depth,
    /// time, nodes, algorithm and evaluator
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    level: Option<Value>,
    /// Number that varies the choices of a level
    #[arg(long, value_name = "NUMBER", value_parser = value_parser!(u64).range(..=MOST))]
    seed: Option<u64>,
}

impl SearchOptions {
    /// The board and its search.
    pub(super) fn request(&self) -> io::Result<(BoardRequest, SearchParameters)> {
        self.game.request::<BestMoveRequest>(self)?.split().map_err(io_error)
    }
}

/// The number of a level, or its name.
fn level(text: &str) -> Result<Value, ParseIntError> {
    text.parse::<u64>().map(Value::from).or_else(|_| Ok(text.into()))
}
