//! The lines of a body, in groups, as they arrive.
//!
//! A task of its own reads lines ahead, as far as memory allows, since many clients write a whole batch before they read.

use std::mem::take;
use std::sync::Arc;

use axum::body::Body;
use bytes::{Buf, Bytes};
use futures_util::stream::{self, Stream};
use http_body_util::BodyExt;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};
use tokio_util::task::AbortOnDropHandle;

use super::app::App;
use super::body::{Arrived, broken_off, too_late};
use bestmove_api::Problem;
use bestmove_service::Reservation;

/// The end of a line.
const END: u8 = b'\n';

/// The most lines of a group.
const GROUP: usize = 32;

/// Lines that arrived together.
pub(super) struct Group {
    /// Whole lines, or a problem in place of a line.
    pub(super) text: Result<Bytes, Box<Problem>>,
    /// A share, held by each line until it is answered.
    pub(super) unanswered: Arc<()>,
    /// The memory of all lines of the group.
    _memory: Option<Arc<Reservation>>,
    /// Tells the reader, by being dropped, that the text is no longer held.
    _unread: oneshot::Sender<()>,
}

/// The groups of lines of `body`, each line within the limit of a body. Dropping the stream ends the reading.
pub(super) fn groups(body: Body, app: Arc<App>) -> impl Stream<Item = Group> + Send {
    let (groups, receiver) = unbounded_channel();
    let reader = LineReader {
        body,
        app,
        beginning: Arrived::default(),
        deadline: None,
        is_skipping: false,
        unanswered: Arc::default(),
        groups,
    };
    let reading = AbortOnDropHandle::new(tokio::spawn(reader.read()));
    stream::unfold((receiver, reading), |(mut receiver, reading)| async move {
        Some((receiver.recv().await?, (receiver, reading)))
    })
}

struct LineReader {
    body: Body,
    app: Arc<App>,
    /// The beginning of a line whose end has not arrived.
    beginning: Arrived,
    /// When the line that arrives must be complete.
    deadline: Option<Instant>,
    /// Whether the rest of a line that is too long is skipped.
    is_skipping: bool,
    /// Shared with all lines that are not answered.
    unanswered: Arc<()>,
    groups: UnboundedSender<Group>,
}

impl LineReader {
    /// Reads to the end of the body.
    async fn read(mut self) {
        loop {
            match self.next_data().await {
                Ok(Some(data)) => self.split(data).await,
                Ok(None) => {
                    let last = take(&mut self.beginning).ended_by(&[]);
                    return self.send_lines(last.into()).await;
                }
                Err(problem) => return self.send_problem(problem).await,
            }
        }
    }

    /// The next bytes; `None` at the end.
    async fn next_data(&mut self) -> Result<Option<Bytes>, Problem> {
        let (idle, arrival) = (self.app.limits.idle, self.app.limits.arrival);
        loop {
            let silence = Instant::now() + idle;
            let is_line_due = self.deadline.is_some_and(|deadline| deadline <= silence);
            let deadline = self.deadline.filter(|_| is_line_due).unwrap_or(silence);
            match timeout_at(deadline, self.body.frame()).await {
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        return Ok(Some(data));
                    }
                }
                Ok(Some(Err(error))) => return Err(broken_off(&error)),
                Ok(None) => return Ok(None),
                Err(_) if is_line_due => {
                    return Err(too_late("a line", arrival, " of its first byte"));
                }
                // Silence is allowed while the client waits for answers.
                Err(_) if Arc::strong_count(&self.unanswered) > 1 => {}
                Err(_) => return Err(too_late("the next byte", idle, "")),
            }
        }
    }

    /// Sends the lines that `data` completes. Each byte is looked at once.
    async fn split(&mut self, mut data: Bytes) {
        if self.is_skipping {
            let end = data.iter().position(|byte| *byte == END);
            data.advance(end.map_or(data.len(), |end| end + 1));
            self.is_skipping = end.is_none();
            self.deadline = self.deadline.filter(|_| self.is_skipping);
        }
        if let Some(end) = data.iter().rposition(|byte| *byte == END) {
            let lines = take(&mut self.beginning).ended_by(&data[..=end]);
            data.advance(end + 1);
            self.send_lines(lines.into()).await;
            self.deadline = None;
        }
        if let Err(problem) = self.beginning.push(&data, &self.app) {
            self.beginning = Arrived::default();
            self.is_skipping = true;
            self.send_problem(problem).await;
        }
        if self.deadline.is_none() && (self.is_skipping || !self.beginning.is_empty()) {
            self.deadline = Some(Instant::now() + self.app.limits.arrival);
        }
    }

    async fn send_lines(&mut self, mut lines: Bytes) {
        let memory = self.app.service.pool().reserve(lines.len()).ok().map(Arc::new);
        while !lines.is_empty() {
            let mut ends = lines.iter().enumerate().filter(|(_, byte)| **byte == END);
            let end = ends.nth(GROUP - 1).map_or(lines.len(), |(at, _)| at + 1);
            self.send(Ok(lines.split_to(end)), memory.clone()).await;
        }
    }

    async fn send_problem(&mut self, problem: Problem) {
        self.send(Err(Box::new(problem)), None).await;
    }

    /// Sends a group. A group without memory must be taken before more bytes are read.
    async fn send(&mut self, text: Result<Bytes, Box<Problem>>, memory: Option<Arc<Reservation>>) {
        let (has_memory, unanswered) = (memory.is_some(), Arc::clone(&self.unanswered));
        let (unread, taken) = oneshot::channel();
        // Sending fails where the stream is dropped, and then this task ends soon.
        let _ = self.groups.send(Group { text, unanswered, _memory: memory, _unread: unread });
        if !has_memory {
            let _ = taken.await;
        }
    }
}
