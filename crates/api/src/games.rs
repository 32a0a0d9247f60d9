//! The answers about games and their positions.

use schemars::JsonSchema;
use serde::Serialize;

use super::reasons;
use super::request::BOARD;
use super::{Context, Fields, Include, Prepare, Problem, ProblemKind};
use bestmove_engine::game::{BoardStyle, Level, LevelNumber, Rating, ReasonKind, Sample};
use bestmove_engine::games::any::{AnyBoard, AnyGame, State};
use bestmove_engine::games::{catalogue, find, special_variant, variants};
use bestmove_engine::search::Algorithm;

/// The names of all games.
pub fn game_names() -> impl Iterator<Item = &'static str> {
    catalogue().iter().map(|game| game.info().name)
}

/// All games.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Games")]
pub struct GameList {
    /// The games.
    games: Vec<GameDescription>,
}

/// What can be asked about a game.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Game")]
pub struct GameDescription {
    /// The name in requests.
    name: &'static str,
    /// The name as people write it.
    title: &'static str,
    /// The side that moves first by convention, and the other one.
    sides: [&'static str; 2],
    /// The position in which a game begins.
    start: &'static str,
    /// The pieces that a board may show.
    #[schemars(length(min = 2))]
    pieces: Vec<PieceName>,
    /// How to draw the empty board.
    board: BoardStyle,
    /// How positions are written.
    positions: Positions,
    /// How moves are written.
    moves: Sample,
    /// The searches that the game offers.
    #[schemars(length(min = 1))]
    algorithms: Vec<Algorithm>,
    /// The static evaluations, the default one first.
    #[schemars(length(min = 1))]
    evaluators: Vec<Named>,
    /// How players of the ten levels play, the weakest first.
    #[schemars(length(min = 10, max = 10))]
    levels: Vec<LevelDescription>,
    /// The variants of the game, such as other sizes of the board. The first one is the standard one, which is also what the
    /// other members describe.
    #[schemars(length(min = 1))]
    variants: Vec<VariantDescription>,
    /// What 100 points of a `score` stand for in people's eyes: a pawn, or a disc of the final margin. Left out where a
    /// score has no such unit; `value` has one in every game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["pawn", "disc"]))]
    score_unit: Option<&'static str>,
    /// The depth of a search that was given no limit; left out where such a search solves. Of a position of which it is
    /// known who wins, but not how soon, such a search by the default algorithm and evaluator visits 200 000 nodes
    /// instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    default_depth: Option<u32>,
    /// The largest depth that may be asked for.
    #[schemars(range(min = 1))]
    max_depth: u32,
    /// The kinds of reasons that moves of the game may have; those of every game first, the most important first.
    #[schemars(length(min = 1))]
    reasons: Vec<&'static ReasonKind>,
}

/// A variant of a game. Pieces, sides, notations and levels are those of the game.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Variant")]
struct VariantDescription {
    /// The name in requests.
    name: &'static str,
    /// What it is.
    description: &'static str,
    /// The position in which a game begins.
    start: &'static str,
    /// How to draw the empty board.
    board: BoardStyle,
    /// The searches that the variant offers.
    #[schemars(length(min = 1))]
    algorithms: Vec<Algorithm>,
    /// The names of its static evaluations, the default one first.
    #[schemars(length(min = 1))]
    evaluators: Vec<&'static str>,
    /// As in the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    default_depth: Option<u32>,
    /// The largest depth that may be asked for.
    #[schemars(range(min = 1))]
    max_depth: u32,
}

/// A piece that a board may show.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Piece")]
struct PieceName {
    /// The name in the cells of a board.
    name: &'static str,
    /// Whose it is.
    side: &'static str,
    /// A Unicode character that shows it.
    symbol: &'static str,
    /// Its name in words. Pieces of both sides may share one, such as `rook`; a label that one piece alone has tells the side
    /// too, such as `red disc`.
    label: &'static str,
}

/// How positions are written.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PositionNotation")]
struct Positions {
    #[serde(flatten)]
    sample: Sample,
    /// Whether rows of cells without a side to move are accepted too.
    rows: bool,
}

/// A static evaluation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EvaluatorDescription")]
struct Named {
    /// The name in requests.
    name: &'static str,
    /// What it evaluates.
    description: &'static str,
}

/// A level of strength in a game.
#[derive(Serialize, JsonSchema)]
struct LevelDescription {
    /// The number in requests.
    #[schemars(range(min = 1, max = 10))]
    number: u8,
    /// The name in requests, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    /// How it plays.
    description: &'static str,
    /// How strong it was measured to be; in chess.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<Rating>,
}

impl GameDescription {
    /// The description of a game.
    ///
    /// # Errors
    /// Where no game has this name.
    pub fn named(name: Option<&str>) -> Result<Self, Problem> {
        name.and_then(find).map(Self::from).ok_or_else(|| {
            let problem = Problem::new(ProblemKind::NotFound, "there is no such game");
            problem.allowing(game_names())
        })
    }
}

impl GameList {
    /// The games of the catalogue.
    pub fn of_catalogue() -> Self {
        Self { games: catalogue().iter().map(|&game| game.into()).collect() }
    }
}

impl From<&dyn AnyGame> for GameDescription {
    fn from(game: &dyn AnyGame) -> Self {
        let info = game.info();
        let pieces = info.pieces.iter().map(|piece| PieceName {
            name: piece.name,
            side: info.sides[piece.side as usize],
            symbol: piece.symbol,
            label: piece.label,
        });
        let evaluators =
            info.evaluators.iter().map(|&(name, description)| Named { name, description });
        Self {
            name: info.name,
            title: info.title,
            sides: info.sides,
            start: info.start,
            pieces: pieces.collect(),
            board: info.board,
            positions: Positions { sample: info.positions, rows: info.rows },
            moves: info.moves,
            algorithms: game.algorithms(),
            evaluators: evaluators.collect(),
            variants: variants(info.name).map(VariantDescription::from).collect(),
            levels: LevelNumber::all().zip(info.levels).map(LevelDescription::from).collect(),
            score_unit: info.score_unit,
            default_depth: info.default_depth,
            max_depth: info.max_depth,
            reasons: reasons::kinds(game.info().motifs).collect(),
        }
    }
}

impl From<&dyn AnyGame> for VariantDescription {
    fn from(game: &dyn AnyGame) -> Self {
        let info = game.info();
        Self {
            name: info.variant,
            description: info.description,
            start: info.start,
            board: info.board,
            algorithms: game.algorithms(),
            evaluators: info.evaluators.iter().map(|&(name, _)| name).collect(),
            default_depth: info.default_depth,
            max_depth: info.max_depth,
        }
    }
}

impl From<(LevelNumber, &Level)> for LevelDescription {
    fn from((number, level): (LevelNumber, &Level)) -> Self {
        let Level { description, rating, .. } = *level;
        Self { number: number.get(), name: number.name(), description, rating }
    }
}

/// The request of `/position`.
pub enum PositionRequest {}

impl Prepare for PositionRequest {
    const FIELDS: &'static [&'static [&'static str]] = &[BOARD];
    type Prepared = Box<dyn AnyBoard>;

    fn prepare(fields: Fields, _: &Context) -> Result<Self::Prepared, Problem> {
        Ok(fields.board()?.board()?)
    }
}

/// All that a front end needs to know of a position.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Board")]
pub struct PositionAnswer {
    /// The game.
    game: &'static str,
    /// The variant of the game, where it is not the standard one.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'static str>,
    #[serde(flatten)]
    state: State,
    /// The board drawn in characters.
    text: String,
}

impl From<&dyn AnyBoard> for PositionAnswer {
    fn from(board: &dyn AnyBoard) -> Self {
        let all = Include { legal_moves: true, board: true, ..Include::default() };
        let view = Some(Box::new(all.view(board)));
        let state = State { view, ..board.state() };
        let (game, variant) = (board.game().name, special_variant(board.game()));
        Self { game, variant, state, text: board.drawing() }
    }
}
