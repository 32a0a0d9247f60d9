//! Log lines on standard error.
//!
//! Text lines are written here, because the formatter of `tracing-subscriber` formats each of their parts by
//! way of `fmt::Debug` or `fmt::Display`: a line with its span cost 20 000 instructions, a quarter of a
//! request. A value is quoted where it has other than plain characters.

use std::cell::{Cell, RefCell};
use std::env;
use std::fmt::{self, Debug, Write as _};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::SystemTime;

use tokio::runtime::{Builder, Runtime};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::{LookupSpan, SpanRef};
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::LogFormat;

/// Starts logging: at level `info`, or as `RUST_LOG` says (`warn`, `info,hyper=off`). A release build has no
/// lines below `info`.
///
/// # Errors
/// Where standard error can't be opened once more, or `RUST_LOG` is misspelt.
pub fn start(format: LogFormat) -> io::Result<Arc<LogFile>> {
    let filter = match env::var("RUST_LOG") {
        Ok(text) if !text.trim().is_empty() => filter(&text)?,
        _ => filter("info")?,
    };
    let lines = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE);
    let file = Arc::new(LogFile(File::from(io::stderr().as_fd().try_clone_to_owned()?)));
    let lines = lines.with_writer(Arc::clone(&file));
    match format {
        LogFormat::Text => {
            lines.event_format(TextLine).fmt_fields(TextFields).finish().with(filter).init();
        }
        LogFormat::Json => {
            let lines = lines.with_timer(Timestamp).json();
            lines.flatten_event(true).with_span_list(false).finish().with(filter).init();
        }
    }
    Ok(file)
}

/// Which lines are wanted: levels alone or of targets. (`Targets` takes a word that is no level for a target, so
/// `warning` would turn all lines off.)
fn filter(text: &str) -> io::Result<Targets> {
    let parts: Vec<_> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_level = |part: &str| part.parse::<LevelFilter>().is_ok();
    let wrong = parts.iter().find(|part| !is_level(part.rsplit('=').next().unwrap_or_default()));
    let filter: Option<Targets> = parts.join(",").parse().ok().filter(|_| wrong.is_none());
    // The SDK of assistants warns of every mistake of a client.
    let of_sdk = |filter: Targets| match filter.default_level() {
        Some(level) if !text.contains("rmcp") => {
            filter.with_target("rmcp", level.min(LevelFilter::ERROR))
        }
        _ => filter,
    };
    let filter = filter.map(of_sdk);
    filter.ok_or_else(|| {
        let got = wrong.copied().unwrap_or(text);
        let expected = "off, error, warn, info, or target=level, separated by commas";
        io::Error::other(format!("RUST_LOG: expected {expected}, but got '{got}'"))
    })
}

/// Standard error. A line is one write without the lock of [`io::stderr`], so threads need not wait for each other.
/// The workers of a [runtime](Self::runtime) write several lines at once when they have many requests to answer: a
/// write costs a microsecond, a twentieth of a known answer. With `tracing-appender`, which hands each line to a
/// thread of its own, a known answer takes 25.5 microseconds of processors in place of 21.7 to 23.3.
pub struct LogFile(File);

