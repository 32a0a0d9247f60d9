//! `/best-move` and its stream.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::{IntoResponse, Response};

use super::{json_body, timed};
use crate::http::App;
use crate::http::dto::BestMoveRequest;
use crate::http::etag::{self, Tag};
use crate::http::extract::{Json, Query};
use crate::http::problem::Problem;
use crate::http::search_record::SearchRecord;
use crate::http::sse;
use crate::service::{Found, Question};

/// `POST /best-move`
pub(in crate::http) async fn by_body(
    State(app): State<Arc<App>>,
    Json(question): Json<BestMoveRequest>,
) -> Result<Response, Problem> {
    answer(&app, question).await
}

/// `GET /best-move`
pub(in crate::http) async fn by_query(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(question): Query<BestMoveRequest>,
) -> Result<Response, Problem> {
    cacheable(&app, &headers, question, response).await
}

/// `GET /best-move.txt`: the best move alone, for scripts.
pub(in crate::http) async fn text_by_query(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(question): Query<BestMoveRequest>,
) -> Result<Response, Problem> {
    cacheable(&app, &headers, question, text_response).await
}

/// The answer to a question, which HTTP caches may keep.
async fn cacheable(
    app: &App,
    headers: &HeaderMap,
    question: Question,
    response: fn(SearchRecord, &Found) -> Response,
) -> Result<Response, Problem> {
    let tag = Tag::of(&question);
    if let Some(tag) = tag.as_ref().filter(|tag| tag.is_held(headers)) {
        return Ok(tag.not_modified());
    }
    let limits = (&question).into();
    let found = app.service.best_move(question).await?;
    let tag = tag.filter(|_| !found.answer.is_cut_short());
    let caching = etag::headers(tag.as_ref());
    Ok((caching, response(SearchRecord::new(limits, &found), &found)).into_response())
}

/// The answer to a question.
pub(super) async fn answer(app: &App, question: Question) -> Result<Response, Problem> {
    let limits = (&question).into();
    let found = app.service.best_move(question).await?;
    Ok(response(SearchRecord::new(limits, &found), &found))
}

fn response(record: SearchRecord, found: &Found) -> Response {
    recorded(json_body(found.answer.body.clone()), record, found)
}

fn text_response(record: SearchRecord, found: &Found) -> Response {
    let mv = &found.answer.best.mv.text;
    recorded(format!("{mv}\n").into_response(), record, found)
}

fn recorded(response: Response, record: SearchRecord, found: &Found) -> Response {
    let mut response = timed(response, found.timing);
    response.extensions_mut().insert(record);
    response
}

/// `POST /best-move/stream`
pub(in crate::http) async fn stream_by_body(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(question): Json<BestMoveRequest>,
) -> Result<Response, Problem> {
    sse::progress(&app, &headers, question)
}

/// `GET /best-move/stream`: for a browser's `EventSource`, which reconnects after every end and cannot
/// read the status of an error.
pub(in crate::http) async fn stream_by_query(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    query: Result<Query<BestMoveRequest>, Problem>,
) -> Response {
    if sse::has_ended(&headers) {
        return StatusCode::NO_CONTENT.into_response();
    }
    let stream = query.and_then(|Query(question)| sse::progress(&app, &headers, question));
    stream.unwrap_or_else(|problem| sse::problem(&headers, &problem))
}
