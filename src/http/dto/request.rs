//! The requests: what each may say, and the typed value that it stands for.

use std::fmt;
use std::time::Duration;

use serde::de::{DeserializeOwned, Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::integer::{Integer, MOST};
use super::position_text::{Position, TextOrArray};
use crate::http::problem::{Kind, Problem};
use crate::service::{
    BoardRequest, Described, Include, PreparedReview, PreparedSearch, PreparedTree, Service,
    record_moves,
};
use bestmove_engine::game::{LEVEL_COUNT, LevelNumber};
use bestmove_engine::games::any::{AnyBoard, SearchParameters};

/// The fields of a request, which stand for a typed value.
pub(in crate::http) trait Dto: DeserializeOwned + Send {
    /// The request as the service takes it, checked in full.
    type Typed: Send + 'static;

    /// Reads position, moves and limits.
    ///
    /// # Errors
    /// Where one of them is wrong.
    fn typed(self, service: &Service) -> Result<Self::Typed, Problem>;
}

/// The type of a field, by its name. `null` stands for a field that is left out.
macro_rules! field_type {
    (game) => { Option<String> };
    (position) => { Option<Position> };
    (moves) => { Option<Moves> };
    (depth) => { Option<Integer<MOST>> };
    (time_ms) => { Option<Integer<3_600_000>> };
    (nodes) => { Option<Integer<MOST>> };
    (search_moves) => { Option<Vec<String>> };
    (algorithm) => { Option<String> };
    (evaluator) => { Option<String> };
    (level) => { Option<Level> };
    (seed) => { Option<Integer<MOST, 0>> };
    (top) => { Option<Integer<MOST>> };
    (max_nodes) => { Option<Integer<MOST_TREE_NODES>> };
    (include) => { Option<Vec<String>> };
}

/// Declares requests by the names of their fields, and their conversion to [`Fields`]. So a field is
/// declared once and read once, and a request that does not have it refuses it.
macro_rules! requests {
    ($($(#[$doc:meta])* $name:ident { $($field:ident),+ })+) => {$(
        $(#[$doc])*
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields, expecting = "an object")]
        pub(in crate::http) struct $name { $($field: field_type!($field)),+ }

        impl From<$name> for Fields {
            fn from(request: $name) -> Self {
                Self { $($field: request.$field,)+ ..Self::default() }
            }
        }
    )+};
}

/// The fields of all requests.
#[derive(Default)]
struct Fields {
    game: field_type!(game),
    position: field_type!(position),
    moves: field_type!(moves),
    depth: field_type!(depth),
    time_ms: field_type!(time_ms),
    nodes: field_type!(nodes),
    search_moves: field_type!(search_moves),
    algorithm: field_type!(algorithm),
    evaluator: field_type!(evaluator),
    level: field_type!(level),
    seed: field_type!(seed),
    top: field_type!(top),
    max_nodes: field_type!(max_nodes),
    include: field_type!(include),
}

requests! {
    /// The request of `/best-move`.
    BestMoveRequest {
        game, position, moves, depth, time_ms, nodes, search_moves, algorithm, evaluator, level, seed,
        include
    }
    /// The request of `/analyze`.
    AnalysisRequest {
        game, position, moves, depth, time_ms, nodes, search_moves, algorithm, evaluator, top, include
    }
    /// The request of `/review`.
    ReviewRequest { game, position, moves, depth, time_ms, nodes, algorithm, evaluator }
    /// The request of `/tree`.
    TreeRequest { game, position, moves, depth, max_nodes, search_moves, algorithm, evaluator }
    /// The request of `/position`.
    PositionRequest { game, position, moves }
}

impl Fields {
    /// The board and the search that they describe.
    fn split(self) -> Result<(BoardRequest, SearchParameters), Problem> {
        let parameters = SearchParameters {
            depth: self.depth.map(|depth| depth.0),
            time: self.time_ms.map(|time| Duration::from_millis(time.0)),
            nodes: self.nodes.map(|nodes| nodes.0),
            search_moves: self.search_moves.map(some_moves).transpose()?,
            algorithm: self.algorithm,
            evaluator: self.evaluator,
            level: self.level.map(Level::number).transpose()?,
            seed: self.seed.map(|seed| seed.0),
            top: self.top.map(|top| top.0),
            time_limit: None,
        };
        Ok((board_request(self.game, self.position, self.moves)?, parameters))
    }

    fn prepare(
        mut self,
        service: &Service,
        described: Described,
    ) -> Result<PreparedSearch, Problem> {
        let include = include(self.include.take(), described)?;
        let (board, parameters) = self.split()?;
        Ok(service.prepare_search(&board, parameters, include)?)
    }
}

impl BestMoveRequest {
    pub(in crate::http) fn split(self) -> Result<(BoardRequest, SearchParameters), Problem> {
        Fields::from(self).split()
    }
}

impl Dto for BestMoveRequest {
    type Typed = PreparedSearch;

    fn typed(self, service: &Service) -> Result<PreparedSearch, Problem> {
        Fields::from(self).prepare(service, Described::AfterBestMove)
    }
}

impl Dto for AnalysisRequest {
    type Typed = PreparedSearch;

    fn typed(self, service: &Service) -> Result<PreparedSearch, Problem> {
        let mut fields = Fields::from(self);
        fields.top.get_or_insert(Integer(MOST));
        fields.prepare(service, Described::Asked)
    }
}

impl ReviewRequest {
    /// The game that is to be reviewed, and the search of its positions.
    pub(in crate::http) fn split(self) -> Result<(BoardRequest, SearchParameters), Problem> {
        /// The nodes of each search where the request sets no limit.
        const DEFAULT_NODES: Integer<MOST> = Integer(20_000);
        const MOST_MOVES: usize = 1000;
        let mut fields = Fields::from(self);
        if fields.depth.is_none() && fields.time_ms.is_none() {
            fields.nodes.get_or_insert(DEFAULT_NODES);
        }
        required(fields.game.as_ref(), "game", A_GAME)?;
        required(fields.moves.as_ref(), "moves", "the moves of the game")?;
        let (board, parameters) = fields.split()?;
        let count = board.moves.len();
        if !(1..=MOST_MOVES).contains(&count) {
            let detail = format!("expected 1 to {MOST_MOVES} moves but got {count}");
            return Err(Problem::field("moves", detail));
        }
        Ok((board, parameters))
    }
}

impl Dto for ReviewRequest {
    type Typed = PreparedReview;

    fn typed(self, service: &Service) -> Result<PreparedReview, Problem> {
        let (board, parameters) = self.split()?;
        Ok(service.prepare_review(&board, parameters)?)
    }
}

/// The nodes that a request for a tree may ask for: some megabytes of JSON.
const MOST_TREE_NODES: u64 = 20_000;

impl Dto for TreeRequest {
    type Typed = PreparedTree;

    fn typed(self, service: &Service) -> Result<PreparedTree, Problem> {
        /// The nodes that a tree may have where the request does not say.
        const DEFAULT_NODES: u64 = 2_000;
        let mut fields = Fields::from(self);
        let max_nodes = fields.max_nodes.take().map_or(DEFAULT_NODES, |nodes| nodes.0);
        let (board, parameters) = fields.split()?;
        required(parameters.depth, "depth", "an integer, 1 or more,")?;
        Ok(service.prepare_tree(&board, parameters, max_nodes as usize)?)
    }
}

impl Dto for PositionRequest {
    type Typed = Box<dyn AnyBoard>;

    fn typed(self, _: &Service) -> Result<Self::Typed, Problem> {
        Ok(board_request(self.game, self.position, self.moves)?.board()?)
    }
}

/// What the field `game` has to say.
const A_GAME: &str = "the name of a game";

/// The fields that every request has.
pub(super) fn board_request(
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Moves>,
) -> Result<BoardRequest, Problem> {
    let game = required(game, "game", A_GAME)?;
    let position = position.map(|position| position.0);
    let (moves, is_record) = match moves {
        None => (Vec::new(), false),
        Some(Moves::List(moves)) => (moves, false),
        Some(Moves::Record(record)) => (record_moves(&game, position.as_ref(), &record)?, true),
    };
    Ok(BoardRequest { game, position, moves, is_record })
}

/// What the answer includes beside the search's result.
fn include(names: Option<Vec<String>>, described: Described) -> Result<Include, Problem> {
    let mut include = Include { described, ..Include::default() };
    for (index, name) in names.into_iter().flatten().enumerate() {
        match name.as_str() {
            "legal_moves" => include.legal_moves = true,
            "board" => include.board = true,
            _ => {
                let detail = format!("include[{index}]: there is nothing called '{name}'");
                return Err(Problem::new(Kind::InvalidRequest, detail)
                    .at(format!("/include/{index}"))
                    .allowing(["legal_moves", "board"]));
            }
        }
    }
    Ok(include)
}

/// A level as it came: its number or its name.
enum Level {
    Number(u64),
    Name(String),
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LevelVisitor)
    }
}

