//! Log lines on standard error, written by a thread of their own; and the start of traces.
//!
//! Logging never delays a request and never ends the program. A line is lost, and counted, where too many lines wait
//! to be written, or where standard error does not take it.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};
use std::{env, panic, thread};

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
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

/// Lines that were lost.
static LOST: AtomicUsize = AtomicUsize::new(0);

/// The number of lost lines.
pub(crate) fn lost_lines() -> usize {
    LOST.load(Ordering::Relaxed)
}

/// Starts logging, of panics too, at level `info` or by `RUST_LOG` (`warn`, `info,hyper=off`). A release build has no
/// lines below `debug`.
///
/// # Errors
/// Where standard error can't be opened once more, or `RUST_LOG` is misspelt.
pub(crate) fn start(format: LogFormat) -> io::Result<Log> {
    let filter = match env::var("RUST_LOG") {
        Ok(text) if !text.trim().is_empty() => filter(&text)?,
        _ => filter("info")?,
    };
    let (queue, waiting) = sync_channel(MOST_WAITING);
    let (open, closed) = channel();
    let file = standard_error()?;
    thread::Builder::new().name("log".to_owned()).spawn(move || {
        write_lines(file, &waiting);
        drop(open);
    })?;
    let log = Queue(queue);
    let writer = log.clone();
    let lines = fmt::layer().with_writer(move || writer.clone()).log_internal_errors(false);
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
    Ok(Log { traces, queue: log, closed })
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
    let wrong = parts.iter().find(|part| {
        part.rsplit('=').next().is_none_or(|level| level.parse::<LevelFilter>().is_err())
    });
    let filter: Option<Targets> = parts.join(",").parse().ok().filter(|_| wrong.is_none());
    let filter = filter.ok_or_else(|| {
        let got = wrong.copied().unwrap_or(text);
        let expected = "off, error, warn, info, or target=level, separated by commas";
        io::Error::other(format!("RUST_LOG: expected {expected}, but got '{got}'"))
    })?;
    // The steps of a request are for traces, not for the log.
    let filter = filter.with_target(STEPS, LevelFilter::OFF);
    // The SDK for assistants warns of every mistake of a client, and of every answer that no client waits for.
    let is_sdk_named = text.contains("rmcp");
    Ok(if is_sdk_named { filter } else { filter.with_target("rmcp", LevelFilter::OFF) })
}

/// Ends logging when it is dropped: the last lines are then written, unless standard error does not take them.
#[must_use]
pub(crate) struct Log {
    traces: Traces,
    queue: Queue,
    /// Closed when the last line is written.
    closed: Receiver<()>,
}

impl Drop for Log {
    fn drop(&mut self) {
        self.traces.end();
        let end = Instant::now() + LAST_LINES;
        while self.queue.0.try_send(END.to_vec()).is_err() && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        let _ = self.closed.recv_timeout(end.saturating_duration_since(Instant::now()));
    }
}

/// The line after the last one.
const END: &[u8] = &[];

/// The lines that wait to be written.
///
/// The crate `tracing-appender` has such a queue. Eight other crates come with it, among them a calendar.
#[derive(Clone)]
struct Queue(SyncSender<Vec<u8>>);

impl Write for Queue {
    /// Takes a line, or loses it where too many wait.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.0.try_send(line.to_vec()).is_err() {
            LOST.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes lines until the last one. The file is no [`io::Stderr`], whose lock would let others wait for a line that hangs.
fn write_lines(mut file: File, lines: &Receiver<Vec<u8>>) {
    for line in lines.iter().take_while(|line| line != END) {
        if file.write_all(&line).is_err() {
            LOST.fetch_add(1, Ordering::Relaxed);
        }
    }
}
