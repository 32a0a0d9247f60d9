//! The page that shows the contract and lets people try it. It works without any other host.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};

use super::problem::{Kind, Problem};

/// What the page may do: show its own style, run its own script, ask its own server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `GET /docs`
pub(super) async fn docs() -> Response {
    asset("text/html; charset=utf-8", include_str!("page/index.html"))
}

/// `GET /docs/{file}`: what the page is made of.
pub(super) async fn file(name: Result<Path<String>, PathRejection>) -> Result<Response, Problem> {
    match name.as_deref().map(String::as_str) {
        Ok("style.css") => Ok(asset("text/css; charset=utf-8", include_str!("page/style.css"))),
        Ok("script.js") => {
            Ok(asset("text/javascript; charset=utf-8", include_str!("page/script.js")))
        }
        _ => Err(Problem::new(Kind::NotFound, "there is no such file")
            .allowing(["style.css", "script.js"])),
    }
}

/// `GET /`: leads to the page, also where a proxy has put the service under a path of its own.
pub(super) async fn home() -> Response {
    (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, "docs")]).into_response()
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    let head: [(HeaderName, HeaderValue); 5] = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (head, text).into_response()
}
