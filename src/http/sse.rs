//! The progress of a search as server-sent events: `progress` after every completed depth, then
//! `result` or `problem`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use tokio::task::spawn_blocking;

use super::app::App;
use super::problem::ProblemResponse;
use super::request_id::request_id;
use bestmove_service::{
    self as service, PreparedReview, PreparedSearch, Problem, ReviewStep, ReviewedMove, to_json,
};

/// The silence after which a comment is sent.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(1);

/// The id of the last event, by which a client that reconnects says that it has seen the end.
const END_ID: &str = "end";

/// Whether the client has seen the last event of an earlier stream.
pub(super) fn has_ended(headers: &HeaderMap) -> bool {
    headers.get("last-event-id").is_some_and(|id| id == END_ID)
}

/// The events of a search.
pub(super) async fn progress(
    app: &Arc<App>,
    headers: &HeaderMap,
    search: PreparedSearch,
) -> Result<Response, ProblemResponse> {
    let progress = app.service.progress(search).await?;
    let (service, id) = (Arc::clone(&app.service), request_id(headers).to_owned());
    let events =
        stream::unfold((progress, service, id), |(mut progress, service, id)| async move {
            let written = match progress.next().await? {
                service::Event::Progress(answer) => {
                    let json = service.pool().answer_json(answer).await;
                    json.map(|json| event("progress", &json))
                }
                service::Event::Result(answer) => {
                    let json = service.pool().answer_json(answer).await;
                    json.map(|json| event("result", &json).id(END_ID))
                }
                service::Event::Failure(failure) => Err(failure),
            };
            let event = written.unwrap_or_else(|failure| problem_event(&failure.into(), &id));
            Some((Ok(event), (progress, service, id)))
        });
    Ok(response(events))
}

/// A move that has been reviewed, while the review goes on.
#[derive(Serialize)]
struct ReviewProgress<'a> {
    /// How many moves are reviewed.
    reviewed: usize,
    /// How many moves there are.
    plies: usize,
    r#move: &'a ReviewedMove,
}

/// The events of a review: each search, then each move, then all of them.
pub(super) fn review(
    app: &Arc<App>,
    headers: &HeaderMap,
    review: PreparedReview,
) -> Result<Response, ProblemResponse> {
    let (id, plies) = (request_id(headers).to_owned(), review.plies());
    let steps = app.service.review_steps(review)?;
    let events = stream::unfold((Some(steps), id), move |(steps, id)| async move {
        let mut steps = steps?;
        let (event, rest) = match steps.next().await {
            Ok(ReviewStep::Search(count)) => {
                (event("search", to_json(&count).as_bytes()), Some(steps))
            }
            Ok(ReviewStep::Move(r#move)) => {
                let progress = ReviewProgress { reviewed: r#move.ply, plies, r#move };
                (event("progress", to_json(&progress).as_bytes()), Some(steps))
            }
            // A thousand moves are written.
            Ok(ReviewStep::End(review)) => match spawn_blocking(move || to_json(&review)).await {
                Ok(json) => (event("result", json.as_bytes()).id(END_ID), None),
                Err(panic) => (problem_event(&Problem::panicked(&panic), &id), None),
            },
            Err(failure) => (problem_event(&Problem::from(failure), &id), None),
        };
        Some((Ok(event), (rest, id)))
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
        // Without it nginx buffers the whole answer.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL));
    (HEAD, events).into_response()
}
