//! Time limits of a connection: which deadline runs in which state.
//!
//! - A head is complete within `arrival` of its first byte, or of the connection's start.
//! - A byte moves within `idle` between two requests, while a handler waits for the body of its request, and
//!   while a response waits to be written.
//! - A response is ready [`FIN_GRACE`] after the client closed its side.
//!
//! No deadline runs while the server computes. Once a response streams, only its handler knows whether it waits for a
//! line of the body or computes an answer, so the handler bounds that wait. Bytes of a next head that arrive with
//! the request before it count as silence: `idle` holds for them instead of `arrival`.
//!
//! No crate does this: hyper's `header_read_timeout` is one timer that starts when the last response is
//! written, so it cannot distinguish the silence between requests from a slow head. hyper has no timeout for
//! writes. `tokio-io-timeout` times every pending read, whether or not the server waits for bytes.

use std::time::Duration;

use tokio::time::Instant;

use super::app::HttpLimits;

/// The time that a response may still take after the client has closed its side.
pub(super) const FIN_GRACE: Duration = Duration::from_millis(50);

/// The phase of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Waiting for a request. The time limit of its head runs from `head`: its first byte, or the start of the connection.
    Waiting { head: Option<Instant> },
    /// A handler receives a request or computes its response.
    Handling,
    /// A response is computed while it is sent.
    Streaming,
}

/// The state of a connection. The socket and the handlers report events with their time.
#[derive(Debug)]
pub(super) struct ConnectionState {
    phase: Phase,
    /// When a byte last moved, or the wait for a byte began.
    moved: Instant,
    is_read_blocked: bool,
    is_write_blocked: bool,
    /// When the client closed its side, or, if later, when the request began.
    closed: Option<Instant>,
}

