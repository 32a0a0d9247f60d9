//! The contract, the page that shows it and lets people try it, and the playground.

use std::path::Path;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};

use super::not_found;
use crate::http::app::App;
use crate::http::assets;
use crate::http::etag::Tag;
use crate::http::middleware::HadSlash;

/// What a page may do: show its own style, run its own script, ask its own server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `GET` of any of the files.
pub(in crate::http) async fn file(
    headers: HeaderMap,
    app: State<Arc<App>>,
    request: Request,
) -> Response {
    let path = match request.uri().path() {
        "/" => "/web/index.html",
        // The addresses in the page are relative to one without a slash.
        "/docs" if request.extensions().get::<HadSlash>().is_some() => {
            return (StatusCode::PERMANENT_REDIRECT, [(LOCATION, "../docs")]).into_response();
        }
        "/docs" => "/docs/index.html",
        path => path,
    };
    match assets::text(path).zip(content_type(path)) {
        Some((text, kind)) => answer(&headers, kind, text),
        None => not_found(app, request).await.into_response(),
    }
}

/// The content type of a file that a browser asks for.
fn content_type(path: &str) -> Option<&'static str> {
    Some(match Path::new(path).extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "yaml" => "application/yaml",
        _ => return None,
    })
}

/// A text of the program. Its tag is weak, so it may be compressed.
fn answer(headers: &HeaderMap, kind: &'static str, text: &'static str) -> Response {
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
