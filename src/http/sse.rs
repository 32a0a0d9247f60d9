//! The progress of a search as server-sent events: `progress` after every completed depth, then
//! `result` or `problem`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream, StreamExt};

use super::App;
use super::dto::{progress_json, review_json, reviewed_move_json};
use super::middleware::REQUEST_ID;
use super::problem::Problem;
use crate::service::{self, Question, ReviewCollector, ReviewQuestion, ReviewStep};

/// How long a stream may be silent before a comment shows that the connection lives.
const SILENCE: Duration = Duration::from_secs(1);

/// The id of the last event, by which a client that reconnects says that it has seen the end.
const END: &str = "end";

/// Whether the client has seen the last event of an earlier stream.
pub(super) fn has_ended(headers: &HeaderMap) -> bool {
    headers.get("last-event-id").is_some_and(|id| id == END)
}

/// The events of a search.
///
/// # Errors
/// Where there is no place for another search.
pub(super) fn progress(
    app: &Arc<App>,
    headers: &HeaderMap,
    question: Question,
) -> Result<Response, Problem> {
    let progress = app.service.progress(question, progress_json).map_err(service::Failure::from)?;
    let id = request_id(headers);
    let events = stream::unfold((progress, id), |(mut progress, id)| async move {
        let event = match progress.next().await? {
            service::Event::Progress(answer) => event("progress", &answer),
            service::Event::Result(answer) => event("result", &answer.body).id(END),
            service::Event::Failure(failure) => problem_event(&Problem::from(failure), &id),
        };
        Some((Ok(event), (progress, id)))
    });
    Ok(response(events))
}

/// The events of a review: each move, then all of them.
///
/// # Errors
/// Where the service is about to stop.
pub(super) fn review(
    app: &Arc<App>,
    headers: &HeaderMap,
    question: ReviewQuestion,
) -> Result<Response, Problem> {
    let (id, plies) = (request_id(headers), question.plies());
    let mut review = ReviewCollector::new(&question);
    let steps = app.service.review_steps(question)?;
    let events = steps.map(move |step| {
        Ok(match step {
            Ok(ReviewStep::Move(reviewed)) => {
                let progress = reviewed_move_json(&reviewed, plies);
                review.add(ReviewStep::Move(reviewed));
                event("progress", progress.as_bytes())
            }
            Ok(end) => match review.add(end) {
                Some(review) => event("result", review_json(&review).as_bytes()).id(END),
                None => problem_event(&Problem::internal(), &id),
            },
            Err(failure) => problem_event(&Problem::from(failure), &id),
        })
    });
    Ok(response(events))
}

/// A stream that says what is wrong with the request.
pub(super) fn problem(headers: &HeaderMap, problem: &Problem) -> Response {
    let event = problem_event(problem, &request_id(headers));
    response(stream::iter([Ok(event)]))
}

fn request_id(headers: &HeaderMap) -> String {
    let id = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    id.unwrap_or_default().to_owned()
}

fn problem_event(problem: &Problem, request_id: &str) -> Event {
    event("problem", problem.body(request_id).as_bytes()).id(END)
}

fn event(name: &str, json: &[u8]) -> Event {
    Event::default().event(name).data(String::from_utf8_lossy(json))
}

fn response(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    const HEAD: [(HeaderName, HeaderValue); 2] = [
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Some proxies hold an answer back until it is complete, unless they are told.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    let events = Sse::new(events).keep_alive(KeepAlive::new().interval(SILENCE));
    (HEAD, events).into_response()
}
