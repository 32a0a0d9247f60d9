//! A line of a batch: a request, and the id by which its answer is known.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{BestMoveRequest, read};
use crate::Problem;

/// A string or an integer by which a client knows a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct LineId(Value);

impl LineId {
    /// Its JSON.
    pub fn json(&self) -> String {
        self.0.to_string()
    }
}

impl<'de> Deserialize<'de> for LineId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LineIdVisitor)
    }
}

/// The characters of an id, which its answer repeats.
const LONGEST_ID: usize = 100;

struct LineIdVisitor;

impl Visitor<'_> for LineIdVisitor {
    type Value = LineId;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a string or an integer")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<LineId, E> {
        if text.chars().nth(LONGEST_ID).is_some() {
            let detail = "expected a string of at most 100 characters, which the answer repeats";
            return Err(E::custom(detail));
        }
        Ok(LineId(text.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<LineId, E> {
        Ok(LineId(number.into()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<LineId, E> {
        Ok(LineId(number.into()))
    }
}

/// A request of `/best-move` with an id.
pub struct BatchLine {
    id: Option<LineId>,
    request: BestMoveRequest,
}

impl BatchLine {
    /// Reads a line: its id, of a line that is refused too, and its request, with the problem of [`read`] in its
    /// place.
    pub fn read(line: &[u8]) -> (Option<LineId>, Result<BestMoveRequest, Problem>) {
        #[derive(Deserialize)]
        struct IdAlone {
            id: Option<LineId>,
        }
        match read::<Self>(line) {
            Ok(Self { id, request }) => (id, Ok(request)),
            Err(problem) => {
                let id = serde_json::from_slice::<IdAlone>(line).ok().and_then(|line| line.id);
                (id, Err(problem))
            }
        }
    }
}

impl<'de> Deserialize<'de> for BatchLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(LineVisitor)
    }
}

struct LineVisitor;

impl<'de> Visitor<'de> for LineVisitor {
    type Value = BatchLine;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<BatchLine, A::Error> {
        let mut id = None;
        let members = WithoutId { members, id: &mut id, has_id: false };
        let request = BestMoveRequest::deserialize(MapAccessDeserializer::new(members))?;
        Ok(BatchLine { id, request })
    }
}

/// The members of an object but its id, which is kept.
struct WithoutId<'a, A> {
    members: A,
    id: &'a mut Option<LineId>,
    has_id: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutId<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(name) = self.members.next_key::<String>()? {
            if name != "id" {
                return seed.deserialize(name.into_deserializer()).map(Some);
            }
            if std::mem::replace(&mut self.has_id, true) {
                return Err(A::Error::duplicate_field("id"));
            }
            *self.id = self.members.next_value()?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.members.next_value_seed(seed)
    }
}
