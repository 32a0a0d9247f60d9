//! The progress of a search as server-sent events: `progress` after every completed depth, then
//! `result` or `problem`.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream, StreamExt};

use super::app::App;
use super::problem::ProblemResponse;
use super::request_id::request_id;
use bestmove_api::{Job, Problem, Review};
use bestmove_service::{self as service, Failure};

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
    app: &App,
    headers: &HeaderMap,
    job: Job,
) -> Result<Response, ProblemResponse> {
    let progress = app.service.progress(job).await?;
    let events = stream::try_unfold(progress, |mut progress| async move {
        let event = progress.next().await?;
        Ok::<_, Failure>(event.map(|event| (event, progress)))
    });
    Ok(response(headers, events))
}

/// The events of a review: each search, each move, then the whole answer.
pub(super) fn review(
    app: &App,
    headers: &HeaderMap,
    review: Review,
) -> Result<Response, ProblemResponse> {
    let running = app.service.review(review)?;
    let events = stream::try_unfold(running, |mut running| async move {
        let event = running.next().await?;
        // After its last event the review gives its memory back.
        Ok::<_, Failure>(event.map(|event| (event, running)))
    });
    Ok(response(headers, events))
}

/// A stream that says what is wrong with the request.
pub(super) fn problem(headers: &HeaderMap, problem: &Problem) -> Response {
    response(headers, stream::iter([Err(problem.clone())]))
}

fn event(name: &str, json: &[u8]) -> Event {
    Event::default().event(name).data(String::from_utf8_lossy(json))
}

/// Writes events; a problem is the last one.
fn response<P: Into<Problem>>(
    headers: &HeaderMap,
    events: impl Stream<Item = Result<service::Event, P>> + Send + 'static,
) -> Response {
    const HEAD: [(HeaderName, HeaderValue); 2] = [
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Without this header nginx buffers the whole answer.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    let id = request_id(headers).to_owned();
    let events = events.map(move |told| {
        Ok::<_, Infallible>(match told {
            Ok(service::Event::Search(json)) => event("search", &json),
            Ok(service::Event::Progress(json)) => event("progress", &json),
            Ok(service::Event::Result(json, _)) => event("result", &json).id(END_ID),
            Err(problem) => event("problem", problem.into().body(&id).as_bytes()).id(END_ID),
        })
    });
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL));
    (HEAD, events).into_response()
}
