//! `/games`.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;

use super::app::App;
use super::body::json_body;
use super::problem::ProblemResponse;
use bestmove_api::{GameDescription, GameList, Problem, ProblemKind, game_names};
use bestmove_engine::games;
use bestmove_service::write_json;

/// `GET /games`
pub(super) async fn list(State(app): State<Arc<App>>) -> Result<Response, ProblemResponse> {
    let list = app.service.pool().run_short(|| write_json(&GameList::of_catalogue()));
    json_body(&app, list.await??)
}

/// `GET /games/{game}`
pub(super) async fn describe(
    State(app): State<Arc<App>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, ProblemResponse> {
    let game = name.ok().and_then(|Path(name)| games::find(&name)).ok_or_else(|| {
        Problem::new(ProblemKind::NotFound, "there is no such game").allowing(game_names())
    })?;
    let game = app.service.pool().run_short(move || write_json(&GameDescription::from(game)));
    json_body(&app, game.await??)
}
