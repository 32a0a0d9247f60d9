//! Spans of the steps of a request, for traces: `read`, `wait`, `search` and `write`. Without a subscriber for [`STEPS`] no
//! span is made.

use tracing::field::Empty;
use tracing::{Level, Span, debug_span, span_enabled};

use bestmove_engine::games::any::{Answer, SearchKey};

/// The target of the spans.
pub const STEPS: &str = "bestmove::steps";

/// Reading of a request from a body or a query.
pub fn read() -> Span {
    debug_span!(target: STEPS, "read")
}

/// Writing of an answer as JSON.
pub(super) fn write(request: &Span) -> Span {
    debug_span!(target: STEPS, parent: request, "write")
}

/// The current span, the parent of the steps; none without a subscriber.
pub(super) fn request() -> Span {
    if span_enabled!(target: STEPS, Level::DEBUG) { Span::current() } else { Span::none() }
}

/// Waiting for a worker and memory, or for an equal search of another caller.
pub(super) fn wait(request: &Span) -> Span {
    debug_span!(target: STEPS, parent: request, "wait")
}

/// The search on a worker.
pub(super) fn search(request: &Span) -> Span {
    debug_span!(
        target: STEPS,
        parent: request,
        "search",
        game = Empty,
        variant = Empty,
        algorithm = Empty,
        depth = Empty,
        nodes = Empty,
        stopped_by = Empty,
    )
}

/// Records the result of a search in the current span.
pub(super) fn found(answer: &Answer, key: &SearchKey) {
    let (span, search) = (request(), &answer.search);
    span.record("game", key.game).record("variant", key.variant);
    span.record("algorithm", search.algorithm.name());
    // An attribute of OpenTelemetry is a signed integer; an unsigned one would be sent as text.
    let nodes = i64::try_from(search.nodes).unwrap_or(i64::MAX);
    span.record("depth", i64::from(search.depth)).record("nodes", nodes);
    span.record("stopped_by", search.stopped_by.name());
}
