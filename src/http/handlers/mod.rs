//! The handlers: one file per resource.

pub(super) mod best_move;
pub(super) mod docs;
pub(super) mod games;
pub(super) mod operations;
pub(super) mod playground;
pub(super) mod position;
pub(super) mod review;
pub(super) mod tree;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};

use super::dto::{self, Serialize};
use crate::service::Timing;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// An answer in JSON.
fn json<T: Serialize>(value: &T) -> Response {
    json_body(dto::json(value))
}

fn json_body(body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, JSON)], body.into()).into_response()
}

/// Adds the `Server-Timing` header. Times are no part of a body: it is the same for the same request.
fn timed(mut response: Response, timing: Timing) -> Response {
    let [queue, search] = [timing.queue, timing.search].map(|time| time.as_micros());
    if queue + search == 0 {
        const NONE: HeaderValue = HeaderValue::from_static("queue;dur=0.000, search;dur=0.000");
        response.headers_mut().insert(SERVER_TIMING, NONE);
        return response;
    }
    let (ms, us) = (1000, 1000);
    let times = format!(
        "queue;dur={}.{:03}, search;dur={}.{:03}",
        queue / ms,
        queue % us,
        search / ms,
        search % us
    );
    if let Ok(times) = HeaderValue::try_from(times) {
        response.headers_mut().insert(SERVER_TIMING, times);
    }
    response
}
