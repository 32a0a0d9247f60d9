//! What caches may keep, and how they ask whether it still holds.
//!
//! The tag of an answer is computed from the build and the question, so that whoever holds the
//! answer already is told so without any search. The mark of the build covers the sources and the
//! knowledge files that are built in; those that were opened have one of their own.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use axum::response::{IntoResponse, Response};

use super::BUILD;
use crate::games;
use crate::service::Question;

/// Another build may answer better, so answers are asked for again after an hour.
const KEEP: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const FORGET: HeaderValue = HeaderValue::from_static("no-store");

/// A strong validator: equal tags of a resource, equal bytes.
pub(super) struct Tag(HeaderValue);

impl Tag {
    /// The tag of the answer to this question, if the question alone determines it.
    pub(super) fn of(question: &Question) -> Option<Self> {
        question.is_deterministic().then(|| Self::new(question))
    }

    /// The tag of what this build makes of `source`.
    fn new(source: &impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        (BUILD, games::knowledge(), source).hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        Self(HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\"")))
    }

    /// Whether the client holds the answer already (RFC 9110, section 13.1.2).
    pub(super) fn is_held(&self, headers: &HeaderMap) -> bool {
        let held = headers.get_all(IF_NONE_MATCH).into_iter().flat_map(tags);
        held.into_iter().any(|tag| tag == b"*" || tag == self.0.as_bytes())
    }

    /// Says that the client may use what it holds.
    pub(super) fn not_modified(&self) -> Response {
        (StatusCode::NOT_MODIFIED, headers(Some(self))).into_response()
    }
}

/// The headers that let an answer with this tag be kept, and one without be forgotten.
pub(super) fn headers(tag: Option<&Tag>) -> HeaderMap {
    let tag = tag.map(|Tag(tag)| (ETAG, tag.clone()));
    let control = (CACHE_CONTROL, if tag.is_some() { KEEP } else { FORGET });
    tag.into_iter().chain([control]).collect()
}

/// The tags of a list, compared weakly: `W/` makes no difference. Our own have no comma in them.
fn tags(list: &HeaderValue) -> impl Iterator<Item = &[u8]> {
    let tags = list.as_bytes().split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    tags.map(|tag| tag.strip_prefix(b"W/").unwrap_or(tag))
}
