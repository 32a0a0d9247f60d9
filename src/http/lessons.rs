//! What answers at the routes for front ends and lessons.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::accept::{DOT, EVENTS, prefers, varying};
use super::body::Json;
use super::endpoints::{answered, json, timed};
use super::problem::Problem;
use super::stream;
use super::wire::{AnalysisRequest, PositionAnswer, PositionRequest, TreeAnswer, TreeRequest};
use super::{App, dot, request_id};
use crate::service;

/// `POST /position`
pub(super) async fn position(Json(request): Json<PositionRequest>) -> Result<Response, Problem> {
    let board = service::board(&request.try_into()?)?;
    Ok(json(&PositionAnswer::from(&*board)))
}

/// `POST /analyze`
pub(super) async fn analyze(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(request): Json<AnalysisRequest>,
) -> Result<Response, Problem> {
    if prefers(&headers, EVENTS) {
        let id = request_id::of(&headers);
        return stream::events(&app, id, request.try_into()?).await;
    }
    answered(&app, request.try_into()?).await
}

/// `POST /tree`
pub(super) async fn tree(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(request): Json<TreeRequest>,
) -> Result<Response, Problem> {
    const GRAPHVIZ: &str = "text/vnd.graphviz; charset=utf-8";
    let (question, max_nodes) = request.try_into()?;
    let (tree, timing) = app.service.tree(question, max_nodes).await?;
    let response = if prefers(&headers, DOT) {
        ([(CONTENT_TYPE, GRAPHVIZ)], dot::drawing(&tree)).into_response()
    } else {
        json(&TreeAnswer::from(&tree))
    };
    Ok(varying(timed(response, timing)))
}
