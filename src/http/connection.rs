//! A connection with a client: the socket that HTTP reads and writes, and its time limits.
//!
//! hyper's own detection of a closed connection is turned off (`half_close`): it drops a request whose FIN comes with it,
//! and stops as soon as bytes of the next request are buffered. Instead the readiness of the socket tells that the client
//! has closed its side, with any number of bytes unread. A client that sends more than the socket holds hides its FIN
//! behind the rest; then the limits of its request hold.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::response::Response;
use bytes::BufMut;
use http_body_util::BodyExt;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use super::app::App;
use super::body::SHORT;
use super::io_timeout::{ConnectionState, FIN_GRACE};
use bestmove_service::Reservation;

/// Readiness that comes with a closed side: on Linux the priority, which nothing else sets here, elsewhere that for
/// reading, which unread bytes set too.
#[cfg(target_os = "linux")]
const CLOSED: Interest = Interest::PRIORITY;
#[cfg(not(target_os = "linux"))]
const CLOSED: Interest = Interest::READABLE;

/// How long a client that is refused may go on sending.
const LINGER: Duration = Duration::from_secs(1);

/// The bytes that are read at once: less than the first buffer of hyper. hyper lengthens the buffer of a connection whose
/// reads fill it, and no budget counts that memory.
const MOST_READ: usize = 4 << 10;

pub(super) struct Connection {
    stream: TcpStream,
    app: Arc<App>,
    /// Whether the server is about to stop and serves no further request.
    is_closing: Arc<AtomicBool>,
    state: Mutex<ConnectionState>,
    head: Mutex<Head>,
}

/// The part of the head of a request that has arrived, kept until the request is answered.
#[derive(Default)]
struct Head {
    length: usize,
    /// The memory of a head longer than [`SHORT`].
    memory: Option<Reservation>,
}

impl Connection {
    /// A connection that has just been accepted.
    pub(super) fn new(stream: TcpStream, app: Arc<App>, is_closing: Arc<AtomicBool>) -> Arc<Self> {
        let (state, head) = (Mutex::new(ConnectionState::new(Instant::now())), Mutex::default());
        Arc::new(Self { stream, app, is_closing, state, head })
    }

    /// Counts `more` bytes as part of a head, unless the head is complete. A long head without free memory ends the
    /// connection, since hyper cannot answer before it has read the head.
    fn count_head(&self, more: usize) -> io::Result<()> {
        if !self.state.lock().awaits_head() {
            return Ok(());
        }
        let mut head = self.head.lock();
        head.length += more;
        if head.length > SHORT {
            let more = self.app.service.pool().reserve(more);
            let more = more.map_err(|refused| io::Error::new(ErrorKind::OutOfMemory, refused))?;
            Reservation::add(&mut head.memory, more);
        }
        Ok(())
    }

    /// Notes that a request has arrived. It is in progress until the guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>) -> InProgress {
        self.state.lock().begin_request(Instant::now());
        InProgress(Arc::clone(self))
    }

    /// Ends when the client takes too long, or has left. The future must be polled after the HTTP connection in the same
    /// task, so that it sees every change of state.
    pub(super) async fn expired(&self) {
        let mut closed = pin!(self.read_closed());
        let mut timer = pin!(sleep(Duration::ZERO));
        std::future::poll_fn(|cx| {
            let awaits_close = self.state.lock().awaits_close();
            if awaits_close && closed.as_mut().poll(cx).is_ready() {
                self.state.lock().close(Instant::now());
            }
            let is_closing = self.is_closing.load(Ordering::Relaxed);
            let Some(deadline) = self.state.lock().deadline(&self.app.limits, is_closing) else {
                return Poll::Pending;
            };
            timer.as_mut().reset(deadline);
            timer.as_mut().poll(cx)
        })
        .await;
        if self.state.lock().is_write_blocked() {
            // The kernel discards the bytes that the client does not take.
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

    /// Discards bytes that the client still sends, for [`LINGER`]. If the socket were closed with bytes unread, a client that
    /// is sending would lose the last answer.
    pub(super) async fn linger(&self) {
        let mut discarded = [0; 4096];
        let discard = async {
            while self.stream.readable().await.is_ok() {
                match self.stream.try_read(&mut discarded) {
                    Ok(0) => break,
                    Err(error) if error.kind() != ErrorKind::WouldBlock => break,
                    _ => {}
                }
            }
        };
        let _ = timeout(LINGER, discard).await;
    }
}

/// A request in progress, until its response is complete and waits to be written.
pub(super) struct InProgress(Arc<Connection>);

impl InProgress {
    /// Keeps the request in progress until the end of the body of `response`; ends it now if the whole body is there.
    pub(super) fn respond(self, response: Response) -> Response {
        if response.body().size_hint().exact().is_some() {
            return response;
        }
        self.0.state.lock().begin_stream();
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
        self.0.state.lock().end_request(Instant::now());
        *self.0.head.lock() = Head::default();
    }
}

/// The socket of a connection. It reports to the time limits when bytes move.
pub(super) struct TimedStream(pub(super) Arc<Connection>);

/// Tries an operation until it succeeds or the socket is not ready for it.
fn poll_io<T>(
    mut poll_ready: impl FnMut() -> Poll<io::Result<()>>,
    mut operation: impl FnMut() -> io::Result<T>,
) -> Poll<io::Result<T>> {
    loop {
        ready!(poll_ready())?;
        match operation() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            result => return Poll::Ready(result),
        }
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Connection { stream, state, .. } = &*self.0;
        let read = poll_io(
            || stream.poll_read_ready(cx),
            || stream.try_read_buf(&mut (&mut *buf).limit(MOST_READ)),
        );
        state.lock().read(read.is_pending(), Instant::now());
        read.map(|read| self.0.count_head(read?))
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let Connection { stream, state, .. } = &*self.0;
        let written = poll_io(|| stream.poll_write_ready(cx), || stream.try_write_vectored(slices));
        state.lock().write(written.is_pending(), Instant::now());
        written
    }

    /// True, since hyper otherwise copies every body, and the memory of an answer would be given back before it is sent.
    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Does nothing: the socket is closed when the connection is dropped, which follows at once.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
