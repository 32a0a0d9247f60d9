//! The JSON types of requests and answers.

mod answer;
mod board_svg;
mod dot;
mod fields;
mod games;
mod position_text;
mod read;
mod request;

pub(super) use self::answer::{PositionAnswer, ReviewProgress, answer_json, json};
pub(super) use self::board_svg::BoardSvgRequest;
pub(super) use self::dot::tree_dot;
pub(super) use self::games::{GameDescription, GameList, Health};
pub(super) use self::read::{read, read_query, read_texts};
pub(super) use self::request::{
    AnalysisRequest, BestMoveRequest, Dto, PositionRequest, ReviewRequest, TreeRequest,
};
