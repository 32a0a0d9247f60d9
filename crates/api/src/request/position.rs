//! How a request describes a position, and the board that it describes.
//!
//! The position is a string, rows of cells, or a board with its side to move; moves are a list or a record. They are
//! read by hand, since what is derived for several forms can't say what was expected.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::fields::Scalar;
use crate::Refusal;
use bestmove_engine::game::{GameInfo, Place, PositionText, Record, VariantTag, excerpt};
use bestmove_engine::games;
use bestmove_engine::games::any::{AnyBoard, AnyGame, AnyLine, RequestError};
use bestmove_engine::search::Algorithm;

/// The texts of a request that describe a position.
#[derive(Clone, Debug)]
pub struct BoardRequest {
    /// The name of the game.
    pub game: String,
    /// The variant of the game; the standard one where absent.
    pub variant: Option<String>,
    /// The position, or the start of the game.
    pub position: Option<PositionText>,
    /// The moves played from it.
    pub moves: Vec<String>,
    /// Where each move stands, if they came as one string.
    pub places: Option<Vec<Place>>,
    /// Where each of the moves to choose from stands, if they came as one string.
    pub choice_places: Option<Vec<Place>>,
}

impl BoardRequest {
    /// The game.
    ///
    /// # Errors
    /// Where there is no such game or variant.
    pub fn game(&self) -> Result<&'static dyn AnyGame, Refusal> {
        game(&self.game, self.variant.as_deref())
    }

    /// The board that the texts describe.
    ///
    /// # Errors
    /// Where there is no such game, or the position or a move can't be read.
    pub fn board(&self) -> Result<Box<dyn AnyBoard>, Refusal> {
        self.read(|game| game.board(self.position.as_ref(), &self.moves))
    }

    /// The game as it was played.
    ///
    /// # Errors
    /// As [`board`](Self::board).
    pub fn line(&self) -> Result<Box<dyn AnyLine>, Refusal> {
        self.read(|game| game.line(self.position.as_ref(), &self.moves))
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&dyn AnyGame) -> Result<T, RequestError>,
    ) -> Result<T, Refusal> {
        Ok(read(self.game()?).map_err(|error| self.placed(error))?)
    }

    /// The error for a move, with its place where it stands in a text.
    pub(crate) fn placed(&self, error: RequestError) -> RequestError {
        match error {
            RequestError::Move { list, index, text, error, allowed, .. } => {
                let places = if list == "moves" { &self.places } else { &self.choice_places };
                let place = |places: &Vec<Place>| {
                    places.get(index).copied().unwrap_or(Place { line: 1, column: 1 })
                };
                let place = places.as_ref().map(place);
                RequestError::Move { list, index, place, text, error, allowed }
            }
            other => other,
        }
    }
}

/// The variant of that name, or the standard one, of a game.
fn game(name: &str, variant: Option<&str>) -> Result<&'static dyn AnyGame, Refusal> {
    let unknown = || Refusal::UnknownGame(name.to_owned());
    let standard = games::find(name).ok_or_else(unknown)?;
    let Some(variant) = variant else { return Ok(standard) };
    let found = games::variants(name).find(|game| game.info().is_variant(variant));
    found.ok_or_else(|| {
        let (title, variant) = (standard.info().title, excerpt(variant));
        let detail = format!("{title} has no variant '{variant}'");
        let allowed = games::variants(name).map(|game| game.info().variant.to_owned()).collect();
        RequestError::Choice { field: "variant", detail, allowed }.into()
    })
}

/// The position and the moves of the record of a game that begins in `position`, or where its tag `FEN` says.
///
/// # Errors
/// Where the record is unreadable, or its tag names another position than `position`.
pub(super) fn read_record(
    game: String,
    variant: Option<String>,
    position: Option<PositionText>,
    text: &str,
) -> Result<BoardRequest, Refusal> {
    let mut known = self::game(&game, variant.as_deref())?;
    let read =
        |game: &dyn AnyGame| game.read_record(text).map_err(|error| refused("moves", error.0));
    let mut record = read(known)?;
    let mut variant = variant;
    if let Some(tagged) = tagged_variant(&game, variant.as_deref(), &record)? {
        (known, variant) = (tagged, Some(tagged.info().variant.to_owned()));
        record = read(known)?;
    }
    let Record { start, moves, places, last_comment, .. } = record;
    let position = match start {
        Some(start) => Some(tagged_start(known, position, start)?),
        None => position,
    };
    let places = Some(places);
    let request = BoardRequest { game, variant, position, moves, places, choice_places: None };
    if let Some((words, place)) = last_comment.filter(|(words, _)| !words.is_empty()) {
        let moves = [&request.moves[..], &words].concat();
        if known.board(request.position.as_ref(), &moves).is_ok() {
            let detail = format!(
                "the ';' at {place} begins a comment, but moves of the game follow it: write commas between \
                 moves, and braces around comments"
            );
            return Err(refused("moves", detail));
        }
    }
    Ok(request)
}

