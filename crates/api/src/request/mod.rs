//! The requests: what each may say, and the typed value that it stands for.
//!
//! A request is a plain struct. [`read`] reads it from JSON, [`read_query`] from the query of a URL, [`read_texts`]
//! from arguments of a command line; [`Prepare`] makes of it the job that it stands for.

mod batch;
mod fields;
mod position;
mod read;

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

pub use self::batch::{BatchLine, LineId};
pub(crate) use self::fields::{Flag, Integer, Moves};
use self::fields::{Level, MOST};
pub use self::position::BoardRequest;
pub(crate) use self::position::Position;
use self::position::{read_algorithm, read_choices, read_record};
pub use self::read::{read, read_query, read_texts, read_value};
use crate::{
    Context, Described, Include, Job, Problem, ProblemKind, Review, ReviewInclude, TreeJob,
};
use bestmove_engine::game::{Place, excerpt};
use bestmove_engine::games::any::{AnyBoard, SearchParameters, TreeParameters};
use bestmove_engine::search::Algorithm;

/// The fields of a request, which stand for a job.
pub trait Prepare: DeserializeOwned + Send {
    /// What the request stands for, checked in full.
    type Prepared: Send + 'static;

    /// Reads position, moves and limits.
    ///
    /// # Errors
    /// Where one of them is wrong.
    fn prepare(self, context: &Context) -> Result<Self::Prepared, Problem>;
}

/// The request of `/best-move`. `null` stands for a field that is left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct BestMoveRequest {
    /// The name of the game.
    game: Option<String>,
    /// The variant of the game; the standard one where absent.
    variant: Option<String>,
    /// The position, or the start of the game.
    position: Option<Position>,
    /// The moves played from the position.
    moves: Option<Moves>,
    /// Plies to look ahead; the game says how many at most.
    depth: Option<Integer<MOST>>,
    /// A time budget in milliseconds.
    time_ms: Option<Integer<3_600_000>>,
    /// A budget of positions visited.
    nodes: Option<Integer<MOST>>,
    /// The only moves to consider.
    search_moves: Option<Moves>,
    /// How to search.
    algorithm: Option<String>,
    /// The name of a static evaluation.
    evaluator: Option<String>,
    /// How strong a player, in place of depth, time, nodes, algorithm and evaluator.
    level: Option<Level>,
    /// What makes the choices of a level others.
    seed: Option<Integer<MOST, 0>>,
    /// What the answer includes beside the result of the search.
    include: Option<Vec<String>>,
    /// From whose view values are told: `mover` or `first`.
    view: Option<String>,
}

impl BestMoveRequest {
    /// The board, and the search that is asked for.
    ///
    /// # Errors
    /// Where a field is missing or wrong by itself.
    pub fn split(self) -> Result<(BoardRequest, SearchParameters), Problem> {
        let choices = choices(self.game.as_deref(), self.variant.as_deref(), self.search_moves)?;
        let parameters = SearchParameters {
            search_moves: choices.moves,
            depth: self.depth.map(u64::from),
            time: self.time_ms.map(|time| Duration::from_millis(time.0)),
            nodes: self.nodes.map(u64::from),
            algorithm: algorithm(
                self.game.as_deref(),
                self.variant.as_deref(),
                self.algorithm,
                None,
            )?,
            evaluator: self.evaluator,
            level: self.level.map(Level::number).transpose()?,
            seed: self.seed.map(u64::from),
            ..SearchParameters::default()
        };
        let board = board_request(self.game, self.variant, self.position, self.moves)?;
        Ok((BoardRequest { choice_places: choices.places, ..board }, parameters))
    }
}

impl Prepare for BestMoveRequest {
    type Prepared = Job;

    fn prepare(mut self, context: &Context) -> Result<Job, Problem> {
        let is_first_view = is_first_view(self.view.as_deref())?;
        let include = include(self.include.take(), Described::AfterBestMove)?;
        let include = Include { is_first_view, ..include };
        let (board, parameters) = self.split()?;
        Ok(Job::new(&board, &parameters, include, context)?)
    }
}

