//! A line on standard error with the progress of a long search.

use std::io::{self, IsTerminal, Stderr, Write};
use std::time::{Duration, Instant};

/// Searches below this time show no progress.
const DELAY: Duration = Duration::from_millis(500);
/// Goes to the start of the line and erases it (ECMA-48).
const ERASE: &str = "\r\x1b[K";

/// A line that each text overwrites, erased when it is dropped. Only a terminal shows it.
pub(super) struct ProgressLine<W: Write = Stderr> {
    terminal: Option<W>,
    start: Instant,
    is_shown: bool,
}

impl ProgressLine {
    /// The line on standard error, if that is a terminal.
    pub(super) fn stderr() -> Self {
        let stderr = io::stderr();
        Self::new(stderr.is_terminal().then_some(stderr))
    }
}

impl<W: Write> ProgressLine<W> {
    fn new(terminal: Option<W>) -> Self {
        Self { terminal, start: Instant::now(), is_shown: false }
    }

    /// Whether standard error is a terminal.
    pub(super) fn is_enabled(&self) -> bool {
        self.terminal.is_some()
    }

    /// Shows `text` in place of the last one, once the search has lasted [`DELAY`].
    pub(super) fn show(&mut self, text: &str) {
        if self.start.elapsed() < DELAY {
            return;
        }
        if let Some(terminal) = &mut self.terminal {
            // The search goes on even if its progress cannot be shown.
            let _ = write!(terminal, "{ERASE}{text}").and_then(|()| terminal.flush());
            self.is_shown = true;
        }
    }
}

impl<W: Write> Drop for ProgressLine<W> {
    fn drop(&mut self) {
        if let Some(terminal) = &mut self.terminal
            && self.is_shown
        {
            let _ = write!(terminal, "{ERASE}").and_then(|()| terminal.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_search_shows_its_progress_on_a_line_that_vanishes() {
        let mut written = Vec::new();
        let mut line = ProgressLine::new(Some(&mut written));
        line.show("too early");
        line.start -= DELAY;
        line.show("depth 1");
        line.show("depth 2");
        drop(line);
        let written = String::from_utf8(written).expect("it writes UTF-8");
        assert_eq!(written, format!("{ERASE}depth 1{ERASE}depth 2{ERASE}"));
    }
}
