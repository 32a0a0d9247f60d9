//! Log lines on standard error.

use std::io;

use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// What is logged where `RUST_LOG` says nothing: not what the SDK of assistants does with every message.
const DEFAULT: &str = "info,rmcp=warn";

/// Starts logging: at level `info`, or as `RUST_LOG` says.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(DEFAULT));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).init(),
    }
}
