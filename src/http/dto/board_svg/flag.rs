//! A flag of a query.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// A flag as forms, scripts and people write it; one without a value is set.
pub(super) struct Flag(pub(super) bool);

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
