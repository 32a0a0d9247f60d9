//! A position in a request: a string, rows of cells, or a board with its side to move.
//!
//! Read by hand, since what is derived for several forms can't say what was expected.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::fields::Scalar;
use bestmove_engine::game::PositionText;

/// A position as a caller writes it.
pub(super) struct Position(pub PositionText);

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
