//! `/best-move` and `/analyze`, their streams and batches.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};

use super::{json_body, timed, typed_body};
use crate::http::app::App;
use crate::http::dto::{BestMoveRequest, Dto, answer_json};
use crate::http::etag::{self, Tag};
use crate::http::extract::{Json, Query, discard, require_type};
use crate::http::problem::Problem;
use crate::http::search_record::SearchRecord;
use crate::http::{ndjson, sse};
use crate::service::{Found, PreparedSearch, Priority};
use bestmove_engine::games::any::SearchKey;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// `POST /best-move` and `POST /analyze`
pub(in crate::http) async fn by_body<D: Dto<Typed = PreparedSearch>>(
    State(app): State<Arc<App>>,
    Json(search): Json<D>,
) -> Result<Response, Problem> {
    let key = Arc::clone(search.key());
    let found = app.service.best_move(search, Priority::Single).await?;
    let body = answer_json(app.service.pool(), Arc::clone(&found.answer)).await?;
    let response = json_body(&app, body)?;
    Ok(recorded(response, key, found))
}

/// `GET /best-move`
pub(in crate::http) async fn by_query(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(search): Query<BestMoveRequest>,
) -> Result<Response, Problem> {
    cacheable(&app, &headers, search, Form::Json).await
}

/// `GET /best-move.txt`: the best move alone, for scripts.
pub(in crate::http) async fn text_by_query(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Query(search): Query<BestMoveRequest>,
) -> Result<Response, Problem> {
    cacheable(&app, &headers, search, Form::Text).await
}

/// The form of an answer.
enum Form {
    Json,
    /// The best move alone.
    Text,
}

/// The answer to a search, which HTTP caches may keep.
async fn cacheable(
    app: &App,
    headers: &HeaderMap,
    search: PreparedSearch,
    form: Form,
) -> Result<Response, Problem> {
    let tag = Tag::of(&search);
    if let Some(tag) = tag.as_ref().filter(|tag| tag.is_held(headers)) {
        return Ok(tag.not_modified());
    }
    let key = Arc::clone(search.key());
    let found = app.service.best_move(search, Priority::Single).await?;
    let tag = tag.filter(|_| !found.answer.is_cut_short());
    let caching = etag::headers(tag.as_ref());
    let answer = &found.answer;
    let response = match form {
        Form::Json => json_body(app, answer_json(app.service.pool(), Arc::clone(answer)).await?)?,
        Form::Text => typed_body(app, TEXT, format!("{}\n", answer.best_move.text))?,
    };
    Ok((caching, recorded(response, key, found)).into_response())
}

/// The response, with what the log says about its search.
fn recorded(response: Response, key: Arc<SearchKey>, found: Found) -> Response {
    let mut response = timed(response, found.timing);
    response.extensions_mut().insert(SearchRecord { key, found });
    response
}

/// `POST /best-move/stream` and `POST /analyze/stream`
pub(in crate::http) async fn stream_by_body<D: Dto<Typed = PreparedSearch>>(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(search): Json<D>,
) -> Result<Response, Problem> {
    sse::progress(&app, &headers, search).await
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
    let stream = match query {
        Ok(Query(search)) => sse::progress(&app, &headers, search).await,
        Err(problem) => Err(problem),
    };
    stream.unwrap_or_else(|problem| sse::problem(&headers, &problem))
}

/// `POST /best-move/batch`
pub(in crate::http) async fn batch(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, Problem> {
    if let Err(problem) = require_type(request.headers(), ndjson::MEDIA_TYPE) {
        discard(request, &app.limits).await;
        return Err(problem);
    }
    Ok(ndjson::answers(app, request))
}
