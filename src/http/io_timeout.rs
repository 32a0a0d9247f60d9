//! Time limits of a connection, and what becomes of it when the client closes its side.
//!
//! [`TimedStream`] records when bytes move on the socket. [`Connection::expired`] waits beside the
//! HTTP connection, in the same task, until one of these deadlines passes:
//!
//! - a head is not complete within `header` of its first byte, or of the connection's start;
//! - no byte moves for `idle` between two requests, while a handler waits for the body of its
//!   request, or while a response waits to be written;
//! - a response is not ready [`FIN_GRACE`] after the client closed its side.
//!
//! No deadline runs while the server computes. Once a response streams, only its handler knows
//! whether it waits for a line of the body or computes an answer, so that wait is the handler's to
//! bound. Bytes of a next head that arrive with the request before it count as silence: they get
//! `idle` instead of `header`.
//!
//! Why by hand: hyper's `header_read_timeout` is one timer that starts when the response before is
//! written, so it cannot distinguish the silence between requests from a slow head. hyper has no timeout for
//! writes. `tokio-io-timeout` times every pending read, whether or not the server waits for it.
//! hyper's detection of a closed connection drops a request whose FIN comes with it, and ends as soon as
//! bytes of a next request are buffered; it is turned off (`half_close`). Instead the closed side is seen
//! by the readiness of the socket, with any number of bytes unread. Only a client that sends more than the
//! socket holds hides its FIN behind the rest; the limits of its request hold as ever.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::response::Response;
use http_body_util::BodyExt;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};

/// How long a response may still take after the client has closed its side.
const FIN_GRACE: Duration = Duration::from_millis(50);

/// Readiness that comes with a closed side. On Linux priority is it: nothing else sets it here.
/// Elsewhere unread bytes do too.
#[cfg(target_os = "linux")]
const CLOSED: Interest = Interest::PRIORITY;
#[cfg(not(target_os = "linux"))]
const CLOSED: Interest = Interest::READABLE;

/// How long a client may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeouts {
    /// For the head of a request, from its first byte.
    pub header: Duration,
    /// For any byte, while the server waits for the client.
    pub idle: Duration,
}

/// What a connection is doing.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Waiting for a request, and since when for the rest of its head.
    Waiting { head: Option<Instant> },
    /// A handler receives a request or computes its response.
    Handling,
    /// A response is computed while it is sent.
    Streaming,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// When a byte last moved, or the wait for one began.
    moved: Instant,
    /// The time, once it has been asked for: it is read once while the connection is polled.
    now: Option<Instant>,
    is_read_blocked: bool,
    is_write_blocked: bool,
    /// When the client closed its side; for a later request, when that began.
    closed: Option<Instant>,
}

impl State {
    /// When the connection must end unless something happens before.
    fn deadline(&self, timeouts: &Timeouts, is_closing: bool) -> Option<Instant> {
        let idle = self.moved.checked_add(timeouts.idle);
        if self.is_write_blocked {
            return idle;
        }
        match self.phase {
            Phase::Waiting { .. } if is_closing => Some(self.moved),
            Phase::Waiting { head: Some(start) } => start.checked_add(timeouts.header),
            Phase::Waiting { head: None } => idle,
            Phase::Handling if self.is_read_blocked && is_closing => Some(self.moved),
            Phase::Handling if self.is_read_blocked => idle,
            Phase::Handling | Phase::Streaming => self.closed.map(|since| since + FIN_GRACE),
        }
    }

    fn now(&mut self) -> Instant {
        *self.now.get_or_insert_with(Instant::now)
    }

    fn note_read(&mut self, is_blocked: bool) {
        if !(is_blocked && self.is_read_blocked) {
            self.moved = self.now();
        }
        self.is_read_blocked = is_blocked;
        if let Phase::Waiting { head: head @ None } = &mut self.phase
            && !is_blocked
        {
            *head = Some(self.moved);
        }
    }

    fn note_write(&mut self, is_blocked: bool) {
        if !(is_blocked && self.is_write_blocked) {
            self.moved = self.now();
        }
        self.is_write_blocked = is_blocked;
    }
}

/// A connection with a client.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    timeouts: Timeouts,
    /// Whether the server serves no further request.
    is_closing: Arc<AtomicBool>,
    state: Mutex<State>,
}

impl Connection {
    /// A connection that has just been accepted.
    pub(super) fn new(
        stream: TcpStream,
        timeouts: Timeouts,
        is_closing: Arc<AtomicBool>,
    ) -> Arc<Self> {
        let moved = Instant::now();
        let state = Mutex::new(State {
            phase: Phase::Waiting { head: Some(moved) },
            moved,
            now: None,
            is_read_blocked: false,
            is_write_blocked: false,
            closed: None,
        });
        Arc::new(Self { stream, timeouts, is_closing, state })
    }

