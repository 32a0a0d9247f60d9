//! Spans of the steps of a request: `read`, `wait`, `search` and `write`. They are for traces. Where nobody takes
//! them, none is made.

use tracing::field::Empty;
use tracing::{Level, Span, debug_span, span_enabled};

use bestmove_engine::games::any::{Answer, SearchKey};

/// The target of the spans.
pub const STEPS: &str = "bestmove::steps";

/// The request that is read from a body or a query.
pub fn read() -> Span {
    debug_span!(target: STEPS, "read")
}

/// The answer that is written as JSON.
pub(super) fn write(request: &Span) -> Span {
    debug_span!(target: STEPS, parent: request, "write")
}

/// The span whose steps follow; none where nobody takes them.
pub(super) fn request() -> Span {
    if span_enabled!(target: STEPS, Level::DEBUG) { Span::current() } else { Span::none() }
}

/// Waiting for a worker and memory, or for the same search of another caller.
pub(super) fn wait(request: &Span) -> Span {
    debug_span!(target: STEPS, parent: request, "wait")
}

/// Work of a worker.
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

/// Tells the span of a search, which is the current one, what came of it.
pub(super) fn found(answer: &Answer, key: &SearchKey) {
    let (span, search) = (request(), &answer.search);
    span.record("game", key.game).record("variant", key.variant);
    span.record("algorithm", search.algorithm.name());
    // A signed number is sent as a number.
    let nodes = i64::try_from(search.nodes).unwrap_or(i64::MAX);
    span.record("depth", i64::from(search.depth)).record("nodes", nodes);
    span.record("stopped_by", search.stopped_by.name());
}
