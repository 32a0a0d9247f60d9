//! The name of a request, by which its answer and its log lines are found.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::header::{HeaderMap, HeaderName, HeaderValue};

/// The header that carries it.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The caller's own, if it is 1 to 128 visible ASCII characters, else a fresh one.
pub(super) fn of(headers: &HeaderMap) -> HeaderValue {
    headers.get(HEADER).filter(|id| is_acceptable(id.as_bytes())).cloned().unwrap_or_else(fresh)
}

fn is_acceptable(id: &[u8]) -> bool {
    (1..=128).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic)
}

/// Sixteen hexadecimal digits, different for each request of a process and, by a random beginning,
/// for other processes too.
fn fresh() -> HeaderValue {
    /// An odd number, so that multiplying by it is a bijection.
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(()));
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed).wrapping_mul(SPREAD) ^ *SEED;
    HeaderValue::try_from(format!("{number:016x}")).unwrap_or(HeaderValue::from_static("none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callers_id_is_kept_if_it_is_visible_and_short() {
        assert!(is_acceptable(b"!"));
        assert!(is_acceptable(&[b'~'; 128]));
        assert!(!is_acceptable(b""));
        assert!(!is_acceptable(b"two words"));
        assert!(!is_acceptable(&[b'x'; 129]));
        assert!(!is_acceptable("é".as_bytes()));
    }

    #[test]
    fn fresh_ids_differ() {
        assert_ne!(fresh(), fresh());
        assert_eq!(fresh().len(), 16);
    }
}
