//! Every JSON type: what requests may say and what answers look like.

mod analysis;
mod answer;
mod board;
mod evaluation;
mod games;
mod health;
mod position;
mod reading;
mod request;
mod tree;

pub(super) use serde::Serialize;
pub(super) use serde::de::DeserializeOwned;

pub(super) use self::analysis::AnalysisRequest;
pub(super) use self::answer::{standing, written, written_so_far};
pub(super) use self::board::{PositionAnswer, PositionRequest};
pub(super) use self::games::{GameDescription, GameList};
pub(super) use self::health::Health;
pub(super) use self::reading::{read, read_query, read_texts};
pub(super) use self::request::BestMoveRequest;
pub(super) use self::tree::{TreeAnswer, TreeRequest};

/// `value` as JSON. The types of this service always have one.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
