//! Every JSON type: what requests may say and what answers look like.

mod answer;
mod games;
mod health;
mod position;
mod reading;
mod request;

pub(super) use serde::Serialize;
pub(super) use serde::de::DeserializeOwned;

pub(super) use self::answer::{standing, written};
pub(super) use self::games::{GameDescription, GameList};
pub(super) use self::health::Health;
pub(super) use self::reading::{read, read_query};
pub(super) use self::request::BestMoveRequest;

/// `value` as JSON. The types of this service always have one.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
