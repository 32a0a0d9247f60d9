//! The answers about games and their positions.

use serde::Serialize;

use super::reasons;
use super::request::BOARD;
use super::{Context, Fields, Include, Prepare, Problem};
use bestmove_engine::game::{BoardStyle, Level, LevelNumber, Rating, ReasonKind, Sample};
use bestmove_engine::games::any::{AnyBoard, AnyGame, State};
use bestmove_engine::games::{CATALOGUE, special_variant, variants};
use bestmove_engine::search::Algorithm;

/// The names of all games.
pub fn game_names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|game| game.info().name)
}

/// All games.
#[derive(Serialize)]
pub struct GameList {
    games: Vec<GameDescription>,
}

/// A game: how its positions and moves are written, and how it can be searched.
#[derive(Serialize)]
pub struct GameDescription {
    name: &'static str,
    title: &'static str,
    sides: [&'static str; 2],
    start: &'static str,
    pieces: Vec<PieceName>,
    board: BoardStyle,
    positions: Positions,
    moves: Sample,
    algorithms: Vec<&'static str>,
    evaluators: Vec<Named>,
    levels: Vec<LevelDescription>,
    variants: Vec<VariantDescription>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_unit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_depth: Option<u32>,
    max_depth: u32,
    reasons: Vec<&'static ReasonKind>,
}

/// A variant of a game, with the properties that differ between variants.
#[derive(Serialize)]
struct VariantDescription {
    name: &'static str,
    description: &'static str,
    start: &'static str,
    board: BoardStyle,
    algorithms: Vec<&'static str>,
    /// The names of evaluators of the game.
    evaluators: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_depth: Option<u32>,
    max_depth: u32,
}

/// A piece that a board may show.
#[derive(Serialize)]
struct PieceName {
    name: &'static str,
    side: &'static str,
    symbol: &'static str,
    label: &'static str,
}

#[derive(Serialize)]
struct Positions {
    #[serde(flatten)]
    sample: Sample,
    rows: bool,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    description: &'static str,
}

#[derive(Serialize)]
struct LevelDescription {
    number: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    description: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<Rating>,
}

impl GameList {
    /// The games of the catalogue.
    pub fn of_catalogue() -> Self {
        Self { games: CATALOGUE.iter().map(|&game| game.into()).collect() }
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
            algorithms: algorithms(game),
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
            algorithms: algorithms(game),
            evaluators: info.evaluators.iter().map(|&(name, _)| name).collect(),
            default_depth: info.default_depth,
            max_depth: info.max_depth,
        }
    }
}

fn algorithms(game: &dyn AnyGame) -> Vec<&'static str> {
    game.algorithms().into_iter().map(Algorithm::name).collect()
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

/// A position with all that a front end needs: board, state, legal moves.
#[derive(Serialize)]
pub struct PositionAnswer {
    game: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'static str>,
    #[serde(flatten)]
    state: State,
    /// The board in characters.
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
