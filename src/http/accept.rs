//! Which form of an answer the client prefers.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, HeaderName, HeaderValue, VARY};
use axum::response::Response;

/// Server-sent events.
pub(super) const EVENTS: &str = "text/event-stream";
/// The language of Graphviz.
pub(super) const DOT: &str = "text/vnd.graphviz";

/// Whether the client likes `media_type` better than JSON, which it gets in all other cases, also
/// where it accepts neither.
pub(super) fn prefers(headers: &HeaderMap, media_type: &str) -> bool {
    let quality = |of: &str| {
        let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let ranges = values.flat_map(|value| value.split(',')).filter_map(Range::read);
        let matching = ranges.filter_map(|range| Some((range.match_with(of)?, range.quality)));
        matching.max_by_key(|&(precision, _)| precision).map_or(0, |(_, quality)| quality)
    };
    quality(media_type) > quality("application/json")
}

/// Tells caches that the answer depends on what the client prefers.
pub(super) fn varying(mut response: Response) -> Response {
    const BY_ACCEPT: (HeaderName, HeaderValue) = (VARY, HeaderValue::from_static("accept"));
    let (name, value) = BY_ACCEPT;
    response.headers_mut().insert(name, value);
    response
}

/// A range of media types and how welcome they are, in thousandths.
struct Range<'a> {
    types: &'a str,
    quality: u32,
}

impl<'a> Range<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let types = parts.next().filter(|types| !types.is_empty())?;
        let mut weights = parts.filter_map(|part| {
            let (name, weight) = part.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| weight.trim().parse::<f32>().ok())?
        });
        let weight = weights.next().unwrap_or(1.0).clamp(0.0, 1.0);
        Some(Self { types, quality: (weight * 1000.0) as u32 })
    }

    /// How precisely the range names a media type, if it does.
    fn match_with(&self, media_type: &str) -> Option<u8> {
        let (group, _) = media_type.split_once('/')?;
        let is_group = |types: &str| {
            let named = types.strip_suffix("/*");
            named.is_some_and(|named| named.eq_ignore_ascii_case(group))
        };
        match self.types {
            "*/*" => Some(0),
            types if is_group(types) => Some(1),
            types => types.eq_ignore_ascii_case(media_type).then_some(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefers_events(accept: &'static str) -> bool {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
        prefers(&headers, EVENTS)
    }

    #[test]
    fn the_other_form_is_sent_where_it_is_liked_better() {
        for accept in [
            "text/event-stream",
            "Text/Event-Stream; q=0.5",
            "text/*",
            "text/event-stream, application/json;q=0.9",
            "application/json;q=0.1, text/event-stream;q=0.2, */*;q=0.9",
        ] {
            assert!(prefers_events(accept), "{accept}");
        }
    }

    #[test]
    fn json_is_sent_in_all_other_cases() {
        for accept in [
            "",
            "*/*",
            "application/json",
            "text/html",
            "application/json, text/event-stream",
            "text/event-stream;q=0.5, */*",
            "text/event-stream;q=0",
            "text/*;q=0.9, text/event-stream;q=0.1, application/*;q=0.2",
            ";;,,q=1",
        ] {
            assert!(!prefers_events(accept), "{accept}");
        }
        assert!(!prefers(&HeaderMap::new(), EVENTS));
    }
}
