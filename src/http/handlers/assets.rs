//! The contract, the page that shows it and lets people try it, and the playground.

use std::path::Path;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, LOCATION,
    REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};

use super::not_found;
use crate::http::app::App;
use crate::http::assets::Asset;
use crate::http::compression::takes_gzip;
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
    match Asset::find(path).zip(content_type(path)) {
        Some((asset, kind)) => answer(&headers, kind, path, &asset),
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

/// A file of the program, compressed where the client takes that. Its tag is weak: it names both forms.
fn answer(headers: &HeaderMap, kind: &'static str, path: &str, asset: &Asset) -> Response {
    let tag = Tag::of_file(path);
    if tag.is_held(headers) {
        return tag.not_modified();
    }
    let (encoding, content) = if takes_gzip(headers) {
        (Some([(CONTENT_ENCODING, "gzip")]), asset.compressed)
    } else {
        (None, asset.content)
    };
    let head = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
        (VARY, "accept-encoding"),
    ];
    (head, encoding, tag.header(), content).into_response()
}
