//! The types of fields that JSON writes in several forms, or with a range.

use std::fmt;

use serde::de::{Error, Expected, SeqAccess, Unexpected, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer};

use crate::Problem;
use bestmove_engine::game::{LEVEL_COUNT, LevelNumber, excerpt};

/// The largest integer on which all readers of JSON agree (RFC 8259, section 6).
pub(super) const MOST: u64 = (1 << 53) - 1;

/// An integer from `MIN`, which is 1 where nothing is said, to `MAX`. As in JSON Schema, 3.0 is one.
#[derive(Clone, Copy)]
pub(crate) struct Integer<const MAX: u64, const MIN: u64 = 1>(pub(crate) u64);

impl<const MAX: u64, const MIN: u64> From<Integer<MAX, MIN>> for u64 {
    fn from(integer: Integer<MAX, MIN>) -> Self {
        integer.0
    }
}

impl<'de, const MAX: u64, const MIN: u64> Deserialize<'de> for Integer<MAX, MIN> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self(0))
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
        if MAX == MOST && number > MOST {
            return Err(too_large(number));
        }
        if (MIN..=MAX).contains(&number) {
            return Ok(Self(number));
        }
        Err(E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    /// A number in quotes is none; where it would do without them, that is what is said.
    fn visit_str<E: Error>(self, text: &str) -> Result<Self, E> {
        let number = text.parse::<serde_json::Number>().ok().and_then(|number| number.as_f64());
        if number.is_some_and(|number| self.visit_f64::<E>(number).is_ok()) {
            let (expected, text): (&dyn Expected, _) = (&self, excerpt(text));
            return Err(E::custom(format_args!(
                "expected {expected} but got the string {text:?}: write {text} without quotes"
            )));
        }
        Err(E::invalid_type(Unexpected::Str(text), &self))
    }

    #[expect(clippy::cast_precision_loss, reason = "no bound here is above 2^53")]
    fn visit_f64<E: Error>(self, number: f64) -> Result<Self, E> {
        if MAX == MOST && number > MOST as f64 {
            return Err(too_large(number));
        }
        if number.fract() == 0.0 && number >= MIN as f64 && number <= MAX as f64 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is an integer in range"
            )]
            return Ok(Self(number as u64));
        }
        Err(E::invalid_value(Unexpected::Float(number), &self))
    }
}

/// Shows 1e300 with an exponent, as `Debug` does.
fn too_large<E: Error>(number: impl fmt::Debug) -> E {
    E::custom(format_args!("expected an integer of at most {MOST} but got {number:?}"))
}

/// Reads a string or an integer as a string.
pub(super) struct Scalar {
    /// What is expected, in words.
    pub expected: &'static str,
    /// What `null` stands for, where it stands for something.
    pub null: Option<&'static str>,
    /// What the integer 0 stands for.
    pub zero: &'static str,
}

impl Visitor<'_> for Scalar {
    type Value = String;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
        Ok(if number == 0 { self.zero.to_owned() } else { number.to_string() })
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<String, E> {
        if number == 0.0 {
            return self.visit_u64(0);
        }
        if number.fract() == 0.0 && number.abs() < 1e15 {
            return Ok(format!("{number:.0}"));
        }
        Err(E::invalid_type(Unexpected::Float(number), &self))
    }

    fn visit_unit<E: Error>(self) -> Result<String, E> {
        self.null.map(str::to_owned).ok_or_else(|| E::invalid_type(Unexpected::Unit, &self))
    }
}

/// The moves of a game, or moves to choose from.
pub(crate) enum Moves {
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

/// A level as it came: its number or its name.
pub(super) enum Level {
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
    /// The number of a level that there is.
    pub(super) fn number(self) -> Result<LevelNumber, Problem> {
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
    let level = text.parse().ok().and_then(LevelNumber::new).map(LevelNumber::get);
    let advice = level.map(|level| format!(": write {level} without quotes")).unwrap_or_default();
    format!("the string {:?}{advice}", excerpt(text))
}

/// A flag as forms, scripts and people write it; one without a value is set.
pub(crate) struct Flag(pub(crate) bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FlagVisitor).map(Self)
    }
}

struct FlagVisitor;

impl Visitor<'_> for FlagVisitor {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("true or false (or 1 or 0, yes or no)")
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<bool, E> {
        Ok(flag)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<bool, E> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" | "" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }
}
