//! The program as a tool: answers without a server, through the types that the server uses.

mod best_move;
mod play;

use std::io;
use std::sync::atomic::AtomicBool;

use clap::Args;
use clap::builder::PossibleValuesParser;

pub use self::best_move::BestMove;
pub use self::play::Play;
use crate::http::{self, Problem};
use crate::service::{self, BoardRequest, Failure};
use bestmove_engine::game::LEVELS;
use bestmove_engine::games::any::{Answer, SearchParameters};

/// How to search, in the words of a request.
#[derive(Args, Clone, Debug)]
pub struct SearchOptions {
    /// Moves played from the position, separated by commas
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Plies to look ahead
    #[arg(long, value_name = "PLIES")]
    depth: Option<String>,
    /// Milliseconds of search
    #[arg(long, value_name = "MS")]
    time_ms: Option<String>,
    /// Positions to visit at most
    #[arg(long, value_name = "COUNT")]
    nodes: Option<String>,
    /// The only moves to consider, separated by commas
    #[arg(long, value_name = "MOVES")]
    search_moves: Option<String>,
    /// How to search
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// A static evaluation by its name
    #[arg(long, value_name = "NAME")]
    evaluator: Option<String>,
    /// How strong a player, in place of depth, time, nodes, algorithm and evaluator
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(LEVELS))]
    level: Option<String>,
    /// What makes the choices of a level others
    #[arg(long, value_name = "NUMBER")]
    seed: Option<String>,
}

impl SearchOptions {
    /// The board and the search that the options describe; the same words mean the same as in the
    /// query of a URL.
    fn request(
        &self,
        game: &str,
        position: Option<&str>,
    ) -> Result<(BoardRequest, SearchParameters), Problem> {
        let fields = [
            ("game", Some(game)),
            ("position", position),
            ("moves", self.moves.as_deref()),
            ("depth", self.depth.as_deref()),
            ("time_ms", self.time_ms.as_deref()),
            ("nodes", self.nodes.as_deref()),
            ("search_moves", self.search_moves.as_deref()),
            ("algorithm", self.algorithm.as_deref()),
            ("evaluator", self.evaluator.as_deref()),
            ("level", self.level.as_deref()),
            ("seed", self.seed.as_deref()),
        ];
        http::best_move_request(fields.into_iter().filter_map(|(name, text)| Some((name, text?))))
    }
}

/// The names of the games, which shells can complete.
fn game_names() -> PossibleValuesParser {
    PossibleValuesParser::new(service::game_names())
}

/// The best move, searched on the present thread.
fn answer(board: &BoardRequest, parameters: &SearchParameters) -> Result<Answer, Failure> {
    let search = board.board()?.search(parameters)?;
    Ok(search.run(&AtomicBool::new(false)))
}

/// What to tell a person who asked for something that can't be.
fn told(problem: impl Into<Problem>) -> io::Error {
    io::Error::other(problem.into().to_string())
}
