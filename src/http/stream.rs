//! The progress of a search as server-sent events.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::App;
use super::accept::{EVENTS, varying};
use super::problem::Problem;
use super::wire;
use super::written::written;
use crate::service::{Event, Question, Watch};

/// How long nothing may be heard before a comment shows that the connection lives.
const SILENCE: Duration = Duration::from_secs(1);

/// The events of a search: `progress` after every completed depth, then `result`, or `problem`. What
/// fails before anything else is heard is a plain problem.
pub(super) async fn events(
    app: &Arc<App>,
    id: HeaderValue,
    question: Question,
) -> Result<Response, Problem> {
    const HEAD: [(HeaderName, HeaderValue); 3] = [
        (CONTENT_TYPE, HeaderValue::from_static(EVENTS)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Some proxies hold an answer back until it is complete, unless they are told.
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    let mut watch = Watch::new(Arc::clone(&app.service), question);
    let mut heard = match timeout(SILENCE, watch.next()).await {
        Ok(Event::Failure(failure)) => return Err(failure.into()),
        heard => heard.ok(),
    };
    let body = written(|pages| async move {
        loop {
            let is_last = matches!(heard, Some(Event::Result(_) | Event::Failure(_)));
            let page = heard.map_or(Bytes::from_static(b":\n\n"), |event| told(event, &id));
            if pages.send(page).await.is_err() || is_last {
                return;
            }
            heard = timeout(SILENCE, watch.next()).await.ok();
        }
    });
    Ok(varying((HEAD, body).into_response()))
}

fn told(event: Event, id: &HeaderValue) -> Bytes {
    let (name, json) = match event {
        Event::Progress(answer) => ("progress", wire::written_so_far(&answer).into()),
        Event::Result(answer) => ("result", answer.body),
        Event::Failure(failure) => {
            let problem = Problem::from(failure).body(id.to_str().unwrap_or_default());
            ("problem", problem.into())
        }
    };
    [b"event: ", name.as_bytes(), b"\ndata: ", &json, b"\n\n"].concat().into()
}
