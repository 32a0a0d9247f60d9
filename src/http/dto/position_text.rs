//! A position in a request: a string, rows of cells, or a board with its side to move.
//!
//! Read by hand, since what is derived for several forms can't say what was expected.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

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
        Ok(PositionText::Text(text.to_owned()))
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
        Ok(PositionText::Board { rows, side_to_move })
    }
}

/// The board as answers show it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Board {
    board: Vec<Row>,
    side_to_move: String,
}

struct Row(Vec<String>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrArray {
            expected: "a row: a string or an array of cells",
            text: |text| Self(text.chars().map(String::from).collect()),
            array: |cells: Vec<Cell>| Self(cells.into_iter().map(|Cell(text)| text).collect()),
        })
    }
}

/// Reads a string or an array of `E`.
pub(super) struct TextOrArray<T, E> {
    pub expected: &'static str,
    pub text: fn(&str) -> T,
    pub array: fn(Vec<E>) -> T,
}

impl<'de, T, E: Deserialize<'de>> Visitor<'de> for TextOrArray<T, E> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.expected)
    }

    fn visit_str<Error>(self, text: &str) -> Result<T, Error> {
        Ok((self.text)(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<T, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(elements)).map(self.array)
    }
}

struct Cell(String);

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct CellVisitor;

impl Visitor<'_> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a cell: a string or null")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cell, E> {
        Ok(Cell(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Cell, E> {
        Ok(Cell(String::new()))
    }
}