/// The request of `/analyze`. `null` stands for a field that is left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct AnalysisRequest {
    /// The name of the game.
    game: Option<String>,
    /// The variant of the game; the standard one where absent.
    variant: Option<String>,
    /// The position, or the start of the game.
    position: Option<Position>,
    /// The moves played from the position.
    moves: Option<Moves>,
    /// Plies to look ahead; the game says how many at most.
    depth: Option<Integer<MOST>>,
    /// A time budget in milliseconds.
    time_ms: Option<Integer<3_600_000>>,
    /// A budget of positions visited.
    nodes: Option<Integer<MOST>>,
    /// The only moves to consider.
    search_moves: Option<Moves>,
    /// How to search.
    algorithm: Option<String>,
    /// The name of a static evaluation.
    evaluator: Option<String>,
    /// How many of the best moves to tell; all where absent.
    top: Option<Integer<MOST>>,
    /// Whether every move is searched with an open window.
    exact: Option<bool>,
    /// What the answer includes beside the result of the search.
    include: Option<Vec<String>>,
    /// From whose view values are told: `mover` or `first`.
    view: Option<String>,
}

impl Prepare for AnalysisRequest {
    type Prepared = Job;

    fn prepare(self, context: &Context) -> Result<Job, Problem> {
        let is_first_view = is_first_view(self.view.as_deref())?;
        let include = Include { is_first_view, ..include(self.include, Described::Asked)? };
        let choices = choices(self.game.as_deref(), self.variant.as_deref(), self.search_moves)?;
        let parameters = SearchParameters {
            search_moves: choices.moves,
            depth: self.depth.map(u64::from),
            time: self.time_ms.map(|time| Duration::from_millis(time.0)),
            nodes: self.nodes.map(u64::from),
            algorithm: algorithm(
                self.game.as_deref(),
                self.variant.as_deref(),
                self.algorithm,
                None,
            )?,
            evaluator: self.evaluator,
            top: Some(self.top.map_or(MOST, u64::from)),
            exact: self.exact.unwrap_or_default(),
            ..SearchParameters::default()
        };
        let board = board_request(self.game, self.variant, self.position, self.moves)?;
        let board = BoardRequest { choice_places: choices.places, ..board };
        Ok(Job::new(&board, &parameters, include, context)?)
    }
}

/// The request of `/review`. `null` stands for a field that is left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ReviewRequest {
    /// The name of the game.
    game: Option<String>,
    /// The variant of the game; the standard one where absent.
    variant: Option<String>,
    /// The position in which the game begins, or its start.
    position: Option<Position>,
    /// The moves of the game.
    moves: Option<Moves>,
    /// Plies to look ahead in each position.
    depth: Option<Integer<MOST>>,
    /// A time budget in milliseconds for each position.
    time_ms: Option<Integer<3_600_000>>,
    /// A budget of positions visited for each position.
    nodes: Option<Integer<MOST>>,
    /// How to search.
    algorithm: Option<String>,
    /// The name of a static evaluation.
    evaluator: Option<String>,
    /// What the review includes beside the value of each move.
    include: Option<Vec<String>>,
    /// From whose view values are told: `mover`, who moves first in the game, or `first`.
    view: Option<String>,
}

impl ReviewRequest {
    /// The game that is to be reviewed, and the search of its positions.
    ///
    /// # Errors
    /// Where a field is missing or wrong by itself, or the game has too many moves.
    pub fn split(self) -> Result<(BoardRequest, SearchParameters), Problem> {
        /// The nodes of each search where the request sets no limit.
        const DEFAULT_NODES: u64 = 20_000;
        const MOST_MOVES: usize = 1000;
        required(self.game.as_ref(), "game", A_GAME)?;
        required(self.moves.as_ref(), "moves", "the moves of the game")?;
        let is_unlimited = self.depth.is_none() && self.time_ms.is_none();
        let nodes = self.nodes.map(u64::from);
        let parameters = SearchParameters {
            depth: self.depth.map(u64::from),
            time: self.time_ms.map(|time| Duration::from_millis(time.0)),
            nodes: nodes.or(is_unlimited.then_some(DEFAULT_NODES)),
            algorithm: algorithm(
                self.game.as_deref(),
                self.variant.as_deref(),
                self.algorithm,
                None,
            )?,
            evaluator: self.evaluator,
            ..SearchParameters::default()
        };
        let board = board_request(self.game, self.variant, self.position, self.moves)?;
        let count = board.moves.len();
        if !(1..=MOST_MOVES).contains(&count) {
            let detail = format!("expected 1 to {MOST_MOVES} moves but got {count}");
            return Err(Problem::field("moves", detail));
        }
        Ok((board, parameters))
    }
}

