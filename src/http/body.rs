//! The body of a request: how much, how long, and what it is.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use tokio::time::timeout;

use super::problem::{Kind, Problem};
use super::wire::{self, DeserializeOwned};
use super::{App, Limits};

/// How much is read of a body that is too large, so that a client that is still sending lives to
/// see the answer.
const PATIENCE: usize = 16 << 20;

/// A request read from a JSON body.
pub(super) struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Json<T> {
    type Rejection = Problem;

    /// The body is read before its type is judged: the connection is of use afterwards.
    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let is_json = is_declared(request.headers(), "application/json");
        let body = whole(request, &app.limits).await?;
        if !is_json {
            let detail = "expected a body with the header 'content-type: application/json'";
            return Err(Problem::new(Kind::UnsupportedMediaType, detail));
        }
        wire::read(&body).map(Self)
    }
}

/// Whether the body is declared to be of this media type, whatever its parameters.
pub(super) fn is_declared(headers: &HeaderMap, media_type: &str) -> bool {
    let declared = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = declared.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(media_type)
}

/// The whole body, if it is not too large and arrives in time.
async fn whole(request: Request, limits: &Limits) -> Result<Bytes, Problem> {
    if waits_to_send_too_much(request.headers(), limits.body) {
        return Err(too_large(limits.body));
    }
    let mut body = Arriving { body: request.into_body(), parts: Vec::new(), length: 0 };
    let in_time = timeout(limits.arrival, body.arrive(limits.body)).await;
    if body.length > limits.body {
        return Err(too_large(limits.body));
    }
    match in_time {
        Ok(Ok(())) => Ok(body.joined()),
        Ok(Err(error)) => Err(broken_off(&error)),
        Err(_) => {
            let seconds = limits.arrival.as_secs_f64();
            let detail = format!("the body must arrive within {seconds} s of its head");
            Err(Problem::new(Kind::RequestTimeout, detail))
        }
    }
}

/// Reads a body that nobody needs.
pub(super) async fn discard(request: Request, limits: &Limits) {
    if request.body().is_end_stream() || waits_to_send_too_much(request.headers(), limits.body) {
        return;
    }
    let mut body = Arriving { body: request.into_body(), parts: Vec::new(), length: 0 };
    // Whatever becomes of it, the answer is the same.
    let _ = timeout(limits.arrival, body.arrive(0)).await;
}

/// Whether the client announces a body that is too large, and waits for leave to send it.
fn waits_to_send_too_much(headers: &HeaderMap, limit: usize) -> bool {
    let announced = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let length = announced.and_then(|length| length.parse::<u64>().ok()).unwrap_or(0);
    headers.contains_key(EXPECT) && length > limit as u64
}

pub(super) fn broken_off(error: &axum::Error) -> Problem {
    Problem::new(Kind::MalformedJson, format!("the body broke off: {error}"))
}

pub(super) fn too_large(limit: usize) -> Problem {
    Problem::new(Kind::PayloadTooLarge, format!("expected {limit} bytes at most"))
}

/// A body on its way.
struct Arriving {
    body: Body,
    parts: Vec<Bytes>,
    length: usize,
}

impl Arriving {
    /// Waits for the end, or for the end of patience. Keeps nothing of a body over the `limit`.
    async fn arrive(&mut self, limit: usize) -> Result<(), axum::Error> {
        while let Some(frame) = poll_fn(|cx| Pin::new(&mut self.body).poll_frame(cx)).await {
            let Ok(part) = frame?.into_data() else { continue };
            self.length = self.length.saturating_add(part.len());
            if self.length <= limit {
                self.parts.push(part);
            } else if self.length > limit.saturating_add(PATIENCE) {
                break;
            } else {
                self.parts = Vec::new();
            }
        }
        Ok(())
    }

    fn joined(&self) -> Bytes {
        match &self.parts[..] {
            [one] => one.clone(),
            parts => parts.concat().into(),
        }
    }
}
