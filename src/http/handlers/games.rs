//! `/games`.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::Response;

use super::json;
use crate::http::dto::{GameDescription, GameList};
use crate::http::problem::{Kind, Problem};
use crate::service;
use bestmove_engine::games;

/// `GET /games`
pub(in crate::http) async fn list() -> Response {
    json(&GameList::new())
}

/// `GET /games/{game}`
pub(in crate::http) async fn describe(
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, Problem> {
    let game = name.ok().and_then(|Path(name)| games::find(&name));
    game.map(|game| json(&GameDescription::from(game))).ok_or_else(|| {
        Problem::new(Kind::NotFound, "there is no such game").allowing(service::game_names())
    })
}
