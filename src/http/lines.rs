//! The lines of a body, as they arrive.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use tokio::time::timeout;

use super::Limits;
use super::body::{broken_off, too_large};
use super::problem::{Kind, Problem};

/// A line, or why there is none.
pub(super) type Line = Result<Bytes, Problem>;

/// The lines of a body. No more than one line and what arrived with it is kept.
pub(super) struct Lines {
    body: Body,
    arrived: Vec<u8>,
    /// Where in `arrived` the next line begins.
    next: usize,
    limits: Limits,
    /// The line that arrives is too long, and its rest is skipped.
    is_skipping: bool,
    has_ended: bool,
}

impl Lines {
    /// The lines of this body, none longer than a body may be.
    pub(super) fn new(body: Body, limits: Limits) -> Self {
        Self { body, arrived: Vec::new(), next: 0, limits, is_skipping: false, has_ended: false }
    }

    /// Whether no more will arrive.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// As many of the lines that have arrived, blank ones left out, as are wanted at `most`.
    pub(super) fn take(&mut self, most: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        while lines.len() < most
            && let Some(line) = self.next_line()
        {
            let is_blank = line.as_ref().is_ok_and(|line| line.trim_ascii().is_empty());
            if !is_blank {
                lines.push(line);
            }
        }
        lines
    }

    /// The next line that has arrived whole.
    fn next_line(&mut self) -> Option<Line> {
        let rest = &self.arrived[self.next..];
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
            return self.unfinished_line();
        };
        let line = Bytes::copy_from_slice(&rest[..length]);
        self.next += length + 1;
        if std::mem::take(&mut self.is_skipping) {
            return self.next_line();
        }
        Some(if length > self.limits.body { Err(too_large(self.limits.body)) } else { Ok(line) })
    }

    /// What has arrived of a line: the last one needs no end, and one that is too long is told at
    /// once and skipped.
    fn unfinished_line(&mut self) -> Option<Line> {
        self.arrived.drain(..self.next);
        self.next = 0;
        let is_too_long = self.arrived.len() > self.limits.body;
        if self.is_skipping || is_too_long {
            self.arrived.clear();
            let was_skipping = std::mem::replace(&mut self.is_skipping, true);
            return (!was_skipping).then(|| Err(too_large(self.limits.body)));
        }
        let is_last = self.has_ended && !self.arrived.is_empty();
        is_last.then(|| Ok(std::mem::take(&mut self.arrived).into()))
    }

    /// Waits until more has arrived, for no longer than a client may take where it `must` send
    /// something. Nothing is lost if the future is dropped.
    ///
    /// # Errors
    /// Where the body breaks off or takes too long; it has ended then.
    pub(super) async fn arrive(&mut self, must: bool) -> Result<(), Problem> {
        let patience = if must { self.limits.arrival } else { Duration::MAX };
        let frame = poll_fn(|cx| Pin::new(&mut self.body).poll_frame(cx));
        let frame = match timeout(patience, frame).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(None) => {
                self.has_ended = true;
                return Ok(());
            }
            Ok(Some(Err(error))) => return Err(self.end(broken_off(&error))),
            Err(_) => {
                let seconds = self.limits.arrival.as_secs_f64();
                let detail = format!("the next line must begin to arrive within {seconds} s");
                return Err(self.end(Problem::new(Kind::RequestTimeout, detail)));
            }
        };
        if let Ok(part) = frame.into_data() {
            self.arrived.extend_from_slice(&part);
        }
        Ok(())
    }

    /// Ends the body for this reason, and forgets what has arrived of a line.
    fn end(&mut self, problem: Problem) -> Problem {
        self.has_ended = true;
        self.arrived.clear();
        self.next = 0;
        problem
    }
}
