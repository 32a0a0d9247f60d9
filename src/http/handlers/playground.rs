//! The playground: static files of `web/`, embedded in the program. The page asks no other host.

use std::path::Path as FilePath;

use axum::extract::{Path, Request, State};
use axum::http::header::HeaderMap;
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};
use std::sync::Arc;

use super::docs::asset;
use super::not_found;
use crate::http::app::App;

static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/web");

/// `GET /`
pub(in crate::http) async fn page(
    headers: HeaderMap,
    app: State<Arc<App>>,
    request: Request,
) -> Response {
    file(Path("index.html".to_owned()), headers, app, request).await
}

/// `GET /web/{file}`
pub(in crate::http) async fn file(
    Path(name): Path<String>,
    headers: HeaderMap,
    app: State<Arc<App>>,
    request: Request,
) -> Response {
    let file = FILES.get_file(&name);
    match file.and_then(|file| Some((content_type(file.path())?, file.contents_utf8()?))) {
        Some((kind, text)) => asset(&headers, kind, text),
        None => not_found(app, request).await.into_response(),
    }
}

/// The content type of a file that a browser asks for.
fn content_type(path: &FilePath) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}
