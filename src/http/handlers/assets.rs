//! The contract, the page that shows it and lets people try it, and the playground.

use std::path::Path;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName,
    LOCATION, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};

use super::not_found;
use crate::http::app::App;
use crate::http::assets::Asset;
use crate::http::compression::takes_gzip;
use crate::http::etag::Tag;
use crate::http::middleware::HadSlash;
use crate::http::problem::Problem;

/// What a page may do: show its own style, run its own script, ask its own server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `GET` of any of the files.
pub(in crate::http) async fn file(
    headers: HeaderMap,
    app: State<Arc<App>>,
    request: Request,
) -> Result<Response, Problem> {
    let path = match request.uri().path() {
        "/" => "/web/index.html",
        // The addresses in the page are relative to one without a slash.
        "/docs" if request.extensions().get::<HadSlash>().is_some() => {
            return Ok((StatusCode::PERMANENT_REDIRECT, [(LOCATION, "../docs")]).into_response());
        }
        "/docs" => "/docs/index.html",
        path => path,
    };
    let Some((asset, kind)) = Asset::find(path).zip(content_type(path)) else {
        return Ok(not_found(app, request).await.into_response());
    };
    let tag = Tag::of_file(path);
    if tag.is_held(&headers) {
        return Ok(tag.not_modified());
    }
    let (encoding, content) = if takes_gzip(&headers) {
        (Some([(CONTENT_ENCODING, "gzip")]), asset.compressed)
    } else {
        (None, app.service.pool().run_short(|| asset.plain()).await?)
    };
    Ok((head(kind), encoding, tag.header(), content).into_response())
}

/// The content type of a file that a browser asks for.
fn content_type(path: &str) -> Option<&'static str> {
    Some(match Path::new(path).extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "yaml" => "application/yaml",
        _ => return None,
    })
}

/// The headers of a file. Its tag is weak: it names the compressed and the plain form.
fn head(kind: &'static str) -> [(HeaderName, &'static str); 6] {
    [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
        (VARY, "accept-encoding"),
    ]
}
