//! `/tree` as JSON and as DOT.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderValue;
use axum::response::Response;

use super::{json_body, timed, typed_body};
use crate::http::app::App;
use crate::http::dto::{self, TreeRequest, tree_dot};
use crate::http::extract::Json;
use crate::http::problem::Problem;

/// `POST /tree`
pub(in crate::http) async fn json(
    State(app): State<Arc<App>>,
    Json(tree): Json<TreeRequest>,
) -> Result<Response, Problem> {
    let (body, timing) = app.service.tree(tree, dto::json).await?;
    Ok(timed(json_body(&app, body)?, timing))
}

/// `POST /tree/dot`
pub(in crate::http) async fn dot(
    State(app): State<Arc<App>>,
    Json(tree): Json<TreeRequest>,
) -> Result<Response, Problem> {
    const GRAPHVIZ: HeaderValue = HeaderValue::from_static("text/vnd.graphviz; charset=utf-8");
    let (body, timing) = app.service.tree(tree, tree_dot).await?;
    Ok(timed(typed_body(&app, GRAPHVIZ, body)?, timing))
}
