//! The arguments that several commands share: fields of requests, each with its name.

use std::convert::Infallible;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use serde::Serialize;
use serde_json::Value;

use super::io_error;
use bestmove_api::{
    BestMoveRequest, BoardRequest, Fields, MOST, MOST_TIME_MS, Prepare, ReviewRequest, game_names,
    read_value,
};
use bestmove_engine::games::any::SearchParameters;

/// Which game is meant, and how far it has been played.
#[derive(Args, Clone, Debug)]
pub(super) struct GameOptions {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(game_names()))]
    game: String,
    /// The variant of the game; the standard one where absent
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Moves played, one by one or as the record of a game: `e4 e5`, "1. e4 e5", 4453; or a file with the
    /// record, or `-` for standard input
    moves: Vec<String>,
    /// The position in which they begin, in the notation of the game; its start where absent
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
}

impl GameOptions {
    /// The request of this game and these options.
    fn request<R: Prepare>(&self, options: &impl Serialize) -> io::Result<Fields> {
        let mut request = serde_json::to_value(options)?;
        request["game"] = (&*self.game).into();
        request["variant"] = self.variant.as_deref().into();
        request["position"] = self.position.as_deref().into();
        request["moves"] = self.record()?.into();
        read_value::<R>(request).map(|request| request.fields).map_err(io_error)
    }

    /// The record of the game: the arguments, the file that the only one names, or standard input.
    fn record(&self) -> io::Result<String> {
        let (name, read) = match &self.moves[..] {
            [name] if name == "-" => ("standard input", read_input()),
            [name] if Path::new(name).is_file() => (&**name, fs::read(name)),
            moves => return Ok(moves.join(" ")),
        };
        let bytes =
            read.map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
        // Tags may be in another encoding; moves are ASCII in most of them.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// How far to search, and how.
#[derive(Args, Clone, Debug, Serialize)]
pub(super) struct LimitOptions {
    /// Plies to look ahead
    #[arg(long, value_name = "PLIES", value_parser = range(1, MOST))]
    depth: Option<u64>,
    /// Milliseconds of search
    #[arg(long, value_name = "MS", value_parser = range(1, MOST_TIME_MS))]
    time_ms: Option<u64>,
    /// Positions to visit at most
    #[arg(long, value_name = "COUNT", value_parser = range(1, MOST))]
    nodes: Option<u64>,
    /// How to search
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// A static evaluation by its name
    #[arg(long, value_name = "NAME")]
    evaluator: Option<String>,
}

impl LimitOptions {
    /// The game to review, and the search of each of its positions.
    pub(super) fn review(
        &self,
        game: &GameOptions,
    ) -> io::Result<(BoardRequest, SearchParameters)> {
        let fields = game.request::<ReviewRequest>(self)?;
        ReviewRequest::split(fields).map_err(io_error)
    }
}

/// How to search for one move.
#[derive(Args, Clone, Debug, Serialize)]
pub(super) struct SearchOptions {
    #[command(flatten)]
    #[serde(flatten)]
    limits: LimitOptions,
    /// The only moves to consider, separated by commas
    #[arg(long, value_name = "MOVES")]
    search_moves: Option<String>,
    /// How strong a player, 1 to 10 or beginner, amateur, professional or master, in place of depth,
    /// time, nodes, algorithm and evaluator
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    level: Option<Value>,
    /// What makes the choices of a level others
    #[arg(long, value_name = "NUMBER", value_parser = range(0, MOST))]
    seed: Option<u64>,
}

impl SearchOptions {
    /// The board and its search; the same words mean the same as in the query of a URL.
    pub(super) fn request(
        &self,
        game: &GameOptions,
    ) -> io::Result<(BoardRequest, SearchParameters)> {
        game.request::<BestMoveRequest>(self)?.split().map_err(io_error)
    }
}

fn range(least: u64, most: u64) -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(least..=most)
}

/// The number of a level, or its name.
#[expect(clippy::unnecessary_wraps, reason = "that is how the command line reads values")]
fn level(text: &str) -> Result<Value, Infallible> {
    Ok(text.parse::<u64>().map_or_else(|_| text.into(), Value::from))
}

fn read_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
