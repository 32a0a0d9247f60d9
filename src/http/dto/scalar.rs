//! A string, or what stands for one.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};

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