struct LevelVisitor;

impl Visitor<'_> for LevelVisitor {
    type Value = Level;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "an integer from 1 to {LEVEL_COUNT} or the name of a level")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Level, E> {
        Ok(Level::Number(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Level, E> {
        let integer = Integer::<{ LEVEL_COUNT as u64 }>(0).visit_f64::<E>(number);
        integer
            .map(|Integer(number)| Level::Number(number))
            .map_err(|_| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Level, E> {
        Ok(Level::Name(name.to_owned()))
    }
}

impl Level {
    fn number(self) -> Result<LevelNumber, Problem> {
        let (number, got) = match self {
            Self::Number(number) => (LevelNumber::new(number), number.to_string()),
            Self::Name(name) => (LevelNumber::named(&name), quoted_number(&name)),
        };
        number.ok_or_else(|| {
            let names: Vec<_> = LevelNumber::names().collect();
            let detail = format!(
                "expected an integer from 1 to {LEVEL_COUNT} or one of {} but got {got}",
                names.join(", ")
            );
            // A number that stood there as text would be refused.
            Problem::field("level", detail).allowing(names)
        })
    }
}

/// A text as a message shows it. A level in quotes is to be written without them.
fn quoted_number(text: &str) -> String {
    let is_level = text.parse().ok().and_then(LevelNumber::new).is_some();
    let advice = if is_level { format!(": write {text} without quotes") } else { String::new() };
    format!("the string {text:?}{advice}")
}

/// A list of moves to choose from, which has one.
fn some_moves(moves: Vec<String>) -> Result<Vec<String>, Problem> {
    if moves.is_empty() {
        let detail = "expected one move or more but got none; leave it out to consider all moves";
        return Err(Problem::field("search_moves", detail));
    }
    Ok(moves)
}

fn required<T>(value: Option<T>, field: &str, expected: &str) -> Result<T, Problem> {
    let problem = || Problem::field(field, format_args!("expected {expected} but it is missing"));
    value.ok_or_else(problem)
}

/// The moves of a game: one by one, or as its record.
pub(super) enum Moves {
    List(Vec<String>),
    Record(String),
}

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrArray {
            expected: "an array of moves or a string",
            text: |record| Self::Record(record.to_owned()),
            array: Self::List,
        })
    }
}
