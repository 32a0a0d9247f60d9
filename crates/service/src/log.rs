//! The line of the log about an answer, in every protocol.

use std::time::Duration;

use super::{FoundAnswer, Origin};

/// A duration in whole microseconds.
pub fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Writes the line of the log about an answer, with fields of its search where `found` has one.
pub fn log_answer(status: u16, time: Duration, found: Option<&FoundAnswer>) {
    let taken = micros(time);
    let Some(FoundAnswer { key, answered, timing, origin }) = found else {
        tracing::info!(status, micros = taken, "answered");
        return;
    };
    let (key, search) = (&key.search, &answered.answer.search);
    tracing::info!(
        status,
        micros = taken,
        game = key.game,
        variant = key.variant,
        depth_limit = key.limits.depth,
        nodes_limit = key.limits.nodes,
        time_limit_ms = key.limits.time.map(|time| micros(time) / 1000),
        algorithm = search.algorithm.name(),
        depth = search.depth,
        nodes = search.nodes,
        stopped_by = search.stopped_by.name(),
        answer = match origin {
            Origin::Search => "searched",
            Origin::SharedSearch => "shared",
            Origin::Cache => "cached",
        },
        queue_micros = micros(timing.queue),
        search_micros = micros(timing.search),
        "answered"
    );
}
