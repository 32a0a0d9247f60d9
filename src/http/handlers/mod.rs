//! What answers at each route: one file per resource.

pub(super) mod analysis;
pub(super) mod batch;
pub(super) mod best_move;
pub(super) mod board_svg;
pub(super) mod docs;
pub(super) mod games;
pub(super) mod operations;
pub(super) mod playground;
pub(super) mod position;
pub(super) mod review;
pub(super) mod tree;

use std::time::Duration;

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

/// An answer that tells how long it took. Times are no part of a body, which is the same for the same
/// request.
fn timed(mut response: Response, timing: Timing) -> Response {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let (queue, search) = (milliseconds(timing.queue), milliseconds(timing.search));
    let times = format!("queue;dur={queue:.3}, search;dur={search:.3}");
    if let Ok(times) = HeaderValue::try_from(times) {
        response.headers_mut().insert(SERVER_TIMING, times);
    }
    response
}
