//! `/games`.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::Response;

use super::body::json;
use super::problem::ProblemResponse;
use bestmove_engine::games;
use bestmove_service::{GameDescription, GameList, Problem, ProblemKind, game_names};

/// `GET /games`
pub(super) async fn list() -> Response {
    json(&GameList::of_catalogue())
}

/// `GET /games/{game}`
pub(super) async fn describe(
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, ProblemResponse> {
    let game = name.ok().and_then(|Path(name)| games::find(&name));
    game.map(|game| json(&GameDescription::from(game))).ok_or_else(|| {
        Problem::new(ProblemKind::NotFound, "there is no such game").allowing(game_names()).into()
    })
}
