//! `/position` and `/board.svg`: a position without any search.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::body::{Json, Query, json_body, typed_body};
use super::etag::{self, Tag};
use super::problem::ProblemResponse;
use bestmove_api::{BoardSvgRequest, PositionAnswer, PositionRequest};
use bestmove_service::write_json;

/// `POST /position`
pub(super) async fn describe(
    State(app): State<Arc<App>>,
    Json(board): Json<PositionRequest>,
) -> Result<Response, ProblemResponse> {
    // Each of up to hundreds of legal moves is played and written out.
    let described =
        app.service.pool().run_short(move || write_json(&PositionAnswer::from(&*board)));
    json_body(&app, described.await??)
}

const SVG: HeaderValue = HeaderValue::from_static("image/svg+xml");

/// `GET /board.svg`: a picture of a position.
pub(super) async fn picture(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(picture): Query<BoardSvgRequest>,
) -> Result<Response, ProblemResponse> {
    let svg = app.service.pool().run_short(move || picture.svg()).await?;
    // Its tag is weak, so it may be compressed.
    let tag = Tag::of_text(&svg);
    if tag.is_held(&headers) {
        return Ok(tag.not_modified());
    }
    Ok((etag::headers(Some(&tag)), typed_body(&app, SVG, svg)?).into_response())
}
