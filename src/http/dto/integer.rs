//! The integers of requests, each with its range.

use std::fmt;

use serde::de::{Error, Expected, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// The largest integer on which all readers of JSON agree (RFC 8259, section 6).
pub(super) const MOST: u64 = (1 << 53) - 1;

/// An integer from `MIN`, which is 1 where nothing is said, to `MAX`. As in JSON Schema, 3.0 is one.
#[derive(Clone, Copy)]
pub(super) struct Integer<const MAX: u64, const MIN: u64 = 1>(pub(super) u64);

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
            let expected: &dyn Expected = &self;
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
            return Ok(Self(number as u64));
        }
        Err(E::invalid_value(Unexpected::Float(number), &self))
    }
}

fn too_large<E: Error>(number: impl fmt::Display) -> E {
    E::custom(format_args!("expected an integer of at most {MOST} but got {number}"))
}
