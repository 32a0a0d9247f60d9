//! `/tree`: the decision tree of a search.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::app::App;
use super::body::{Json, json_body, timed};
use super::problem::ProblemResponse;
use bestmove_service::{TreeRequest, to_json};

/// `POST /tree`
pub(super) async fn json(
    State(app): State<Arc<App>>,
    Json(tree): Json<TreeRequest>,
) -> Result<Response, ProblemResponse> {
    let (body, timing) = app.service.tree(tree, to_json).await?;
    Ok(timed(json_body(&app, body)?, timing))
}
