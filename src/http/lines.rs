//! The lines of a body, as they arrive.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::Body;
use bytes::BytesMut;
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout_at};
use tokio_util::codec::{Decoder, LinesCodec, LinesCodecError};

use super::app::App;
use super::extract::{broken_off, too_large};
use super::problem::{Kind, Problem};
use crate::service::Reservation;

/// The bytes that a batch may read ahead.
const READ_AHEAD: usize = 64 << 20;
/// What a waiting line occupies beside its text, about: the queue may have twice the room that it needs.
const LINE: usize = 2 * size_of::<Line>();

/// A line, or why there is none.
pub(super) struct Line {
    pub(super) text: Result<String, Box<Problem>>,
    /// The memory of all lines that came together.
    _memory: Option<Arc<Reservation>>,
}

/// The lines of a body that wait to be searched, and the body that brings more.
pub(super) struct Lines {
    body: Body,
    buffer: BytesMut,
    codec: LinesCodec,
    app: Arc<App>,
    waiting: VecDeque<Line>,
    /// The bytes of the waiting lines.
    bytes: usize,
    /// When the line that arrives must be complete.
    deadline: Option<Instant>,
    /// Whether the rest of a line that is too long is skipped.
    is_skipping: bool,
    /// Whether memory is short: nothing is read while lines wait.
    is_short: bool,
    has_ended: bool,
}

impl Lines {
    /// The lines of this body, none longer than a body may be.
    pub(super) fn new(body: Body, app: &Arc<App>) -> Self {
        Self {
            body,
            buffer: BytesMut::new(),
            codec: LinesCodec::new_with_max_length(app.limits.body),
            app: Arc::clone(app),
            waiting: VecDeque::new(),
            bytes: 0,
            deadline: None,
            is_skipping: false,
            is_short: false,
            has_ended: false,
        }
    }

    /// How many lines wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether no line waits and none will come.
    pub(super) fn are_done(&self) -> bool {
        self.has_ended && self.waiting.is_empty()
    }

    /// Whether more of the body may be read.
    pub(super) fn may_read(&self) -> bool {
        let has_room = self.waiting.is_empty() || !self.is_short && self.bytes < READ_AHEAD;
        !self.has_ended && has_room
    }

    pub(super) fn take(&mut self, most: usize) -> Vec<Line> {
        let count = most.min(self.waiting.len());
        let taken: Vec<_> = self.waiting.drain(..count).collect();
        self.bytes -= taken.iter().map(Line::bytes).sum::<usize>();
        taken
    }

    /// Waits for more of the body and reads its lines. Nothing is lost if the future is dropped. Where the
    /// client `is_awaited`, it has the idle timeout for its next byte.
    pub(super) async fn read(&mut self, is_awaited: bool) {
        let idle = is_awaited.then(|| Instant::now() + self.app.limits.idle);
        let deadline = self.deadline.into_iter().chain(idle).min();
        let frame = self.body.frame();
        let frame = match deadline {
            Some(deadline) => timeout_at(deadline, frame).await,
            None => Ok(frame.await),
        };
        match frame {
            Ok(Some(Ok(frame))) => {
                if let Ok(data) = frame.into_data() {
                    self.is_skipping &= !data.contains(&b'\n');
                    self.buffer.extend_from_slice(&data);
                    self.decode(LinesCodec::decode);
                }
            }
            Ok(None) => {
                self.has_ended = true;
                self.decode(LinesCodec::decode_eof);
            }
            Ok(Some(Err(error))) => self.end(broken_off(&error)),
            Err(_) => {
                let detail = if deadline == self.deadline {
                    let seconds = self.app.limits.arrival.as_secs_f64();
                    format!("a line must arrive within {seconds} s of its first byte")
                } else {
                    let seconds = self.app.limits.idle.as_secs_f64();
                    format!("the next byte must arrive within {seconds} s")
                };
                self.end(Problem::new(Kind::RequestTimeout, detail));
            }
        }
    }

    /// Queues the lines that have arrived.
    fn decode(
        &mut self,
        decode: fn(&mut LinesCodec, &mut BytesMut) -> Result<Option<String>, LinesCodecError>,
    ) {
        let (mut arrived, mut is_new_line) = (Vec::new(), self.deadline.is_none());
        loop {
            match decode(&mut self.codec, &mut self.buffer) {
                Ok(None) => break,
                Ok(Some(line)) if line.trim_ascii().is_empty() => {}
                Ok(Some(line)) => arrived.push(Ok(line)),
                Err(LinesCodecError::MaxLineLengthExceeded) => {
                    self.is_skipping = !self.buffer.contains(&b'\n');
                    arrived.push(Err(Box::new(too_large(self.app.limits.body))));
                }
                Err(LinesCodecError::Io(error)) => {
                    let detail = format!("expected UTF-8: {error}");
                    arrived.push(Err(Box::new(Problem::new(Kind::MalformedJson, detail))));
                }
            }
            is_new_line = true;
        }
        if self.buffer.is_empty() && !self.is_skipping {
            self.deadline = None;
        } else if is_new_line {
            self.deadline = Some(Instant::now() + self.app.limits.arrival);
        }
        self.queue(arrived);
    }

    fn queue(&mut self, texts: Vec<Result<String, Box<Problem>>>) {
        let bytes = texts.iter().map(bytes).sum();
        let memory = self.app.service.pool().try_read_ahead(bytes).map(Arc::new);
        self.is_short = memory.is_none();
        self.bytes += bytes;
        let lines = texts.into_iter().map(|text| Line { text, _memory: memory.clone() });
        self.waiting.extend(lines);
    }

    /// Ends the body for this reason, and forgets what has arrived of a line.
    fn end(&mut self, problem: Problem) {
        self.has_ended = true;
        self.buffer.clear();
        self.queue(vec![Err(Box::new(problem))]);
    }
}

impl Line {
    fn bytes(&self) -> usize {
        bytes(&self.text)
    }
}

fn bytes(text: &Result<String, Box<Problem>>) -> usize {
    LINE + text.as_ref().map_or(0, String::len)
}
