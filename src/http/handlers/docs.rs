//! The contract, and the page that shows it and lets people try it. The page asks no other host.

use std::io;
use std::sync::LazyLock;

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;

use crate::http::etag::Tag;

/// What the page may do: show its own style, run its own script, ask its own server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The contract in JSON. The program holds it compressed.
pub(in crate::http) static OPENAPI_JSON: LazyLock<String> = LazyLock::new(|| {
    let compressed = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));
    // The build wrote these bytes, so they can be read; a test compares the two forms of the contract.
    io::read_to_string(GzDecoder::new(&compressed[..])).unwrap_or_default()
});

/// `GET /openapi.yaml`
pub(in crate::http) async fn openapi_yaml(headers: HeaderMap) -> Response {
    asset(&headers, "application/yaml", include_str!("../../../openapi.yaml"))
}

/// `GET /openapi.json`
pub(in crate::http) async fn openapi_json(headers: HeaderMap) -> Response {
    asset(&headers, "application/json", &OPENAPI_JSON)
}

/// `GET /docs`
pub(in crate::http) async fn page(headers: HeaderMap) -> Response {
    asset(&headers, "text/html; charset=utf-8", include_str!("page/index.html"))
}

/// `GET /docs/style.css`
pub(in crate::http) async fn style(headers: HeaderMap) -> Response {
    asset(&headers, "text/css; charset=utf-8", include_str!("page/style.css"))
}

/// `GET /docs/script.js`
pub(in crate::http) async fn script(headers: HeaderMap) -> Response {
    asset(&headers, "text/javascript; charset=utf-8", include_str!("page/script.js"))
}

/// A text of the program. Its tag is weak, so it may be compressed.
pub(super) fn asset(headers: &HeaderMap, kind: &'static str, text: &'static str) -> Response {
    let tag = Tag::of_file(text);
    if tag.is_held(headers) {
        return tag.not_modified();
    }
    let head: [(HeaderName, HeaderValue); 5] = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (head, tag.header(), text).into_response()
}
