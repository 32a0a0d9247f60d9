//! Every JSON type: what requests may say and what answers look like. One file per resource.

mod analysis;
mod answer;
mod best_move_request;
mod board;
mod board_svg;
mod document;
mod dot;
mod evaluation;
mod games;
mod health;
mod position;
mod position_text;
mod read;
mod review;
mod tree;

pub(super) use serde::Serialize;
use serde::de::DeserializeOwned;

pub(super) use self::analysis::AnalysisRequest;
pub(super) use self::answer::{answer_json, progress_json};
pub(super) use self::best_move_request::BestMoveRequest;
pub(super) use self::board::{extend_json, status};
pub(super) use self::board_svg::BoardSvgRequest;
pub(super) use self::dot::tree_dot;
pub(super) use self::games::{GameDescription, GameList};
pub(super) use self::health::Health;
pub(super) use self::position::{PositionAnswer, PositionRequest};
pub(super) use self::read::{read, read_object, read_query, read_texts};
pub use self::review::review_json;
pub(super) use self::review::{ReviewRequest, reviewed_move_json};
pub(super) use self::tree::{TreeRequest, tree_json};
use super::problem::Problem;
use crate::service::Service;

/// The fields of a request, which stand for a typed value.
pub(super) trait Dto: DeserializeOwned + Send {
    /// The request as the service takes it: whatever exists can be run.
    type Typed: Send + 'static;

    /// Reads position, moves and limits.
    ///
    /// # Errors
    /// Where one of them is wrong.
    fn typed(self, service: &Service) -> Result<Self::Typed, Problem>;
}

/// `value` as JSON. The types of this service always have one.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
