//! The JSON types of requests and answers.

mod answer;
mod board;
mod board_svg;
mod dot;
mod games;
mod integer;
mod position_text;
mod read;
mod request;
mod review;
mod tree;

pub(super) use serde::Serialize;

pub use self::answer::WRITERS;
pub(super) use self::answer::{answer_json, progress_json};
pub(super) use self::board::{PositionAnswer, status};
pub(super) use self::board_svg::BoardSvgRequest;
pub(super) use self::dot::tree_dot;
pub(super) use self::games::{GameDescription, GameList, Health};
pub(super) use self::read::{read, read_object, read_query, read_texts};
pub(super) use self::request::{
    AnalysisRequest, BestMoveRequest, Dto, PositionRequest, ReviewRequest, TreeRequest,
};
pub use self::review::review_json;
pub(super) use self::review::reviewed_move_json;
pub(super) use self::tree::tree_json;

/// `value` as JSON. The types of this service always have one.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    /// The bytes of a usual answer.
    const USUAL: usize = 512;
    let mut json = Vec::with_capacity(USUAL);
    let written = serde_json::to_writer(&mut json, value);
    written.ok().and_then(|()| String::from_utf8(json).ok()).unwrap_or_default()
}
