//! How long a connection may keep the server waiting.
//!
//! On a connection client and server take turns. While it is the client's, its stream is read with
//! a deadline: one for the head of a request from its first byte on, another one for the silence
//! between requests. While it is the server's turn, nobody but the search limits time.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

/// How long a client may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// To send the head of a request.
    pub head: Duration,
    /// To begin another request.
    pub idle: Duration,
}

/// Whose turn it is on a connection.
#[derive(Default)]
pub(super) struct Turns {
    /// How often it has changed: even while it is the client's.
    changes: AtomicU64,
    /// Whether there will be no other turn for the client.
    last: AtomicBool,
}

impl Turns {
    /// A request has arrived: the turn of the server, until the answer is there.
    pub(super) fn take(self: &Arc<Self>) -> Turn {
        self.changes.fetch_add(1, Ordering::Relaxed);
        Turn(Arc::clone(self))
    }

    /// Lets the client begin no further request.
    pub(super) fn end(&self) {
        self.last.store(true, Ordering::Relaxed);
    }
}

/// The turn of the server, while this lives.
pub(super) struct Turn(Arc<Turns>);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.changes.fetch_add(1, Ordering::Relaxed);
    }
}

impl Turn {
    /// Ends with the body of this answer: at once if all of it is there.
    pub(super) fn end_with(self, answer: Response) -> Response {
        if answer.body().size_hint().exact().is_some() {
            return answer;
        }
        answer.map(|body| Body::new(Streamed { body, _turn: self }))
    }
}

/// A body that is still being made, in the turn of the server.
struct Streamed {
    body: Body,
    _turn: Turn,
}

impl HttpBody for Streamed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection that is given up when its client takes too long.
pub(super) struct PatientStream {
    stream: TcpStream,
    patience: Patience,
    turns: Arc<Turns>,
    /// The changes of turn known here.
    changes: u64,
    /// Whether a head has begun. A connection that was never used is treated like one.
    has_begun: bool,
    /// Whether the client does not take what is sent.
    is_stuck: bool,
    /// When patience ends, once it is known.
    deadline: Option<Instant>,
    timer: Pin<Box<Sleep>>,
}

impl PatientStream {
    pub(super) fn new(stream: TcpStream, patience: Patience, turns: Arc<Turns>) -> Self {
        let timer = Box::pin(sleep_until(Instant::now() + patience.head));
        Self {
            stream,
            patience,
            turns,
            changes: 0,
            has_begun: true,
            is_stuck: false,
            deadline: None,
            timer,
        }
    }

    /// Whether it is the client's turn; another turn has another deadline.
    fn is_clients_turn(&mut self) -> bool {
        let changes = self.turns.changes.load(Ordering::Relaxed);
        if changes != self.changes {
            (self.changes, self.has_begun, self.deadline) = (changes, false, None);
        }
        changes.is_multiple_of(2)
    }

    fn received(&mut self) {
        if self.is_clients_turn() && !self.has_begun {
            (self.has_begun, self.deadline) = (true, None);
        }
    }

    /// Waits for the end of patience, which is an error. The timer is moved back only when it is
    /// due, so that most requests never touch it.
    fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.is_clients_turn() {
            return Poll::Pending;
        }
        if self.turns.last.load(Ordering::Relaxed) && !self.is_stuck {
            return Poll::Ready(Err(ErrorKind::ConnectionAborted.into()));
        }
        let Patience { head, idle } = self.patience;
        let allowed = if self.has_begun { head } else { idle };
        let deadline = *self.deadline.get_or_insert_with(|| Instant::now() + allowed);
        if deadline < self.timer.deadline() {
            self.timer.as_mut().reset(deadline);
        }
        loop {
            ready!(self.timer.as_mut().poll(cx));
            if Instant::now() >= deadline {
                return Poll::Ready(Err(ErrorKind::TimedOut.into()));
            }
            self.timer.as_mut().reset(deadline);
        }
    }

    fn sent(&mut self, sent: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.is_stuck = sent.is_pending();
        sent
    }
}

impl AsyncRead for PatientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(cx, buf) {
            Poll::Pending => self.poll_patience(cx),
            Poll::Ready(result) => {
                self.received();
                Poll::Ready(result)
            }
        }
    }
}

impl AsyncWrite for PatientStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.sent(sent)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The answer is out, and nobody need read before the client sends something. What the
        // timer wakes is a reader, who sees the end of patience.
        let _ = self.poll_patience(cx);
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.sent(sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
