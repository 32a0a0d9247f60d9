//! The answers of `/games` and of the health checks.

use serde::Serialize;

use bestmove_engine::game::{BoardStyle, Level, LevelNumber, Piece, Rating, Sample};
use bestmove_engine::games::CATALOGUE;
use bestmove_engine::games::any::AnyGame;
use bestmove_engine::search::Algorithm;

#[derive(Serialize)]
pub(in crate::http) struct GameList {
    games: Vec<GameDescription>,
}

#[derive(Serialize)]
pub(in crate::http) struct GameDescription {
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
    pub(in crate::http) fn new() -> Self {
        Self { games: CATALOGUE.iter().map(|&game| game.into()).collect() }
    }
}

impl From<&dyn AnyGame> for GameDescription {
    fn from(game: &dyn AnyGame) -> Self {
        let info = game.info();
        let named = |&(name, description): &_| Named { name, description };
        let piece = |piece: &Piece| PieceName {
            name: piece.name,
            side: info.sides[piece.side as usize],
            symbol: piece.symbol,
            label: piece.label,
        };
        Self {
            name: info.name,
            title: info.title,
            sides: info.sides,
            start: info.start,
            pieces: info.pieces.iter().map(piece).collect(),
            board: info.board,
            positions: Positions { sample: info.positions, rows: info.rows },
            moves: info.moves,
            algorithms: game.algorithms().into_iter().map(Algorithm::name).collect(),
            evaluators: info.evaluators.iter().map(named).collect(),
            levels: LevelNumber::all().zip(info.levels).map(LevelDescription::from).collect(),
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

/// A server that is well.
#[derive(Serialize)]
pub(in crate::http) struct Health {
    status: &'static str,
    version: &'static str,
}

impl Health {
    /// Well.
    pub(in crate::http) const OK: Self = Self { status: "ok", version: env!("CARGO_PKG_VERSION") };
}
