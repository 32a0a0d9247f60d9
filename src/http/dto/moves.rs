//! Moves in a request: one by one, or as one text.

use serde::de::{Error, SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer};
use std::fmt;

use super::scalar::Scalar;

/// The moves of a game, or moves to choose from.
pub(super) enum Moves {
    /// One by one.
    List(Vec<String>),
    /// As one text, such as the record of a game.
    Text(String),
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

    fn visit_str<E: Error>(self, text: &str) -> Result<Moves, E> {
        Ok(Moves::Text(unescaped(text).unwrap_or_else(|| text.to_owned())))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Moves, E> {
        Ok(Moves::Text(number.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, moves: A) -> Result<Moves, A::Error> {
        let moves: Vec<OneMove> = Vec::deserialize(SeqAccessDeserializer::new(moves))?;
        Ok(Moves::List(moves.into_iter().map(|OneMove(text)| text).collect()))
    }
}

/// The moves in the JSON text of an array, where it has escapes; the reader of records reads others itself.
fn unescaped(text: &str) -> Option<String> {
    if !text.contains('\\') {
        return None;
    }
    let moves: Vec<OneMove> = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let moves: Vec<String> = moves.into_iter().map(|OneMove(text)| text).collect();
    Some(moves.join(", "))
}

/// A move as a text, or as the integer that names it.
struct OneMove(String);

impl<'de> Deserialize<'de> for OneMove {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let scalar = Scalar { expected: "a move: a string or an integer", null: None, zero: "0" };
        deserializer.deserialize_any(scalar).map(Self)
    }
}
