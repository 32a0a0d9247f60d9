//! `/review` and its stream.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::app::App;
use super::body::{Json, json_body, timed};
use super::problem::ProblemResponse;
use super::sse;
use bestmove_api::ReviewRequest;

/// `POST /review`
pub(super) async fn review(
    State(app): State<Arc<App>>,
    Json(review): Json<ReviewRequest>,
) -> Result<Response, ProblemResponse> {
    let (json, timing) = app.service.review(review)?.finish().await?;
    Ok(timed(json_body(&app, json)?, timing))
}

/// `POST /review/stream`
pub(super) async fn stream(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(review): Json<ReviewRequest>,
) -> Result<Response, ProblemResponse> {
    sse::review(&app, &headers, review)
}
