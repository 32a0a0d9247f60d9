//! The line of the log about an answer, by whatever protocol it is asked for.

use std::time::Duration;

use super::{Found, Origin};

/// Writes the line of the log about an answer, and about what was found where that was searched for.
pub fn log_answer(status: u16, time: Duration, found: Option<&Found>) {
    let micros = time.as_micros() as u64;
    let Some(Found { key, answered, timing, origin }) = found else {
        tracing::info!(status, micros, "answered");
        return;
    };
    let (key, search) = (&key.search, &answered.answer.search);
    tracing::info!(
        status,
        micros,
        game = key.game,
        variant = key.variant,
        depth_limit = key.depth,
        nodes_limit = key.nodes,
        time_limit_ms = key.time.map(|time| time.as_millis() as u64),
        algorithm = search.algorithm.name(),
        depth = search.depth,
        nodes = search.nodes,
        stopped_by = search.stopped_by.name(),
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