impl Prepare for ReviewRequest {
    type Prepared = Review;

    fn prepare(mut self, context: &Context) -> Result<Review, Problem> {
        let is_first_view = is_first_view(self.view.as_deref())?;
        let include = ReviewInclude { is_first_view, ..review_include(self.include.take())? };
        let (board, parameters) = self.split()?;
        Ok(Review::new(&board, parameters, include, context)?)
    }
}

/// The nodes that a request for a tree may ask for: some megabytes of JSON.
const MOST_TREE_NODES: u64 = 20_000;

/// The request of `/tree`. `null` stands for a field that is left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct TreeRequest {
    /// The name of the game.
    game: Option<String>,
    /// The variant of the game; the standard one where absent.
    variant: Option<String>,
    /// The position, or the start of the game.
    position: Option<Position>,
    /// The moves played from the position.
    moves: Option<Moves>,
    /// The plies of the tree.
    depth: Option<Integer<MOST>>,
    /// The nodes that the tree may have.
    max_nodes: Option<Integer<MOST_TREE_NODES>>,
    /// The only moves to consider.
    search_moves: Option<Moves>,
    /// How to search.
    algorithm: Option<String>,
    /// The name of a static evaluation.
    evaluator: Option<String>,
    /// From whose view values are told: `mover` or `first`.
    view: Option<String>,
}

impl Prepare for TreeRequest {
    type Prepared = TreeJob;

    fn prepare(self, context: &Context) -> Result<TreeJob, Problem> {
        /// The nodes that a tree may have where the request does not say.
        const DEFAULT_NODES: u64 = 2_000;
        let offered = Some(&TreeParameters::ALGORITHMS[..]);
        let (game, variant) = (self.game.as_deref(), self.variant.as_deref());
        let algorithm = algorithm(game, variant, self.algorithm, offered)?;
        let choices = choices(self.game.as_deref(), self.variant.as_deref(), self.search_moves)?;
        let parameters = SearchParameters {
            search_moves: choices.moves,
            depth: self.depth.map(u64::from),
            algorithm,
            evaluator: self.evaluator,
            ..SearchParameters::default()
        };
        let board = board_request(self.game, self.variant, self.position, self.moves)?;
        let board = BoardRequest { choice_places: choices.places, ..board };
        required(parameters.depth, "depth", "an integer, 1 or more,")?;
        let max_nodes = self.max_nodes.map_or(DEFAULT_NODES, u64::from);
        let max_nodes = usize::try_from(max_nodes).unwrap_or(usize::MAX);
        let is_first_view = is_first_view(self.view.as_deref())?;
        Ok(TreeJob::new(&board, parameters, max_nodes, is_first_view, context)?)
    }
}

/// The request of `/position`. `null` stands for a field that is left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct PositionRequest {
    /// The name of the game.
    game: Option<String>,
    /// The variant of the game; the standard one where absent.
    variant: Option<String>,
    /// The position, or the start of the game.
    position: Option<Position>,
    /// The moves played from the position.
    moves: Option<Moves>,
}

impl Prepare for PositionRequest {
    type Prepared = Box<dyn AnyBoard>;

    fn prepare(self, _: &Context) -> Result<Self::Prepared, Problem> {
        Ok(board_request(self.game, self.variant, self.position, self.moves)?.board()?)
    }
}

/// What the field `game` has to say.
const A_GAME: &str = "the name of a game";

