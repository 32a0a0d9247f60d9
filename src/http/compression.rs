//! Compression of answers by gzip, where the client takes it (RFC 9110, section 12.5.3), on the blocking pool.
//!
//! The layer of `tower-http` compresses on the threads of the runtime. That takes a third of a millisecond to begin and ten
//! milliseconds a megabyte: beside 32 clients that asked for `/games` a health check took 42 ms (99th percentile).

use std::io::{self, Write};
use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, HeaderMap, HeaderValue, VARY,
};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::BodyExt;

use super::app::App;

/// Bytes. Shorter answers are not compressed.
const SHORTEST: u64 = 1024;

/// The greatest number of codings of a client that count. Browsers name four.
const MOST_CODINGS: usize = 10;

/// Compresses an answer, unless the queue of short work is full or memory is used up.
pub(super) async fn compress(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    let takes_gzip = takes_gzip(request.headers());
    let mut response = next.run(request).await;
    if !is_compressible(&response) {
        return response;
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    if !takes_gzip {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(plain) = body.collect().await else { return Response::from_parts(head, Body::empty()) };
    let plain = plain.to_bytes();
    let (text, pool) = (plain.clone(), app.service.pool());
    let compressed = pool.run_short(move || gzip(&text)).await;
    let body = match compressed.ok().and_then(Result::ok).map(|body| pool.unsent(body)) {
        Some(Ok(body)) => {
            head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            head.headers.remove(CONTENT_LENGTH);
            body
        }
        _ => plain,
    };
    Response::from_parts(head, body.into())
}

/// Whether the answer has a known size, so is no stream, is long enough, and has no strong tag, which names its bytes.
fn is_compressible(response: &Response) -> bool {
    let tag = response.headers().get(ETAG);
    let is_strong = tag.is_some_and(|tag| !tag.as_bytes().starts_with(b"W/"));
    let size = response.body().size_hint().exact();
    let is_encoded = response.headers().contains_key(CONTENT_ENCODING);
    size.is_some_and(|size| size >= SHORTEST) && !is_strong && !is_encoded
}

fn gzip(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text)?;
    encoder.finish()
}

/// Whether the client accepts gzip with at least the quality of `identity`. The first [`MOST_CODINGS`] of its codings count.
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let (mut gzip, mut any, mut identity) = (None, None, None);
    let lists = headers.get_all(ACCEPT_ENCODING).into_iter().filter_map(|list| list.to_str().ok());
    for coding in lists.flat_map(|list| list.split(',')).take(MOST_CODINGS) {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let Some((_, quality)) = parameters.split_once('=') else { continue };
        let named = match &*name.trim().to_ascii_lowercase() {
            "gzip" | "x-gzip" => &mut gzip,
            "*" => &mut any,
            "identity" => &mut identity,
            _ => continue,
        };
        // The quality is 0, never, to 1. The first quality of a coding counts.
        let _: &mut f32 = named.get_or_insert_with(|| quality.trim().parse().unwrap_or_default());
    }
    let identity = identity.unwrap_or_default();
    gzip.or(any).is_some_and(|gzip| gzip > 0.0 && gzip >= identity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_taken_where_the_client_prefers_it() {
        for (codings, is_taken) in [
            ("gzip", true),
            ("x-gzip", true),
            ("GZIP ; q=0.5", true),
            ("br, gzip", true),
            ("*", true),
            ("identity;q=0, *;q=0.1", true),
            ("gzip;q=1.0, identity; q=0.5, *;q=0", true),
            ("", false),
            ("br", false),
            ("identity", false),
            ("identity;q=0", false),
            ("*;q=0", false),
            ("gzip;q=0, identity;q=0", false),
            ("gzip;q=0, *", false),
            ("gzip;q=0.1, identity", false),
            ("gzip;q=none", false),
            ("gzip;", false),
        ] {
            let headers =
                HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(codings))]);
            assert_eq!(takes_gzip(&headers), is_taken, "{codings}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn the_first_ten_codings_count_in_one_header_or_in_several() {
        let takes = |before: usize, lists: usize| {
            let list = HeaderValue::from_str(&format!("{}gzip", "br,".repeat(before)));
            let mut headers = HeaderMap::new();
            for _ in 1..lists {
                headers.append(ACCEPT_ENCODING, HeaderValue::from_static("br, zstd, deflate"));
            }
            headers.append(ACCEPT_ENCODING, list.expect("it is ASCII"));
            takes_gzip(&headers)
        };
        assert!(takes(9, 1) && !takes(10, 1) && !takes(20_000, 1));
        assert!(takes(0, 4) && takes(3, 3) && !takes(4, 3) && !takes(0, 5));
    }
}
