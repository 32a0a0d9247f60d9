//! The request of `/best-move`, and what other requests share with it.

use std::fmt;
use std::time::Duration;

use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::Dto;
use super::position_text::{Position, elements};
use crate::http::problem::{Kind, Problem};
use crate::service::{BoardRequest, Described, Include, Question, Service, record_moves};
use bestmove_engine::game::{LEVEL_COUNT, LevelNumber};
use bestmove_engine::games::any::SearchParameters;

/// The body of `POST /best-move`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct BestMoveRequest {
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Moves>,
    depth: Option<Integer<MOST>>,
    time_ms: Option<Integer<3_600_000>>,
    nodes: Option<Integer<MOST>>,
    search_moves: Option<Vec<String>>,
    algorithm: Option<String>,
    evaluator: Option<String>,
    level: Option<Level>,
    seed: Option<Integer<MOST, 0>>,
    include: Option<Vec<String>>,
}

impl BestMoveRequest {
    /// The board and the search that the request describes.
    pub(in crate::http) fn split(self) -> Result<(BoardRequest, SearchParameters), Problem> {
        let parameters = SearchParameters {
            depth: self.depth.map(|depth| depth.0),
            time: self.time_ms.map(|time| Duration::from_millis(time.0)),
            nodes: self.nodes.map(|nodes| nodes.0),
            search_moves: self.search_moves.map(some_moves).transpose()?,
            algorithm: self.algorithm,
            evaluator: self.evaluator,
            level: self.level.map(Level::number).transpose()?,
            seed: self.seed.map(|seed| seed.0),
            ..SearchParameters::default()
        };
        Ok((board_request(self.game, self.position, self.moves)?, parameters))
    }
}

impl Dto for BestMoveRequest {
    type Typed = Question;

    fn typed(mut self, service: &Service) -> Result<Question, Problem> {
        let include = include(self.include.take(), Described::AfterBestMove)?;
        let (board, parameters) = self.split()?;
        Ok(service.question(&board, parameters, include)?)
    }
}

/// The fields that every request has.
pub(super) fn board_request(
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Moves>,
) -> Result<BoardRequest, Problem> {
    let game = required(game, "game", "the name of a game")?;
    let position = position.map(|position| position.0);
    let (moves, is_record) = match moves {
        None => (Vec::new(), false),
        Some(Moves::List(moves)) => (moves, false),
        Some(Moves::Record(record)) => (record_moves(&game, position.as_ref(), &record)?, true),
    };
    Ok(BoardRequest { game, position, moves, is_record })
}

/// What is told beside the answer.
pub(super) fn include(
    names: Option<Vec<String>>,
    described: Described,
) -> Result<Include, Problem> {
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

/// The moves of a game: one by one, or as its record.
pub(super) enum Moves {
    List(Vec<String>),
    Record(String),
}

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MovesVisitor)
    }
}

struct MovesVisitor;

impl<'de> Visitor<'de> for MovesVisitor {
    type Value = Moves;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an array of moves or a string")
    }

    fn visit_str<E: Error>(self, record: &str) -> Result<Moves, E> {
        Ok(Moves::Record(record.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, moves: A) -> Result<Moves, A::Error> {
        elements(moves).map(Moves::List)
    }
}

/// A level as it came: its number or its name.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the number or the name of a level")]
enum Level {
    Number(Integer<MOST, 0>),
    Name(String),
}

impl Level {
    fn number(self) -> Result<LevelNumber, Problem> {
        let (number, got) = match self {
            Self::Number(Integer(number)) => (LevelNumber::new(number), number.to_string()),
            Self::Name(name) => (LevelNumber::named(&name), format!("'{name}'")),
        };
        number.ok_or_else(|| {
            let names: Vec<_> = LevelNumber::names().collect();
            let detail = format!(
                "level: expected an integer from 1 to {LEVEL_COUNT} or one of {} but got {got}",
                names.join(", ")
            );
            let numbers = LevelNumber::all().map(|level| level.get().to_string());
            let allowed = numbers.chain(names.iter().map(ToString::to_string));
            Problem::new(Kind::InvalidRequest, detail).at("/level").allowing(allowed)
        })
    }
}

/// A list of moves to choose from, which has one.
pub(super) fn some_moves(moves: Vec<String>) -> Result<Vec<String>, Problem> {
    if moves.is_empty() {
        let detail = "search_moves: expected one move or more but got none; leave it out to \
                      consider all moves";
        return Err(Problem::new(Kind::InvalidRequest, detail).at("/search_moves"));
    }
    Ok(moves)
}

pub(super) fn required<T>(value: Option<T>, field: &str, expected: &str) -> Result<T, Problem> {
    value.ok_or_else(|| {
        let detail = format!("{field}: expected {expected} but it is missing");
        Problem::new(Kind::InvalidRequest, detail).at(format!("/{field}"))
    })
}

/// The largest integer on which all readers of JSON agree (RFC 8259, section 6).
pub(super) const MOST: u64 = (1 << 53) - 1;

/// An integer from `MIN`, which is 1 where nothing is said, to `MAX`. As in JSON Schema, 3.0 is one.
pub(super) struct Integer<const MAX: u64, const MIN: u64 = 1>(pub u64);

impl<'de, const MAX: u64, const MIN: u64> Deserialize<'de> for Integer<MAX, MIN> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(Self(0))
    }
}

impl<const MAX: u64, const MIN: u64> Visitor<'_> for Integer<MAX, MIN> {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match MAX {
            MOST => write!(formatter, "an integer, {MIN} or more,"),
            _ => write!(formatter, "an integer from {MIN} to {MAX}"),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self, E> {
        if (MIN..=MAX).contains(&number) {
            return Ok(Self(number));
        }
        Err(E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    #[expect(clippy::cast_precision_loss, reason = "no bound here is above 2^53")]
    fn visit_f64<E: Error>(self, number: f64) -> Result<Self, E> {
        if number.fract() == 0.0 && number >= MIN as f64 && number <= MAX as f64 {
            return Ok(Self(number as u64));
        }
        Err(E::invalid_value(Unexpected::Float(number), &self))
    }
}
