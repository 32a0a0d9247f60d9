//! Texts that are large and always the same: sent compressed to whoever takes that.
//!
//! Answers of searches are small and carry strong tags, so they are never compressed.

use std::io::{self, Write};

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, VARY,
};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A text in both its forms.
pub(super) struct Asset {
    media_type: HeaderValue,
    plain: Bytes,
    gzip: Option<Bytes>,
}

impl Asset {
    pub(super) fn new(media_type: &'static str, text: String) -> Self {
        let gzip = compressed(text.as_bytes()).ok().map(Bytes::from);
        Self { media_type: HeaderValue::from_static(media_type), plain: text.into(), gzip }
    }

    /// The form that suits a client with these headers.
    pub(super) fn response(&self, headers: &HeaderMap) -> Response {
        const VARIES: HeaderValue = HeaderValue::from_static("accept-encoding");
        const GZIP: HeaderValue = HeaderValue::from_static("gzip");
        let common = [(CONTENT_TYPE, self.media_type.clone()), (VARY, VARIES)];
        match &self.gzip {
            Some(gzip) if takes_gzip(headers) => {
                (common, [(CONTENT_ENCODING, GZIP)], gzip.clone()).into_response()
            }
            _ => (common, self.plain.clone()).into_response(),
        }
    }
}

fn compressed(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text)?;
    encoder.finish()
}

/// Whether gzip is listed and not refused by a weight of 0 (RFC 9110, section 12.5.3).
fn takes_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(ACCEPT_ENCODING).into_iter();
    let mut codings = lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_none_or(|weight: f32| weight > 0.0)
    })
}