/// The algorithm of this name: one of `offered`, or of those that can search the game.
///
/// # Errors
/// Where it is none of them.
pub(super) fn read_algorithm(
    game: &str,
    variant: Option<&str>,
    name: &str,
    offered: Option<&[Algorithm]>,
) -> Result<Algorithm, Refusal> {
    let game = self::game(game, variant)?;
    let all = game.algorithms();
    Ok(game.algorithm(name, offered.unwrap_or(&all))?)
}

/// The moves of a text that lists moves to choose from, and their places.
///
/// # Errors
/// Where the text is unreadable.
pub(super) fn read_choices(
    game: &str,
    variant: Option<&str>,
    text: &str,
) -> Result<(Vec<String>, Vec<Place>), Refusal> {
    let game = self::game(game, variant)?;
    let record = game.read_record(text).map_err(|error| refused("search_moves", error.0))?;
    Ok((record.moves, record.places))
}

/// The variant that a tag of the record names, where the request names none.
///
/// # Errors
/// Where the tag names other rules than the game has.
fn tagged_variant(
    game: &str,
    asked: Option<&str>,
    record: &Record,
) -> Result<Option<&'static dyn AnyGame>, Refusal> {
    let Some(VariantTag { tag, variant }) = &record.variant else { return Ok(None) };
    let is_named = |info: &GameInfo| info.is_variant(variant) || info.is_game(variant);
    match games::variants(game).find(|game| is_named(game.info())) {
        Some(tagged) => Ok(Some(tagged).filter(|_| asked.is_none())),
        None => {
            let variant = excerpt(variant);
            let detail =
                format!("its tag {tag} names '{variant}', whose rules are not played here");
            Err(refused("moves", detail))
        }
    }
}

/// The start that the tag `FEN` of a record names, which `position` may repeat.
fn tagged_start(
    game: &dyn AnyGame,
    position: Option<PositionText>,
    start: String,
) -> Result<PositionText, Refusal> {
    let tagged = PositionText::Text(start);
    let written = |position| game.board(Some(position), &[]).map(|board| board.state().position);
    let start = written(&tagged).map_err(|error| match error {
        RequestError::Position(error) => refused("moves", format!("its tag FEN: {error}")),
        other => other.into(),
    })?;
    if let Some(position) = position {
        let given = written(&position)?;
        if given != start {
            let detail = format!(
                "its tag FEN says that the game begins in '{start}', but position is '{given}': leave one of \
                 them out"
            );
            return Err(refused("moves", detail));
        }
    }
    Ok(tagged)
}

fn refused(field: &'static str, detail: String) -> Refusal {
    RequestError::Choice { field, detail, allowed: Vec::new() }.into()
}

/// A position as a caller writes it.
pub(crate) struct Position(pub(super) PositionText);

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PositionVisitor).map(Self)
    }
}

struct PositionVisitor;

impl<'de> Visitor<'de> for PositionVisitor {
    type Value = PositionText;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a string, an array of rows or an object")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<PositionText, E> {
        let json = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        if !json.starts_with(['[', '{']) {
            return Ok(PositionText::Text(text.to_owned()));
        }
        // Some clients send the JSON text of an array or object in its place.
        match serde_json::from_str::<Value>(json) {
            Ok(value) => Position::deserialize(value).map(|Position(text)| text).map_err(E::custom),
            Err(_) => Ok(PositionText::Text(text.to_owned())),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<PositionText, E> {
        Ok(PositionText::Text(number.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, rows: A) -> Result<PositionText, A::Error> {
        Ok(PositionText::Rows(
            Vec::deserialize(SeqAccessDeserializer::new(rows))?
                .into_iter()
                .map(|Row(cells)| cells)
                .collect(),
        ))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<PositionText, A::Error> {
        let Board { board, side_to_move } =
            Board::deserialize(MapAccessDeserializer::new(members))?;
        let rows = board.into_iter().map(|Row(cells)| cells).collect();
        Ok(PositionText::Board { rows, side_to_move: side_to_move.0 })
    }
}

/// The board as answers show it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Board {
    board: Vec<Row>,
    side_to_move: Side,
}

/// The name of a side, or its number.
struct Side(String);

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(Scalar { expected: "a string", null: None, zero: "0" })
            .map(Self)
    }
}

/// A row, or a cell of a board that is one flat list.
struct Row(Vec<String>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(
            "a row: a string or an array of cells; or a cell: a string, an integer or null",
        )
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Row, E> {
        Ok(Row(text.chars().map(String::from).collect()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Row, E> {
        CELL.visit_u64(number).map(Row::of_cell)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Row, E> {
        CELL.visit_i64(number).map(Row::of_cell)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Row, E> {
        CELL.visit_f64(number).map(Row::of_cell)
    }

    fn visit_unit<E: Error>(self) -> Result<Row, E> {
        CELL.visit_unit().map(Row::of_cell)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, cells: A) -> Result<Row, A::Error> {
        let cells: Vec<Cell> = Vec::deserialize(SeqAccessDeserializer::new(cells))?;
        Ok(Row(cells.into_iter().map(|Cell(text)| text).collect()))
    }
}

impl Row {
    fn of_cell(cell: String) -> Self {
        Self(vec![cell])
    }
}

struct Cell(String);

const CELL: Scalar =
    Scalar { expected: "a cell: a string, an integer or null", null: Some(""), zero: "" };

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CELL).map(Self)
    }
}