    /// A request has arrived. It is in progress until the guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>) -> InProgress {
        let mut state = self.state.lock();
        (state.phase, state.is_read_blocked) = (Phase::Handling, false);
        state.closed = state.closed.map(|_| Instant::now());
        InProgress(Arc::clone(self))
    }

    /// Ends when the client takes too long, or has left. It must be polled after the HTTP connection
    /// in the same task, so that it sees every change of state.
    pub(super) async fn expired(&self) {
        let mut read_closed = pin!(self.read_closed());
        let mut is_open = true;
        let mut timer = pin!(sleep(Duration::ZERO));
        std::future::poll_fn(|cx| {
            // Between requests hyper reads, and so sees the end itself.
            let in_progress = {
                let mut state = self.state.lock();
                state.now = None;
                !matches!(state.phase, Phase::Waiting { .. })
            };
            if is_open && in_progress && read_closed.as_mut().poll(cx).is_ready() {
                is_open = false;
                self.state.lock().closed = Some(Instant::now());
            }
            // The timer is moved on only when it is due: most requests never touch it.
            loop {
                let is_closing = self.is_closing.load(Ordering::Relaxed);
                let Some(deadline) = self.state.lock().deadline(&self.timeouts, is_closing) else {
                    return Poll::Pending;
                };
                if deadline < timer.deadline() {
                    timer.as_mut().reset(deadline);
                }
                ready!(timer.as_mut().poll(cx));
                if Instant::now() >= deadline {
                    return Poll::Ready(());
                }
                timer.as_mut().reset(deadline);
            }
        })
        .await;
        if self.state.lock().is_write_blocked {
            // What the client does not take need not stay in the kernel either.
            let _ = self.stream.set_zero_linger();
        }
    }

    /// Waits until the client closes its side.
    async fn read_closed(&self) {
        while let Ok(ready) = self.stream.ready(CLOSED).await
            && !ready.is_read_closed()
        {
            sleep(FIN_GRACE).await;
        }
    }
}

/// A request in progress: until its response is complete, but for being written.
pub(super) struct InProgress(Arc<Connection>);

impl InProgress {
    /// Goes on until the end of this response's body; ends now if the whole body is there.
    pub(super) fn respond(self, response: Response) -> Response {
        if response.body().size_hint().exact().is_some() {
            return response;
        }
        self.0.state.lock().phase = Phase::Streaming;
        response.map(|body| {
            Body::new(body.map_frame(move |frame| {
                let _in_progress = &self;
                frame
            }))
        })
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        (state.phase, state.moved) = (Phase::Waiting { head: None }, state.now());
    }
}

/// The socket of a connection, which records when bytes move.
pub(super) struct TimedStream(pub(super) Arc<Connection>);

impl TimedStream {
    /// Tries until the socket takes something or is not ready.
    fn poll_write_with(
        &self,
        cx: &mut Context<'_>,
        mut write: impl FnMut(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        let stream = &self.0.stream;
        let written = loop {
            match stream.poll_write_ready(cx) {
                Poll::Pending => break Poll::Pending,
                Poll::Ready(Err(error)) => break Poll::Ready(Err(error)),
                Poll::Ready(Ok(())) => match write(stream) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    result => break Poll::Ready(result),
                },
            }
        };
        self.0.state.lock().note_write(written.is_pending());
        written
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let stream = &self.0.stream;
        loop {
            let Poll::Ready(is_ready) = stream.poll_read_ready(cx) else {
                self.0.state.lock().note_read(true);
                return Poll::Pending;
            };
            is_ready?;
            let (room, mut length) = (buf.remaining(), None);
            let read = stream.try_io(Interest::READABLE, || {
                let read = stream.try_read_buf(buf)?;
                length = Some(read);
                // A short read empties the socket. Clearing its readiness saves the call that would say so.
                if 0 < read && read < room { Err(ErrorKind::WouldBlock.into()) } else { Ok(()) }
            });
            match read {
                Err(error) if error.kind() == ErrorKind::WouldBlock && length.is_none() => {}
                Err(error) if length.is_none() => return Poll::Ready(Err(error)),
                _ => {
                    self.0.state.lock().note_read(false);
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_with(cx, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_with(cx, |stream| stream.try_write_vectored(parts))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// The socket is closed when the connection is dropped, which follows at once.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
