//! Log lines on standard error, written by a thread of their own; and the start of traces.
//!
//! Logging never delays a request and never ends the program. A line is lost, and counted, where too many lines wait
//! to be written, or where standard error does not take it.

use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, panic, thread};

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;

use crate::traces::Traces;
use bestmove_service::STEPS;

/// Lines that may wait to be written.
const MOST_WAITING: usize = 4096;

/// The time that the last lines may take to be written.
const LAST_LINES: Duration = Duration::from_millis(500);

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Lines lost because the queue was full.
static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// Lines lost because they could not be written.
static UNWRITABLE: AtomicUsize = AtomicUsize::new(0);

/// The number of lost lines.
pub fn lost_lines() -> usize {
    let dropped = DROPPED.get().map_or(0, ErrorCounter::dropped_lines);
    dropped.saturating_add(UNWRITABLE.load(Ordering::Relaxed))
}

/// Starts logging, of panics too, at level `info` or by `RUST_LOG` (`warn`, `info,hyper=off`). A release build has no
/// lines below `debug`.
///
/// # Errors
/// Where standard error can't be opened once more, or `RUST_LOG` is misspelt.
pub fn start(format: LogFormat) -> io::Result<Log> {
    let filter = match env::var("RUST_LOG") {
        Ok(text) if !text.trim().is_empty() => filter(&text)?,
        _ => filter("info")?,
    };
    let file = LogFile(standard_error()?);
    let writer = NonBlockingBuilder::default().lossy(true).buffered_lines_limit(MOST_WAITING);
    let (writer, worker) = writer.thread_name("log").finish(file);
    let _ = DROPPED.set(writer.error_counter());
    let lines = fmt::layer().with_writer(writer).log_internal_errors(false);
    let traces = Traces::start()?;
    match format {
        LogFormat::Text => traces.install(lines, filter),
        LogFormat::Json => {
            traces.install(lines.json().flatten_event(true).with_span_list(false), filter);
        }
    }
    panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(ToString::to_string);
        tracing::error!(location, reason = panic.payload_as_str(), "panicked");
    }));
    Ok(Log { traces, worker: Some(worker) })
}

/// Standard error as a file of its own.
#[cfg(unix)]
pub(crate) fn standard_error() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stderr().as_fd().try_clone_to_owned()?))
}

/// Standard error as a file of its own.
#[cfg(windows)]
pub(crate) fn standard_error() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stderr().as_handle().try_clone_to_owned()?))
}

/// Reads a filter of levels and of targets with levels. A word that is no level is an error: `Targets` would take
/// `warning` for a target and turn all lines off.
fn filter(text: &str) -> io::Result<Targets> {
    let parts: Vec<_> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_level = |part: &str| part.parse::<LevelFilter>().is_ok();
    let wrong = parts.iter().find(|part| !is_level(part.rsplit('=').next().unwrap_or_default()));
    let filter: Option<Targets> = parts.join(",").parse().ok().filter(|_| wrong.is_none());
    // The SDK for assistants warns of every mistake of a client, and of every answer that no client waits for.
    let of_sdk = |filter: Targets| {
        let is_named = text.contains("rmcp");
        if is_named { filter } else { filter.with_target("rmcp", LevelFilter::OFF) }
    };
    // The steps of a request are for traces, not for the log.
    let filter = filter.map(|filter| of_sdk(filter).with_target(STEPS, LevelFilter::OFF));
    filter.ok_or_else(|| {
        let got = wrong.copied().unwrap_or(text);
        let expected = "off, error, warn, info, or target=level, separated by commas";
        io::Error::other(format!("RUST_LOG: expected {expected}, but got '{got}'"))
    })
}

/// Ends logging when it is dropped: the last lines are then written, unless standard error does not take them.
#[must_use]
pub struct Log {
    traces: Traces,
    worker: Option<WorkerGuard>,
}

impl Drop for Log {
    fn drop(&mut self) {
        self.traces.end();
        let worker = self.worker.take();
        let (written, all_written) = mpsc::channel();
        // The guard is dropped on a thread of its own, since the worker may hang and the guard may print to standard output.
        let waiting = thread::Builder::new().spawn(move || {
            drop(worker);
            let _ = written.send(());
        });
        if waiting.is_ok() {
            let _ = all_written.recv_timeout(LAST_LINES);
        }
    }
}

/// Standard error, without the lock of [`io::stderr`], so that other writers need not wait for a line that hangs.
struct LogFile(File);

impl Write for LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.0.write_all(line).is_err() {
            UNWRITABLE.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
