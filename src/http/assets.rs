//! The contract, the page that shows it and lets people try it, and the playground: files that are part of the program.
//! The pages ask no other host.

use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName,
    LOCATION, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;

use super::app::App;
use super::body::refuse;
use super::compression::takes_gzip;
use super::etag::Tag;
use super::middleware::HadSlash;
use super::problem::ProblemResponse;
use bestmove_api::Problem;

// `FILES`: the files, compressed by the build.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// A file that is part of the program.
struct Asset {
    path: &'static str,
    /// The content, compressed by gzip.
    compressed: &'static [u8],
    plain: OnceLock<Vec<u8>>,
}

impl Asset {
    const fn new(path: &'static str, compressed: &'static [u8]) -> Self {
        Self { path, compressed, plain: OnceLock::new() }
    }

    /// The file at a path such as `/openapi.json`.
    fn find(path: &str) -> Option<&'static Self> {
        FILES.iter().find(|asset| asset.path == path)
    }

    /// The content, decompressed by the first call, which takes some milliseconds.
    fn plain(&self) -> &[u8] {
        self.plain.get_or_init(|| {
            let mut content = Vec::new();
            let read = GzDecoder::new(self.compressed).read_to_end(&mut content);
            read.map(|_| content).unwrap_or_default()
        })
    }
}

/// Answers any other path.
pub(super) async fn not_found(State(app): State<Arc<App>>, request: Request) -> ProblemResponse {
    let problem = Problem::nothing_at(request.uri().path());
    refuse(request, &app, problem).await
}

/// A page may show its own style, run its own script and ask its own server, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `GET` of a file.
pub(super) async fn file(
    headers: HeaderMap,
    app: State<Arc<App>>,
    request: Request,
) -> Result<Response, ProblemResponse> {
    let path = match request.uri().path() {
        "/" => "/web/index.html",
        // The addresses in the page are relative to the path without a slash at its end.
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
