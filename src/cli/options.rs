//! The arguments that several commands share.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::http::{self, Problem};
use crate::service::{self, BoardRequest};
use bestmove_engine::games::any::SearchParameters;

/// A field of a request with its value, if it has one.
type Field<'a> = (&'static str, Option<&'a str>);

/// Which game is meant, and how far it has been played.
#[derive(Args, Clone, Debug)]
pub(super) struct GameOptions {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(service::game_names()))]
    game: String,
    /// Moves played, one by one or as the record of a game: `e4 e5`, "1. e4 e5", 4453
    moves: Vec<String>,
    /// The position in which they begin, in the notation of the game; its start where absent
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
}

impl GameOptions {
    /// The fields of a request, `moves` as they stand in the query of a URL.
    fn fields<'a>(&'a self, moves: &'a str) -> [Field<'a>; 3] {
        [("game", Some(&self.game)), ("position", self.position.as_deref()), ("moves", Some(moves))]
    }
}

/// How far to search, and how.
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
    ) -> Result<(BoardRequest, SearchParameters), Problem> {
        let moves = game.moves.join(" ");
        http::review_request(given([&game.fields(&moves)[..], &self.fields()].concat()))
    }
}

/// How to search for one move.
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
    /// What makes the choices of a level others
    #[arg(long, value_name = "NUMBER")]
    seed: Option<String>,
}

impl SearchOptions {
    /// The board and its search; the same words mean the same as in the query of a URL.
    pub(super) fn request(
        &self,
        game: &GameOptions,
    ) -> Result<(BoardRequest, SearchParameters), Problem> {
        let moves = game.moves.join(" ");
        let own = [
            ("search_moves", self.search_moves.as_deref()),
            ("level", self.level.as_deref()),
            ("seed", self.seed.as_deref()),
        ];
        let fields = [&game.fields(&moves)[..], &self.limits.fields(), &own].concat();
        http::best_move_request(given(fields))
    }
}

/// The fields that have a value.
fn given(fields: Vec<Field<'_>>) -> impl Iterator<Item = (&str, &str)> {
    fields.into_iter().filter_map(|(name, value)| Some((name, value?)))
}
