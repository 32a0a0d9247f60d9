//! `/review` and its stream.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::{json_body, timed};
use crate::http::app::App;
use crate::http::dto::{self, ReviewRequest};
use crate::http::extract::Json;
use crate::http::problem::Problem;
use crate::http::sse;

/// `POST /review`
pub(in crate::http) async fn review(
    State(app): State<Arc<App>>,
    Json(review): Json<ReviewRequest>,
) -> Result<Response, Problem> {
    let review = app.service.review(review).await?;
    let timing = review.timing;
    let body = app.service.pool().run_short(move || dto::json(&review)).await?;
    Ok(timed(json_body(&app, body)?, timing))
}

/// `POST /review/stream`
pub(in crate::http) async fn stream(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(review): Json<ReviewRequest>,
) -> Result<Response, Problem> {
    sse::review(&app, &headers, review)
}
