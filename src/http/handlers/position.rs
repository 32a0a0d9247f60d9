//! `/position`.

use axum::response::Response;
use tokio::task::spawn_blocking;

use super::json_body;
use crate::http::dto::{self, PositionAnswer, PositionRequest};
use crate::http::extract::Json;
use crate::http::problem::Problem;

/// `POST /position`
pub(in crate::http) async fn describe(
    Json(board): Json<PositionRequest>,
) -> Result<Response, Problem> {
    // Hundreds of legal moves are each played and written out.
    let described = spawn_blocking(move || dto::json(&PositionAnswer::from(&*board)));
    described.await.map(json_body).map_err(|panic| Problem::panicked(&panic))
}
