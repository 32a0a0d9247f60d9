//! Bodies. The body of a request has limits of size and time, and becomes a typed value. The body of an answer has a media
//! type, and counts as memory until it is sent.

use std::cell::LazyCell;
use std::ops::Deref;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::future::poll_immediate;
use http_body_util::{BodyExt, Limited};
use tokio::time::{Instant, timeout_at};
use tracing::Instrument;

use super::app::{App, HttpLimits};
use super::problem::ProblemResponse;
use bestmove_api::{BYTE_ORDER_MARK, Prepare, Problem, ProblemKind, read, read_query};
use bestmove_service::{Failure, Reservation, Timing, read_step};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The bytes that are read of a body that is too large. A client that is still sending would not see the answer if
/// nothing were read.
const MAX_DISCARDED: usize = 16 << 20;

/// Bytes. Shorter bodies are not counted as memory: the number of connections bounds them.
pub(super) const SHORT: usize = 4 << 10;

/// A request read from a JSON body.
pub(super) struct Json<R: Prepare>(pub R::Prepared);

/// A request read from the query of the URL.
pub(super) struct Query<R: Prepare>(pub R::Prepared);

impl<R: Prepare> FromRequest<Arc<App>> for Json<R> {
    type Rejection = ProblemResponse;

    fn from_request(
        request: Request,
        app: &Arc<App>,
    ) -> impl Future<Output = Result<Self, ProblemResponse>> {
        // The future of this function is smaller if it does not hold the whole request.
        let (Parts { headers, .. }, body) = request.into_parts();
        async move {
            let body = read_json(&headers, body, app).await?;
            Ok(Self(app.service.prepare(move || read::<R>(&body)).await?))
        }
        .instrument(read_step())
    }
}

impl<R: Prepare> FromRequestParts<Arc<App>> for Query<R> {
    type Rejection = ProblemResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> Result<Self, Self::Rejection> {
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let prepared = app.service.prepare(move || read_query::<R>(&query));
        Ok(Self(prepared.instrument(read_step()).await?))
    }
}

/// Whether the body is declared to be of `media_type`, with any parameters.
fn is_declared(headers: &HeaderMap, media_type: &str) -> bool {
    let declared = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let essence = declared.split(|&byte| byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(media_type.as_bytes())
}

/// The part of a body, or of a line, that has arrived, with its memory.
#[derive(Default)]
pub(super) struct Arrived {
    bytes: Vec<u8>,
    /// The memory of the buffer, where it is longer than [`SHORT`].
    memory: Option<Reservation>,
}

impl Arrived {
    /// Adds `data`, if the body stays within its limit and memory is free.
    pub(super) fn push(&mut self, data: &[u8], app: &App) -> Result<(), Problem> {
        let (limit, capacity) = (app.limits.body, self.bytes.capacity());
        let length = self.bytes.len() + data.len();
        if length > limit {
            return Err(too_large(limit));
        }
        if length > capacity {
            let wanted = length.next_power_of_two().clamp(SHORT, limit.max(SHORT));
            if wanted > SHORT {
                let more = wanted - if capacity > SHORT { capacity } else { 0 };
                let more = app.service.pool().reserve(more).map_err(Failure::from)?;
                Reservation::add(&mut self.memory, more);
            }
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
        self.bytes.extend_from_slice(data);
        Ok(())
    }

    /// The bytes that have arrived, followed by `last`. Their memory is given back.
    pub(super) fn ended_by(self, last: &[u8]) -> Vec<u8> {
        [&self.bytes, last].concat()
    }

    /// The body, with its memory until it is dropped.
    pub(super) fn into_bytes(self) -> Bytes {
        Bytes::from_owner(self)
    }
}

impl AsRef<[u8]> for Arrived {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for Arrived {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // A reader may skip a byte order mark (RFC 8259, section 8.1).
        self.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.bytes)
    }
}

/// The whole body, which must be declared to be JSON. It is read before its type is judged, so that the connection can
/// be used afterwards.
pub(super) async fn read_json(
    headers: &HeaderMap,
    body: Body,
    app: &App,
) -> Result<Arrived, Problem> {
    let body = read_body(headers, body, app).await?;
    require_type(headers, "application/json")?;
    Ok(body)
}

/// Refuses a body that is not declared to be of `media_type`, or is encoded.
pub(super) fn require_type(headers: &HeaderMap, media_type: &str) -> Result<(), Problem> {
    let is_encoded = headers.get(CONTENT_ENCODING).is_some_and(|coding| coding != "identity");
    let detail = if !is_declared(headers, media_type) {
        let form = if media_type.ends_with("ndjson") { ", one object a line" } else { "" };
        format!("expected a body with the header 'content-type: {media_type}'{form}")
    } else if is_encoded {
        "expected a body without the header 'content-encoding'".to_owned()
    } else {
        return Ok(());
    };
    Err(Problem::new(ProblemKind::UnsupportedMediaType, detail))
}

/// The whole body, if it is not too large and memory is free. One deadline holds for the whole body.
async fn read_body(headers: &HeaderMap, mut body: Body, app: &App) -> Result<Arrived, Problem> {
    let limits = &app.limits;
    if announces_too_much(headers, limits.body) {
        discard_body(headers, body, limits).await;
        return Err(too_large(limits.body));
    }
    let deadline = LazyCell::new(|| Instant::now() + limits.arrival);
    let mut arrived = Arrived::default();
    let collected = {
        let mut whole = pin!(collect(&mut body, &mut arrived, app));
        match poll_immediate(&mut whole).await {
            // A body that came with its head needs no timer.
            Some(collected) => collected,
            None => timeout_at(*deadline, whole)
                .await
                .unwrap_or_else(|_| Err(too_late("the body", limits.arrival, " of its head"))),
        }
    };
    if let Err(refused) = collected {
        if matches!(refused.kind(), ProblemKind::PayloadTooLarge | ProblemKind::Overloaded) {
            drop(arrived);
            discard_rest(body, *deadline).await;
        }
        return Err(refused);
    }
    Ok(arrived)
}

/// Reads a body to its end.
async fn collect(body: &mut Body, arrived: &mut Arrived, app: &App) -> Result<(), Problem> {
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|error| broken_off(&error))?.into_data() else { continue };
        arrived.push(&data, app)?;
    }
    Ok(())
}

