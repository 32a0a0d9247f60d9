//! `/tree`.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::app::App;
use super::body::{Json, json_body, timed};
use super::problem::ProblemResponse;
use bestmove_api::TreeRequest;

/// `POST /tree`
pub(super) async fn json(
    State(app): State<Arc<App>>,
    Json(tree): Json<TreeRequest>,
) -> Result<Response, ProblemResponse> {
    let (json, timing) = app.service.tree(tree).await?;
    Ok(timed(json_body(&app, json)?, timing))
}
