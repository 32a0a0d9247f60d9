//! The name of a request, in logs, problems and answers: the caller's, or a random one.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Request};
use tower_http::request_id::{MakeRequestId, RequestId};

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(super) fn request_id(headers: &HeaderMap) -> &str {
    headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default()
}

/// Removes the id of the caller where it does not suit logs and headers.
pub(super) fn without_unusable_id<B>(mut request: Request<B>) -> Request<B> {
    let id = request.headers().get(REQUEST_ID).map(HeaderValue::as_bytes);
    let is_usable =
        id.is_none_or(|id| (1..=128).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic));
    if !is_usable {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
}

/// Sixteen random hexadecimal digits.
#[derive(Clone, Copy)]
pub(super) struct RandomId;

impl MakeRequestId for RandomId {
    fn make_request_id<B>(&mut self, _: &Request<B>) -> Option<RequestId> {
        let digits = format!("{:016x}", fastrand::u64(..));
        Some(RequestId::new(HeaderValue::try_from(digits).ok()?))
    }
}
