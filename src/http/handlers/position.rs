//! `/position` and `/board.svg`: a position without any search.

use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::json_body;
use crate::http::dto::{self, BoardSvgRequest, PositionAnswer, PositionRequest};
use crate::http::etag::{self, Tag};
use crate::http::extract::{Json, Query, blocking};
use crate::http::problem::Problem;

/// `POST /position`
pub(in crate::http) async fn describe(
    Json(board): Json<PositionRequest>,
) -> Result<Response, Problem> {
    // Hundreds of legal moves are each played and written out.
    blocking(move || dto::json(&PositionAnswer::from(&*board))).await.map(json_body)
}

/// `GET /board.svg`: a picture of a position.
pub(in crate::http) async fn picture(
    headers: HeaderMap,
    Query(picture): Query<BoardSvgRequest>,
) -> Response {
    let svg = picture.svg();
    // Its tag is weak, so it may be compressed.
    let tag = Tag::of_text(&svg);
    if tag.is_held(&headers) {
        return tag.not_modified();
    }
    (etag::headers(Some(&tag)), [(CONTENT_TYPE, "image/svg+xml")], svg).into_response()
}
