//! What the log says about the search behind an answer.

use crate::service::{Found, Origin, Question, Summary, Timing};

/// Limits, effort and origin of an answer. It travels with the answer to the log.
#[derive(Clone, Debug)]
pub(super) struct SearchRecord {
    limits: Limits,
    summary: Summary,
    timing: Timing,
    origin: Origin,
}

/// The limits that a request sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    depth: u32,
    nodes: Option<u64>,
    time_ms: Option<u64>,
}

impl From<&Question> for Limits {
    fn from(question: &Question) -> Self {
        let key = question.key();
        let time_ms = key.time.map(|time| time.as_millis() as u64);
        Self { depth: key.depth, nodes: key.nodes, time_ms }
    }
}

impl SearchRecord {
    pub(super) fn new(limits: Limits, found: &Found) -> Self {
        let Found { answer, timing, origin } = found;
        Self { limits, summary: answer.summary, timing: *timing, origin: *origin }
    }

    /// Writes the line of the request.
    pub(super) fn log(&self, status: u16, micros: u64) {
        let Self { limits, summary, timing, origin } = self;
        tracing::info!(
            status,
            micros,
            game = summary.game,
            depth_limit = limits.depth,
            nodes_limit = limits.nodes,
            time_limit_ms = limits.time_ms,
            algorithm = summary.algorithm,
            depth = summary.depth,
            nodes = summary.nodes,
            stopped_by = summary.stopped_by.name(),
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
