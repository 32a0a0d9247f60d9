//! The arguments that several commands share.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::io_error;
use bestmove_api::{BestMoveRequest, BoardRequest, ReviewRequest, game_names, read_texts};
use bestmove_engine::games::any::SearchParameters;

/// A field of a request with its value, if it has one.
type Field<'a> = (&'static str, Option<&'a str>);

/// The arguments that name a game and its moves.
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
    /// The fields of a request. `moves` is written as in the query of a URL.
    fn fields<'a>(&'a self, moves: &'a str) -> [Field<'a>; 4] {
        [
            ("game", Some(&self.game)),
            ("variant", self.variant.as_deref()),
            ("position", self.position.as_deref()),
            ("moves", Some(moves)),
        ]
    }

    /// The record of the game: the arguments, the file that a single argument names, or standard input.
    fn record(&self) -> io::Result<String> {
        let (name, read) = match &self.moves[..] {
            [name] if name == "-" => ("standard input", read_input()),
            [name] if names_file(Path::new(name)) => (&**name, fs::read(name)),
            moves => return Ok(moves.join(" ")),
        };
        let bytes =
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

/// The arguments that limit and choose a search.
#[derive(Args, Clone, Debug)]
pub(super) struct LimitOptions {
    /// Plies to look ahead
    #[arg(long, value_name = "PLIES")]
    depth: Option<String>,
    /// Milliseconds of search
    #[arg(long, value_name = "MS")]
    time_ms: Option<String>,
    /// Positions to visit at most
    #[arg(long, value_name = "COUNT")]
    nodes: Option<String>,
    /// How to search
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// A static evaluation by its name
    #[arg(long, value_name = "NAME")]
    evaluator: Option<String>,
}

impl LimitOptions {
    fn fields(&self) -> [Field<'_>; 5] {
        [
            ("depth", self.depth.as_deref()),
            ("time_ms", self.time_ms.as_deref()),
            ("nodes", self.nodes.as_deref()),
            ("algorithm", self.algorithm.as_deref()),
            ("evaluator", self.evaluator.as_deref()),
        ]
    }

    /// The game to review, and the search of each of its positions.
    pub(super) fn review(
        &self,
        game: &GameOptions,
    ) -> io::Result<(BoardRequest, SearchParameters)> {
        let moves = game.record()?;
        let fields = given([&game.fields(&moves)[..], &self.fields()].concat());
        read_texts(fields).and_then(ReviewRequest::split).map_err(io_error)
    }
}

/// The arguments of a search for one move.
#[derive(Args, Clone, Debug)]
pub(super) struct SearchOptions {
    #[command(flatten)]
    limits: LimitOptions,
    /// The only moves to consider, separated by commas
    #[arg(long, value_name = "MOVES")]
    search_moves: Option<String>,
    /// How strong a player, 1 to 10 or beginner, amateur, professional or master, in place of depth,
    /// time, nodes, algorithm and evaluator
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// Number that varies the choices of a level
    #[arg(long, value_name = "NUMBER")]
    seed: Option<String>,
}

impl SearchOptions {
    /// The board and its search. Arguments mean what they mean in the query of a URL.
    pub(super) fn request(
        &self,
        game: &GameOptions,
    ) -> io::Result<(BoardRequest, SearchParameters)> {
        let moves = game.record()?;
        let own = [
            ("search_moves", self.search_moves.as_deref()),
            ("level", self.level.as_deref()),
            ("seed", self.seed.as_deref()),
        ];
        let fields = [&game.fields(&moves)[..], &self.limits.fields(), &own].concat();
        read_texts(given(fields)).and_then(BestMoveRequest::split).map_err(io_error)
    }
}

fn read_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The fields that have a value.
fn given(fields: Vec<Field<'_>>) -> impl Iterator<Item = (&str, &str)> {
    fields.into_iter().filter_map(|(name, value)| Some((name, value?)))
}