/// The fields that every request has.
pub(crate) fn board_request(
    game: Option<String>,
    variant: Option<String>,
    position: Option<Position>,
    moves: Option<Moves>,
) -> Result<BoardRequest, Problem> {
    let game = required(game, "game", A_GAME)?;
    let position = position.map(|position| position.0);
    let moves = match moves {
        None => Vec::new(),
        Some(Moves::List(moves)) => moves,
        Some(Moves::Text(text)) => return Ok(read_record(game, variant, position, &text)?),
    };
    Ok(BoardRequest { game, variant, position, moves, places: None, choice_places: None })
}

/// What may be included in the answer to a search.
const INCLUDED: [&str; 4] = ["legal_moves", "board", "reasons", "threat"];
/// What may be included in a review.
const REVIEW_INCLUDED: [&str; 2] = ["reasons", "exercises"];

fn unknown_include(index: usize, name: &str, allowed: &[&'static str]) -> Problem {
    let detail = format!("include[{index}]: there is nothing called '{}'", excerpt(name));
    Problem::new(ProblemKind::InvalidRequest, detail)
        .at(format!("/include/{index}"))
        .allowing(allowed.iter().copied())
}

/// The parts of a review beside the value of each move.
fn review_include(names: Option<Vec<String>>) -> Result<ReviewInclude, Problem> {
    let mut include = ReviewInclude::default();
    for (index, name) in names.into_iter().flatten().enumerate() {
        match name.as_str() {
            "reasons" => include.reasons = true,
            "exercises" => include.exercises = true,
            _ => return Err(unknown_include(index, &name, &REVIEW_INCLUDED)),
        }
    }
    Ok(include)
}

/// What the answer includes beside the search's result.
fn include(names: Option<Vec<String>>, described: Described) -> Result<Include, Problem> {
    let mut include = Include { described, ..Include::default() };
    for (index, name) in names.into_iter().flatten().enumerate() {
        match name.as_str() {
            "legal_moves" => include.legal_moves = true,
            "board" => include.board = true,
            "reasons" => include.wanted.reasons = true,
            "threat" => include.wanted.threat = true,
            _ => return Err(unknown_include(index, &name, &INCLUDED)),
        }
    }
    Ok(include)
}

/// Whether values are told from the view of the game's first side, not of the side to move.
fn is_first_view(view: Option<&str>) -> Result<bool, Problem> {
    match view {
        None | Some("mover") => Ok(false),
        Some("first") => Ok(true),
        Some(other) => {
            let detail = format!("expected mover or first but got '{}'", excerpt(other));
            Err(Problem::field("view", detail).allowing(["mover", "first"]))
        }
    }
}

/// The algorithm of this name: one of `offered`, or of those that can search the game.
fn algorithm(
    game: Option<&str>,
    variant: Option<&str>,
    name: Option<String>,
    offered: Option<&[Algorithm]>,
) -> Result<Option<Algorithm>, Problem> {
    // That the game is missing is told by whoever reads the board.
    let Some((game, name)) = game.zip(name) else { return Ok(None) };
    Ok(Some(read_algorithm(game, variant, &name, offered)?))
}

/// The moves to choose from.
#[derive(Default)]
struct Choices {
    /// At least one; none for all that are legal.
    moves: Option<Vec<String>>,
    /// Where each of them stands, if they came as one string.
    places: Option<Vec<Place>>,
}

fn choices(
    game: Option<&str>,
    variant: Option<&str>,
    moves: Option<Moves>,
) -> Result<Choices, Problem> {
    let (moves, places) = match (moves, game) {
        // That the game is missing is told by whoever reads the board.
        (None, _) | (Some(Moves::Text(_)), None) => return Ok(Choices::default()),
        (Some(Moves::List(moves)), _) => (moves, None),
        (Some(Moves::Text(text)), Some(game)) => {
            let (moves, places) = read_choices(game, variant, &text)?;
            (moves, Some(places))
        }
    };
    if moves.is_empty() {
        let detail = "expected one move or more but got none; leave it out to consider all moves";
        return Err(Problem::field("search_moves", detail));
    }
    Ok(Choices { moves: Some(moves), places })
}

fn required<T>(value: Option<T>, field: &str, expected: &str) -> Result<T, Problem> {
    let problem = || Problem::field(field, format_args!("expected {expected} but it is missing"));
    value.ok_or_else(problem)
}
