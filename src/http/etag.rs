//! Validators and caching headers.
//!
//! The tag of an answer is computed from the build and the key of the job, which has the mark of the knowledge files. So
//! a request for an answer that the client holds needs no search.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH, VARY,
};
use axum::response::{IntoResponse, Response};

use super::build::BUILD;
use bestmove_api::Job;

/// A mark of all files that are part of the program.
const ASSETS: &str = env!("ASSETS");

/// An hour, since another build may answer better.
const PUBLIC: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

/// A validator, and how long its representation may be kept.
pub(super) struct Tag {
    value: HeaderValue,
    caching: HeaderValue,
}

impl Tag {
    /// The strong tag of the answer to this job, if its key alone determines the answer.
    pub(super) fn of(job: &Job) -> Option<Self> {
        let key = job.key();
        let is_deterministic = key.search.is_deterministic();
        is_deterministic.then(|| Self::new(&format!("\"{:016x}\"", hash(key)), PUBLIC))
    }

    /// The weak tag of a file that is part of the program.
    pub(super) fn of_file(path: &str) -> Self {
        Self::new(&format!("W/\"{:016x}\"", hash(&(ASSETS, path))), NO_CACHE)
    }

    /// The weak tag of a text that follows from the request and costs less to write than to keep.
    pub(super) fn of_text(text: &str) -> Self {
        Self::new(&format!("W/\"{:016x}\"", hash(&text)), PUBLIC)
    }

    fn new(tag: &str, caching: HeaderValue) -> Self {
        let value = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""));
        Self { value, caching }
    }

    /// Whether the client holds the representation with this tag (RFC 9110, section 13.1.2).
    pub(super) fn is_held(&self, headers: &HeaderMap) -> bool {
        let held = headers.get_all(IF_NONE_MATCH).into_iter().flat_map(opaque_tags);
        held.into_iter().any(|tag| tag == b"*" || tag == opaque(self.value.as_bytes()))
    }

    /// The answer 304: the client may use the representation that it holds.
    pub(super) fn not_modified(&self) -> Response {
        let caching = [(CACHE_CONTROL, self.caching.clone())];
        // An answer with a weak tag may be compressed, so it depends on the codings that the client accepts.
        let is_weak = self.value.as_bytes().starts_with(b"W/");
        let vary = is_weak.then_some([(VARY, HeaderValue::from_static("accept-encoding"))]);
        (StatusCode::NOT_MODIFIED, vary, self.header(), caching).into_response()
    }

    pub(super) fn header(&self) -> [(HeaderName, HeaderValue); 1] {
        [(ETAG, self.value.clone())]
    }
}

/// A hash of the build and `source`.
fn hash(source: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (BUILD, source).hash(&mut hasher);
    hasher.finish()
}

/// The headers for caches: an answer with a tag may be kept, an answer without one may not.
pub(super) fn headers(tag: Option<&Tag>) -> HeaderMap {
    let Some(tag) = tag else { return HeaderMap::from_iter([(CACHE_CONTROL, NO_STORE)]) };
    tag.header().into_iter().chain([(CACHE_CONTROL, tag.caching.clone())]).collect()
}

/// The tags of a list, without their marks of weakness. Tags of this service have no comma in them.
fn opaque_tags(list: &HeaderValue) -> impl Iterator<Item = &[u8]> {
    list.as_bytes().split(|&byte| byte == b',').map(|tag| opaque(tag.trim_ascii()))
}

/// A tag without its mark of weakness.
fn opaque(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}