/// Refuses a request without a look at its body, which is read and discarded.
pub(super) async fn refuse(
    request: Request,
    app: &App,
    problem: impl Into<ProblemResponse>,
) -> ProblemResponse {
    let (Parts { headers, .. }, body) = request.into_parts();
    discard_body(&headers, body, &app.limits).await;
    problem.into()
}

/// Reads and discards a body, unless it is too large and the client waits for `100 Continue`.
async fn discard_body(headers: &HeaderMap, body: Body, limits: &HttpLimits) {
    if !(headers.contains_key(EXPECT) && announces_too_much(headers, limits.body)) {
        discard_rest(body, Instant::now() + limits.arrival).await;
    }
}

async fn discard_rest(body: Body, deadline: Instant) {
    let mut body = Limited::new(body, MAX_DISCARDED);
    let frames = async { while let Some(Ok(_)) = body.frame().await {} };
    // The answer does not depend on whether the rest was read.
    let _ = timeout_at(deadline, frames).await;
}

/// Whether `content-length` announces more than `limit` bytes.
fn announces_too_much(headers: &HeaderMap, limit: usize) -> bool {
    let announced =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    announced.is_some_and(|length: u64| length > limit as u64)
}

/// The problem of a body that could not be read to its end.
pub(super) fn broken_off(error: &dyn std::fmt::Display) -> Problem {
    Problem::new(ProblemKind::MalformedJson, format!("the body broke off: {error}"))
}

/// The problem of `part` of a body that did not arrive within `limit`, counted from the point that `start` names.
pub(super) fn too_late(part: &str, limit: Duration, start: &str) -> Problem {
    let detail = format!("{part} must arrive within {} s{start}", limit.as_secs_f64());
    Problem::new(ProblemKind::RequestTimeout, detail)
}

/// The problem of a body, or a line of a batch, of more than `limit` bytes.
pub(super) fn too_large(limit: usize) -> Problem {
    Problem::new(ProblemKind::PayloadTooLarge, format!("expected {limit} bytes at most"))
}

/// An answer whose JSON is written already. It is refused where no memory is left for what waits for clients.
pub(super) fn json_body(app: &App, body: impl Into<Bytes>) -> Result<Response, ProblemResponse> {
    typed_body(app, JSON, body)
}

/// As [`json_body`], of another media type.
pub(super) fn typed_body(
    app: &App,
    kind: HeaderValue,
    body: impl Into<Bytes>,
) -> Result<Response, ProblemResponse> {
    let body = app.service.pool().unsent(body).map_err(Failure::from)?;
    Ok(([(CONTENT_TYPE, kind)], body).into_response())
}

/// Adds the `Server-Timing` header. Times are no part of a body, which depends on the request alone.
pub(super) fn timed(mut response: Response, timing: Timing) -> Response {
    let [queue, search] = [timing.queue, timing.search].map(|time| time.as_secs_f64() * 1e3);
    let times = format!("queue;dur={queue:.3}, search;dur={search:.3}");
    if let Ok(times) = HeaderValue::try_from(times) {
        response.headers_mut().insert(SERVER_TIMING, times);
    }
    response
}