impl ConnectionState {
    /// A connection that has just been accepted.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            phase: Phase::Waiting { head: Some(now) },
            moved: now,
            is_read_blocked: false,
            is_write_blocked: false,
            closed: None,
        }
    }

    /// When the connection must end unless another event comes first.
    pub(super) fn deadline(&self, limits: &HttpLimits, is_closing: bool) -> Option<Instant> {
        let idle = self.moved.checked_add(limits.idle);
        if self.is_write_blocked {
            return idle;
        }
        match self.phase {
            Phase::Waiting { .. } if is_closing => Some(self.moved),
            Phase::Waiting { head: Some(start) } => start.checked_add(limits.arrival),
            Phase::Waiting { head: None } => idle,
            Phase::Handling if self.is_read_blocked && is_closing => Some(self.moved),
            Phase::Handling if self.is_read_blocked => idle,
            Phase::Handling | Phase::Streaming => self.closed.map(|since| since + FIN_GRACE),
        }
    }

    /// Notes that bytes were read, or that the read is blocked.
    pub(super) fn read(&mut self, is_blocked: bool, now: Instant) {
        if !(is_blocked && self.is_read_blocked) {
            self.moved = now;
        }
        self.is_read_blocked = is_blocked;
        if let Phase::Waiting { head: head @ None } = &mut self.phase
            && !is_blocked
        {
            *head = Some(now);
        }
    }

    /// Notes that bytes were written, or that the write is blocked.
    pub(super) fn write(&mut self, is_blocked: bool, now: Instant) {
        if !(is_blocked && self.is_write_blocked) {
            self.moved = now;
        }
        self.is_write_blocked = is_blocked;
    }

    /// Notes that the head of a request is complete.
    pub(super) fn begin_request(&mut self, now: Instant) {
        self.phase = Phase::Handling;
        self.is_read_blocked = false;
        self.closed = self.closed.map(|_| now);
    }

    /// Notes that the response has begun, and its body follows.
    pub(super) fn begin_stream(&mut self) {
        self.phase = Phase::Streaming;
    }

    /// Notes that the response is complete and waits to be written.
    pub(super) fn end_request(&mut self, now: Instant) {
        self.phase = Phase::Waiting { head: None };
        self.moved = now;
    }

    /// Notes that the client has closed its side.
    pub(super) fn close(&mut self, now: Instant) {
        self.closed = Some(now);
    }

    /// Whether the socket is to be watched for the end of the client's side. Between requests hyper reads, and so sees the end
    /// itself.
    pub(super) fn awaits_close(&self) -> bool {
        self.closed.is_none() && !matches!(self.phase, Phase::Waiting { .. })
    }

    pub(super) fn awaits_head(&self) -> bool {
        matches!(self.phase, Phase::Waiting { .. })
    }

    pub(super) fn is_write_blocked(&self) -> bool {
        self.is_write_blocked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: Duration = Duration::from_secs(10);
    const IDLE: Duration = Duration::from_secs(75);
    const LIMITS: HttpLimits =
        HttpLimits { body: 0, arrival: HEADER, idle: IDLE, drain: Duration::ZERO };
    const SECOND: Duration = Duration::from_secs(1);

    /// A connection, the time of its start, and its deadlines as times since then.
    struct Connection(ConnectionState, Instant);

    impl Connection {
        fn new() -> Self {
            let start = Instant::now();
            Self(ConnectionState::new(start), start)
        }

        /// A connection on which a request begins after three seconds.
        fn in_request() -> Self {
            let mut connection = Self::new();
            let now = connection.at(3);
            connection.0.read(false, now);
            connection.0.begin_request(now);
            connection
        }

        fn at(&self, seconds: u32) -> Instant {
            self.1 + SECOND * seconds
        }

        fn deadline(&self) -> Option<Duration> {
            Some(self.0.deadline(&LIMITS, false)? - self.1)
        }

        /// Whether the connection ends at once where the server stops.
        fn ends_with_the_server(&self) -> bool {
            self.0.deadline(&LIMITS, true) == Some(self.0.moved)
        }
    }

    #[test]
    fn the_first_head_is_complete_in_time_whatever_arrives_of_it() {
        let mut connection = Connection::new();
        for second in 1..9 {
            let now = connection.at(second);
            connection.0.read(second % 2 == 0, now);
            assert_eq!(connection.deadline(), Some(HEADER));
        }
        assert!(connection.ends_with_the_server());
    }

    #[test]
    fn a_later_head_has_its_time_from_its_first_byte() {
        let mut connection = Connection::in_request();
        connection.0.end_request(connection.at(4));
        assert_eq!(connection.deadline(), Some(IDLE + SECOND * 4));
        connection.0.read(true, connection.at(5));
        assert_eq!(connection.deadline(), Some(IDLE + SECOND * 5));
        connection.0.read(true, connection.at(6));
        assert_eq!(connection.deadline(), Some(IDLE + SECOND * 5), "it waits already");
        connection.0.read(false, connection.at(20));
        connection.0.read(false, connection.at(21));
        assert_eq!(connection.deadline(), Some(HEADER + SECOND * 20));
    }

    #[test]
    fn the_server_has_any_time_to_compute() {
        let mut connection = Connection::in_request();
        assert_eq!(connection.deadline(), None);
        assert!(!connection.ends_with_the_server());
        connection.0.begin_stream();
        assert_eq!(connection.deadline(), None);
        connection.0.read(true, connection.at(4));
        assert_eq!(connection.deadline(), None, "the handler of a stream bounds its reads");
    }

    #[test]
    fn a_body_may_rest_as_long_as_a_connection() {
        let mut connection = Connection::in_request();
        connection.0.read(true, connection.at(5));
        assert_eq!(connection.deadline(), Some(IDLE + SECOND * 5));
        assert!(connection.ends_with_the_server());
        connection.0.read(false, connection.at(9));
        assert_eq!(connection.deadline(), None);
    }

    #[test]
    fn a_response_is_taken_in_time_in_every_phase() {
        let mut streaming = Connection::in_request();
        streaming.0.begin_stream();
        for mut connection in [Connection::in_request(), streaming, Connection::new()] {
            connection.0.write(true, connection.at(6));
            connection.0.write(true, connection.at(7));
            assert_eq!(connection.deadline(), Some(IDLE + SECOND * 6));
            assert!(connection.0.is_write_blocked() && !connection.ends_with_the_server_early());
            connection.0.write(false, connection.at(8));
            connection.0.write(true, connection.at(9));
            assert_eq!(connection.deadline(), Some(IDLE + SECOND * 9), "a byte has moved");
        }
    }

    impl Connection {
        /// Whether a stopping server ends the connection before its deadline.
        fn ends_with_the_server_early(&self) -> bool {
            self.0.deadline(&LIMITS, true) != self.0.deadline(&LIMITS, false)
        }
    }

    #[test]
    fn a_client_that_closes_its_side_gets_only_what_is_ready_soon() {
        let mut connection = Connection::new();
        assert!(!connection.0.awaits_close(), "hyper reads, and sees it");
        connection = Connection::in_request();
        assert!(connection.0.awaits_close());
        connection.0.close(connection.at(4));
        assert_eq!(connection.deadline(), Some(SECOND * 4 + FIN_GRACE));
        connection.0.begin_stream();
        assert_eq!(connection.deadline(), Some(SECOND * 4 + FIN_GRACE));
        assert!(!connection.0.awaits_close(), "it is known");
        connection.0.end_request(connection.at(5));
        connection.0.begin_request(connection.at(6));
        assert_eq!(connection.deadline(), Some(SECOND * 6 + FIN_GRACE), "each request has it");
    }

    #[test]
    fn a_limit_beyond_all_time_is_none() {
        let forever = HttpLimits { arrival: Duration::MAX, idle: Duration::MAX, ..LIMITS };
        assert_eq!(ConnectionState::new(Instant::now()).deadline(&forever, false), None);
    }
}
