//! The line of the log about an answer, by whatever protocol it is asked for.

use std::time::Duration;

use super::{Found, Origin};

/// Writes the line of the log about an answer, and about what was found where that was searched for.
pub fn log_answer(status: u16, time: Duration, found: Option<&Found>) {
    let micros = time.as_micros() as u64;
    let Some(Found { key, answer, timing, origin }) = found else {
        // Operators select lines by their targets.
        tracing::info!(target: "bestmove::http::middleware", status, micros, "answered");
        return;
    };
    tracing::info!(
        target: "bestmove::http::search_record",
        status,
        micros,
        game = key.game,
        variant = key.variant,
        depth_limit = key.depth,
        nodes_limit = key.nodes,
        time_limit_ms = key.time.map(|time| time.as_millis() as u64),
        algorithm = answer.search.algorithm.name(),
        depth = answer.search.depth,
        nodes = answer.search.nodes,
        stopped_by = answer.search.stopped_by.name(),
        answer = match origin {
            Origin::Search => "searched",
            Origin::SharedSearch => "shared",
            Origin::Cache => "cached",
        },
        queue_micros = timing.queue.as_micros() as u64,
        search_micros = timing.search.as_micros() as u64,
        "answered"
    );
}
