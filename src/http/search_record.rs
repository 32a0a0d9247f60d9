//! What the log says about an answer.

use std::sync::Arc;

use crate::service::{Found, Origin};
use bestmove_engine::games::any::SearchKey;

/// The answer is one that machines ask for every few seconds: health or metrics. It travels with the answer to the log.
#[derive(Clone, Copy)]
pub(super) struct Probe;

/// What was asked and what was found. It travels with the answer to the log.
#[derive(Clone)]
pub(super) struct SearchRecord {
    pub(super) key: Arc<SearchKey>,
    pub(super) found: Found,
}

impl SearchRecord {
    /// Writes the line of the request.
    pub(super) fn log(&self, status: u16, micros: u64) {
        let Self { key, found: Found { answer, timing, origin } } = self;
        tracing::info!(
            status,
            micros,
            game = key.game,
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
}
