//! What answers at each route that is about games.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequest, Path, RawQuery, Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};

use super::accept::{EVENTS, prefers, varying};
use super::body::{self, Json};
use super::caching::{self, Tag};
use super::problem::{Kind, Problem};
use super::stream;
use super::visit::{self, Asked};
use super::wire::{self, BestMoveRequest, GameDescription, GameList, Serialize};
use super::{App, batch, request_id};
use crate::games::{self, CATALOGUE};
use crate::service::{self, Found, Question, Timing};

/// `POST /best-move`
pub(super) async fn best_move(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, Problem> {
    if batch::is_batch(request.headers()) {
        return Ok(batch::answers(app, request));
    }
    let (events, id) = (prefers(request.headers(), EVENTS), request_id::of(request.headers()));
    let Json(request) = Json::<BestMoveRequest>::from_request(request, &app).await?;
    if events {
        return stream::events(&app, id, request.try_into()?).await;
    }
    answered(&app, request.try_into()?).await
}

/// `GET /best-move`
pub(super) async fn best_move_by_query(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let request: BestMoveRequest = wire::read_query(query.as_deref().unwrap_or_default())?;
    let question: Question = request.try_into()?;
    let asked = Asked::from(&question.terms);
    let tag = Tag::of(&question);
    if let Some(tag) = tag.as_ref().filter(|tag| tag.is_held(&headers)) {
        app.service.check(&question)?;
        return Ok(tag.not_modified());
    }
    let found = app.service.best_move(question).await?;
    let tag = tag.filter(|_| !found.answer.is_cut_short());
    Ok((caching::headers(tag.as_ref()), response(asked, &found)).into_response())
}

/// The answer to a question, in JSON although it could have been asked for in another form.
pub(super) async fn answered(app: &App, question: Question) -> Result<Response, Problem> {
    let asked = Asked::from(&question.terms);
    let found = app.service.best_move(question).await?;
    Ok(varying(response(asked, &found)))
}

fn response(asked: Asked, found: &Found) -> Response {
    let headers = [(CONTENT_TYPE, JSON), (SERVER_TIMING, server_timing(found.timing))];
    let mut response = (headers, found.answer.body.clone()).into_response();
    visit::note(&mut response, asked, found);
    response
}

/// `GET /games`
pub(super) async fn games() -> Response {
    json(&CATALOGUE.iter().copied().collect::<GameList>())
}

/// `GET /games/{game}`
pub(super) async fn game(name: Result<Path<String>, PathRejection>) -> Result<Response, Problem> {
    let game = name.ok().and_then(|Path(name)| games::find(&name));
    game.map(|game| json(&GameDescription::from(game))).ok_or_else(|| {
        Problem::new(Kind::NotFound, "there is no such game").allowing(service::game_names())
    })
}

/// Any other path.
pub(super) async fn not_found(State(app): State<Arc<App>>, request: Request) -> Problem {
    let detail = format!("there is nothing at {}", request.uri().path());
    body::discard(request, &app.limits).await;
    Problem::new(Kind::NotFound, detail)
}

/// Any other method. The edge adds which are allowed.
pub(super) async fn method_not_allowed(State(app): State<Arc<App>>, request: Request) -> Problem {
    let detail = format!("{} is not allowed here", request.method());
    body::discard(request, &app.limits).await;
    Problem::new(Kind::MethodNotAllowed, detail)
}

/// An answer in JSON.
pub(super) fn json<T: Serialize>(value: &T) -> Response {
    ([(CONTENT_TYPE, JSON)], wire::json(value)).into_response()
}

/// An answer that tells how long it took.
pub(super) fn timed(mut response: Response, timing: Timing) -> Response {
    response.headers_mut().insert(SERVER_TIMING, server_timing(timing));
    response
}

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Times are no part of a body, which is the same for the same request.
fn server_timing(timing: Timing) -> HeaderValue {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let (queue, search) = (milliseconds(timing.queue), milliseconds(timing.search));
    let times = format!("queue;dur={queue:.3}, search;dur={search:.3}");
    HeaderValue::try_from(times).unwrap_or(HeaderValue::from_static(""))
}
