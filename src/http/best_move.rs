//! `/best-move` and `/analyze`, and their streams.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::body::{Json, Query, json_body, timed, typed_body};
use super::etag::{self, Tag};
use super::problem::ProblemResponse;
use super::sse;
use bestmove_api::{BestMoveRequest, Job, Prepare};
use bestmove_service::{FoundAnswer, Priority, WrittenAnswer};

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// `POST /best-move` and `POST /analyze`
pub(super) async fn by_body<R: Prepare<Prepared = Job>>(
    State(app): State<Arc<App>>,
    Json(job): Json<R>,
) -> Result<Response, ProblemResponse> {
    let found = app.service.run(job, Priority::Single).await?;
    Ok(recorded(json_body(&app, found.answered.json.clone())?, found))
}

/// `GET /best-move`
pub(super) async fn by_query(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(job): Query<BestMoveRequest>,
) -> Result<Response, ProblemResponse> {
    cacheable(&app, &headers, job, |found| json_body(&app, found.json.clone())).await
}

/// `GET /best-move.txt`: the best move alone, for scripts.
pub(super) async fn text_by_query(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(job): Query<BestMoveRequest>,
) -> Result<Response, ProblemResponse> {
    cacheable(&app, &headers, job, |found| {
        typed_body(&app, TEXT, format!("{}\n", found.answer.best_move.text))
    })
    .await
}

/// The answer to a job, which HTTP caches may keep, in the form that `written` gives it.
async fn cacheable(
    app: &App,
    headers: &HeaderMap,
    job: Job,
    written: impl FnOnce(&WrittenAnswer) -> Result<Response, ProblemResponse>,
) -> Result<Response, ProblemResponse> {
    let tag = Tag::of(&job);
    if let Some(tag) = tag.as_ref().filter(|tag| tag.is_held(headers)) {
        return Ok(tag.not_modified());
    }
    let found = app.service.run(job, Priority::Single).await?;
    let tag = tag.filter(|_| !found.answered.answer.is_cut_short());
    let response = written(&found.answered)?;
    Ok((etag::headers(tag.as_ref()), recorded(response, found)).into_response())
}

/// Adds `found` to the response, for the log.
fn recorded(response: Response, found: FoundAnswer) -> Response {
    let mut response = timed(response, found.timing);
    response.extensions_mut().insert(found);
    response
}

/// `POST /best-move/stream` and `POST /analyze/stream`
pub(super) async fn stream_by_body<R: Prepare<Prepared = Job>>(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(job): Json<R>,
) -> Result<Response, ProblemResponse> {
    sse::progress(&app, &headers, job).await
}

/// `GET /best-move/stream`: for a browser's `EventSource`, which reconnects after every end and cannot
/// read the status of an error.
pub(super) async fn stream_by_query(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    query: Result<Query<BestMoveRequest>, ProblemResponse>,
) -> Response {
    if sse::has_ended(&headers) {
        return StatusCode::NO_CONTENT.into_response();
    }
    let stream = match query {
        Ok(Query(job)) => sse::progress(&app, &headers, job).await,
        Err(problem) => Err(problem),
    };
    stream.unwrap_or_else(|problem| sse::problem(&headers, problem.problem()))
}
