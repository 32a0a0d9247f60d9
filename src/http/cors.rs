//! Which pages of other origins may read the answers.

use axum::body::Body;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

/// The origins whose pages may read the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origins {
    /// All there are.
    Any,
    /// These.
    These(Vec<HeaderValue>),
}

impl FromIterator<HeaderValue> for Origins {
    /// `*` among them stands for all there are.
    fn from_iter<I: IntoIterator<Item = HeaderValue>>(origins: I) -> Self {
        let origins: Vec<_> = origins.into_iter().collect();
        if origins.iter().any(|origin| origin == "*") { Self::Any } else { Self::These(origins) }
    }
}

impl Origins {
    /// The origin to name in the answer to a request with these headers.
    pub(super) fn allowed(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        match self {
            Self::Any => Some(HeaderValue::from_static("*")),
            Self::These(origins) => {
                let origin = headers.get(ORIGIN)?;
                origins.contains(origin).then(|| origin.clone())
            }
        }
    }

    /// Lets the scripts of the pages of `allowed` read the answer.
    pub(super) fn expose(&self, allowed: Option<HeaderValue>, headers: &mut HeaderMap) {
        const EXPOSED: HeaderValue =
            HeaderValue::from_static("x-request-id, retry-after, etag, server-timing");
        if *self != Self::Any {
            headers.append(VARY, HeaderValue::from_static("origin"));
        }
        if let Some(origin) = allowed {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }
}

/// Whether a browser asks for leave to send the real request from another origin.
pub(super) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to it, which the allowed origin completes.
pub(super) fn preflight() -> Response {
    const LEAVE: [(HeaderName, HeaderValue); 3] = [
        (ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, POST")),
        (ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*")),
        (ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400")),
    ];
    (StatusCode::NO_CONTENT, LEAVE, Body::empty()).into_response()
}
