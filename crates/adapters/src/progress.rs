//! A line on standard error with the progress of a long search.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Searches below this time show no progress.
const DELAY: Duration = Duration::from_millis(500);

/// A line that each text overwrites, erased when it is dropped. Only a terminal shows it.
pub(super) struct ProgressLine {
    start: Instant,
    pub(super) is_enabled: bool,
}

impl ProgressLine {
    /// The line on standard error, if that is a terminal.
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), is_enabled: io::stderr().is_terminal() }
    }

    /// Shows `text` in place of what the line showed before, once the search is a long one.
    pub(super) fn show(&self, text: &str) {
        if self.is_enabled && self.start.elapsed() >= DELAY {
            // To the start of the line, and nothing to its end (ECMA-48). Progress that can't be shown is no reason to stop.
            let _ = write!(io::stderr(), "\r\x1b[K{text}");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.show("");
    }
}
