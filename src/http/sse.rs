//! The progress of a search as server-sent events: `progress` after every completed depth, then
//! `result` or `problem`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};

use super::app::App;
use super::problem::ProblemResponse;
use super::request_id::request_id;
use bestmove_api::{Job, Problem, Review};
use bestmove_service::{self as service, ReviewEvent};

/// The silence after which a comment is sent.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(1);

/// The id of the last event, by which a client that reconnects says that it has seen the end.
const END_ID: &str = "end";

/// Whether the client has seen the last event of an earlier stream.
pub(super) fn has_ended(headers: &HeaderMap) -> bool {
    headers.get("last-event-id").is_some_and(|id| id == END_ID)
}

/// The events of a job.
pub(super) async fn progress(
    app: &Arc<App>,
    headers: &HeaderMap,
    job: Job,
) -> Result<Response, ProblemResponse> {
    let progress = app.service.progress(job).await?;
    let id = request_id(headers).to_owned();
    let events = stream::unfold((progress, id), |(mut progress, id)| async move {
        let event = match progress.next().await? {
            service::Event::Progress(json) => event("progress", &json),
            service::Event::Result(json) => event("result", &json).id(END_ID),
            service::Event::Failure(failure) => problem_event(&failure.into(), &id),
        };
        Some((Ok(event), (progress, id)))
    });
    Ok(response(events))
}

/// The events of a review: each search, each move, then the whole answer.
pub(super) fn review(
    app: &Arc<App>,
    headers: &HeaderMap,
    review: Review,
) -> Result<Response, ProblemResponse> {
    let id = request_id(headers).to_owned();
    let running = Some(app.service.review(review)?);
    let events = stream::unfold((running, id), |(running, id)| async move {
        let mut running = running?;
        let event = match running.next().await {
            // The review ends here and gives its memory back. Its last event was taken before.
            Ok(None) => return None,
            Ok(Some(ReviewEvent::Search(json))) => event("search", &json),
            Ok(Some(ReviewEvent::Move(json))) => event("progress", &json),
            Ok(Some(ReviewEvent::End(json, _))) => event("result", &json).id(END_ID),
            Err(failure) => return Some((Ok(problem_event(&failure.into(), &id)), (None, id))),
        };
        Some((Ok(event), (Some(running), id)))
    });
    Ok(response(events))
}

/// A stream that says what is wrong with the request.
pub(super) fn problem(headers: &HeaderMap, problem: &Problem) -> Response {
    let event = problem_event(problem, request_id(headers));
    response(stream::iter([Ok(event)]))
}

fn problem_event(problem: &Problem, request_id: &str) -> Event {
    event("problem", problem.body(request_id).as_bytes()).id(END_ID)
}

fn event(name: &str, json: &[u8]) -> Event {
    Event::default().event(name).data(String::from_utf8_lossy(json))
}

fn response(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    const HEAD: [(HeaderName, HeaderValue); 2] = [
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Without this header nginx buffers the whole answer.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL));
    (HEAD, events).into_response()
}
