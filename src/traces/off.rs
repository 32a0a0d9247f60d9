//! The stand-in for traces in a build without the feature `otlp`.

use std::io;

use axum::http::HeaderMap;
use tracing::Span;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::Registry;
use tracing_subscriber::util::SubscriberInitExt;

/// No traces.
pub(crate) struct NoTraces;

impl NoTraces {
    #[expect(clippy::unnecessary_wraps, reason = "traces may fail to start")]
    pub(crate) fn start() -> io::Result<Self> {
        Ok(Self)
    }

    /// Installs the log.
    #[expect(clippy::unused_self, reason = "traces take more")]
    pub(crate) fn install(&self, lines: impl Layer<Registry> + Send + Sync, filter: Targets) {
        tracing_subscriber::registry().with(lines).with(filter).init();
    }

    #[expect(clippy::unused_self, reason = "traces have an end")]
    pub(crate) fn end(&self) {}
}

pub(crate) fn follow(_: &Span, _: &HeaderMap) {}

pub(crate) fn answered(_: &Span, _: u16) {}