thread_local! {
    /// The lines of a worker that are not yet written. Other threads write each line at once.
    static PENDING: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

impl LogFile {
    /// The bytes that a worker writes at once: as many as a pipe keeps together (`PIPE_BUF` of Linux).
    const MOST: usize = 4096;

    /// A runtime whose workers write their lines when they have nothing else to do, or enough of them.
    ///
    /// # Errors
    /// Where its threads can't be started.
    pub fn runtime(self: Arc<Self>) -> io::Result<Runtime> {
        let last = Arc::clone(&self);
        Builder::new_multi_thread()
            .enable_all()
            // Workers alone are unparked; threads for what blocks are not.
            .on_thread_unpark(|| PENDING.with_borrow_mut(|lines| _ = lines.get_or_insert_default()))
            .on_thread_park(move || self.write_pending())
            .on_thread_stop(move || last.write_pending())
            .build()
    }

    fn write_pending(&self) {
        PENDING.with_borrow_mut(|lines| lines.as_mut().map(|lines| self.write_lines(lines)));
    }

    fn write_lines(&self, lines: &mut Vec<u8>) {
        if !lines.is_empty() {
            // There is no place to tell that no line can be written.
            let _ = (&self.0).write_all(lines);
            lines.clear();
        }
    }
}

impl Write for &LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let keep = |lines: &mut Vec<u8>| {
            if lines.len() + line.len() > LogFile::MOST {
                self.write_lines(lines);
            }
            lines.extend_from_slice(line);
            line.len()
        };
        match PENDING.try_with(|lines| lines.borrow_mut().as_mut().map(keep)) {
            Ok(Some(length)) => Ok(length),
            _ => (&self.0).write(line),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The time in UTC, to the microsecond (RFC 3339).
struct Timestamp;

impl FormatTime for Timestamp {
    fn format_time(&self, line: &mut Writer<'_>) -> fmt::Result {
        write!(line, "{}", humantime::format_rfc3339_micros(SystemTime::now()))
    }
}

/// Writes time, level, spans with their fields, target and fields.
struct TextLine;

impl<S, N> FormatEvent<S, N> for TextLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        Timestamp.format_time(&mut line)?;
        line.write_str(match *event.metadata().level() {
            Level::ERROR => " ERROR ",
            Level::WARN => "  WARN ",
            Level::INFO => "  INFO ",
            Level::DEBUG => " DEBUG ",
            Level::TRACE => " TRACE ",
        })?;
        let mut end = "";
        if let Some(span) = context.lookup_current() {
            write_spans::<S, N>(&mut line, &span)?;
            end = " ";
        }
        let target = [end, event.metadata().target(), ": "];
        target.into_iter().try_for_each(|part| line.write_str(part))?;
        context.format_fields(line.by_ref(), event)?;
        line.write_char('\n')
    }
}

/// Writes a span after those around it. (`FmtContext::visit_spans` makes a list of them.)
fn write_spans<S, N: 'static>(line: &mut Writer<'_>, span: &SpanRef<'_, S>) -> fmt::Result
where
    S: for<'a> LookupSpan<'a>,
{
    if let Some(parent) = span.parent() {
        write_spans::<S, N>(line, &parent)?;
    }
    line.write_str(span.name())?;
    if let Some(fields) = span.extensions().get::<FormattedFields<N>>()
        && !fields.is_empty()
    {
        ["{", fields, "}"].into_iter().try_for_each(|part| line.write_str(part))?;
    }
    line.write_char(':')
}

/// Writes fields as `name=value`, and the message without its name.
struct TextFields;

impl<'writer> FormatFields<'writer> for TextFields {
    fn format_fields<R: RecordFields>(&self, mut line: Writer<'writer>, fields: R) -> fmt::Result {
        let mut text = FieldText(FIELDS.take());
        fields.record(&mut text);
        let written = line.write_str(&text.0);
        text.0.clear();
        FIELDS.set(text.0);
        written
    }
}

thread_local! {
    /// The room for the fields of the next line.
    static FIELDS: Cell<String> = const { Cell::new(String::new()) };
}

struct FieldText(String);

/// Which bytes need no quotes.
const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let mut byte = b'!';
    while byte.is_ascii_graphic() {
        is_plain[byte as usize] = !matches!(byte, b'"' | b'\\' | b'=');
        byte += 1;
    }
    is_plain
};

impl FieldText {
    fn begin(&mut self, field: &Field) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        if field.name() != "message" {
            self.0.push_str(field.name());
            self.0.push('=');
        }
    }
}

impl Visit for FieldText {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.begin(field);
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{value:?}");
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if value.is_empty() || !value.bytes().all(|byte| IS_PLAIN[usize::from(byte)]) {
            return self.record_debug(field, &value);
        }
        self.begin(field);
        self.0.push_str(value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.begin(field);
        self.0.push_str(itoa::Buffer::new().format(value));
    }
}
