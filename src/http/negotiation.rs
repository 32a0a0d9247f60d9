//! What of `Accept-Encoding` matters here: whether the client takes gzip (RFC 9110, section 12.5.3).

use axum::http::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};
use axum::http::{Request, header::Entry};

/// The request with `Accept-Encoding: gzip` where its client prefers gzip, and without that header where not. So
/// no layer refuses an answer: a client that takes neither gzip nor identity gets the answer as it is.
pub(super) fn with_plain_accept_encoding<B>(mut request: Request<B>) -> Request<B> {
    let takes_gzip = takes_gzip(request.headers());
    if let Entry::Occupied(mut codings) = request.headers_mut().entry(ACCEPT_ENCODING) {
        if takes_gzip {
            codings.insert(HeaderValue::from_static("gzip"));
        } else {
            codings.remove();
        }
    }
    request
}

/// Whether the client takes gzip, and at least as gladly as no coding.
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let gzip = quality(headers, &["gzip", "x-gzip"]).or_else(|| quality(headers, &["*"]));
    let identity = quality(headers, &["identity"]).unwrap_or_default();
    gzip.is_some_and(|gzip| gzip > 0.0 && gzip >= identity)
}

/// The quality of the first of these codings that the client names: from 0, never, to 1.
fn quality(headers: &HeaderMap, names: &[&str]) -> Option<f32> {
    let lists = headers.get_all(ACCEPT_ENCODING).into_iter();
    let mut codings = lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(','));
    codings.find_map(|coding| {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let is_wanted = names.iter().any(|wanted| name.trim().eq_ignore_ascii_case(wanted));
        let (_, quality) = parameters.split_once('=').filter(|_| is_wanted)?;
        Some(quality.trim().parse().unwrap_or_default())
    })
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
            let mut request = Request::new(());
            request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static(codings));
            assert_eq!(takes_gzip(request.headers()), is_taken, "{codings}");
            let plain = with_plain_accept_encoding(request);
            let left = plain.headers().get(ACCEPT_ENCODING);
            assert_eq!(left, is_taken.then_some(&HeaderValue::from_static("gzip")), "{codings}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
