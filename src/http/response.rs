//! The answers of handlers: a body of some media type, its time, and what is not there.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::response::Response;
use serde::Serialize;

use super::app::App;
use super::extract::discard;
use super::problem::ProblemResponse;
use bestmove_service::{Failure, Timing, to_json};
use bestmove_service::{Problem, ProblemKind};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// An answer in JSON.
pub(super) fn json<T: Serialize>(value: &T) -> Response {
    with_type(JSON, to_json(value))
}

/// An answer that is JSON already. It is refused where too many large ones wait to be read.
pub(super) fn json_body(app: &App, body: impl Into<Bytes>) -> Result<Response, ProblemResponse> {
    typed_body(app, JSON, body)
}

/// As [`json_body`], of another media type.
pub(super) fn typed_body(
    app: &App,
    kind: HeaderValue,
    body: impl Into<Bytes>,
) -> Result<Response, ProblemResponse> {
    let body = app.service.pool().unsent(body).map_err(Failure::from)?;
    Ok(with_type(kind, body))
}

fn with_type(kind: HeaderValue, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// Adds the `Server-Timing` header. Times are no part of a body: it is the same for the same request.
pub(super) fn timed(mut response: Response, timing: Timing) -> Response {
    let [queue, search] = [timing.queue, timing.search].map(|time| time.as_secs_f64() * 1e3);
    let times = format!("queue;dur={queue:.3}, search;dur={search:.3}");
    if let Ok(times) = HeaderValue::try_from(times) {
        response.headers_mut().insert(SERVER_TIMING, times);
    }
    response
}

/// Any other path.
pub(super) async fn not_found(State(app): State<Arc<App>>, request: Request) -> ProblemResponse {
    let detail = format!("there is nothing at {}", request.uri().path());
    discard(request, &app.limits).await;
    Problem::new(ProblemKind::NotFound, detail).into()
}

/// Any other method. The outermost layer adds which are allowed.
pub(super) async fn method_not_allowed(
    State(app): State<Arc<App>>,
    request: Request,
) -> ProblemResponse {
    let detail = format!("{} is not allowed here", request.method());
    discard(request, &app.limits).await;
    Problem::new(ProblemKind::MethodNotAllowed, detail).into()
}
