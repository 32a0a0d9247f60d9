//! `/analyze` and its stream.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::best_move::answer;
use crate::http::App;
use crate::http::dto::AnalysisRequest;
use crate::http::extract::Json;
use crate::http::problem::Problem;
use crate::http::sse;

/// `POST /analyze`
pub(in crate::http) async fn analyze(
    State(app): State<Arc<App>>,
    Json(question): Json<AnalysisRequest>,
) -> Result<Response, Problem> {
    answer(&app, question).await
}

/// `POST /analyze/stream`
pub(in crate::http) async fn stream(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(question): Json<AnalysisRequest>,
) -> Result<Response, Problem> {
    sse::progress(&app, &headers, question)
}
