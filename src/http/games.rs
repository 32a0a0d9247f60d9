//! `/games`.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;

use super::app::App;
use super::body::json_body;
use super::problem::ProblemResponse;
use bestmove_api::{GameDescription, GameList};
use bestmove_service::{Failure, write_json};

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
    let name = name.ok().map(|Path(name)| name);
    let game = app.service.pool().run_short(move || {
        let game = GameDescription::named(name.as_deref()).map_err(Failure::from);
        game.and_then(|game| write_json(&game))
    });
    json_body(&app, game.await??)
}
