//! A search of a session, from the command `go` to its best move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::event::SessionEvent;
use super::go::{Go, TimeBudget};
use super::info;
use bestmove_engine::games::any::{Answer, AnySearch};
use bestmove_engine::search::SearchTables;
use parking_lot::Mutex;

/// A search that is ready to run, with its state once it runs.
pub(super) struct Prepared {
    /// The search, or the answer of a position without one.
    pub(super) search: Result<Box<dyn AnySearch>, String>,
    pub(super) running: Running,
}

/// A search that runs, or one that has ended and whose result waits.
pub(super) struct Running {
    pub(super) stop: Arc<AtomicBool>,
    /// When the command `go` came.
    start: Instant,
    budget: TimeBudget,
    /// When the search has to stop.
    pub(super) deadline: Option<Instant>,
    /// The plies within which a forced win ends the search.
    mate: Option<u64>,
    /// Whether the result waits for the command `stop`.
    pub(super) is_infinite: bool,
    /// Whether the result waits for the command `ponderhit` or `stop`.
    is_pondering: bool,
    /// The positions visited when the last `info` was sent.
    reported_nodes: u64,
    /// The result, while it waits for a command.
    pub(super) result: Option<String>,
}

impl Running {
    pub(super) fn new(go: &Go, mut budget: TimeBudget, start: Instant) -> Self {
        if go.ponder && !go.infinite && go.is_infinite() {
            // A search without limits ends soon after `ponderhit`: it would have no other end.
            budget.soft_limit = Some(Duration::ZERO);
        }
        let mut running = Self {
            stop: Arc::default(),
            start,
            budget,
            deadline: None,
            mate: go.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1)),
            is_infinite: go.infinite,
            is_pondering: go.ponder,
            reported_nodes: 0,
            result: None,
        };
        if !go.ponder {
            running.start_clock(start);
        }
        running
    }

    fn start_clock(&mut self, now: Instant) {
        self.deadline = self.budget.hard_limit.and_then(|limit| now.checked_add(limit));
    }

    /// The time until the search has to stop.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let left = self.deadline?.saturating_duration_since(Instant::now());
        Some(left.max(Duration::from_millis(1)))
    }

    /// Whether the result has to wait for a command.
    pub(super) fn waits(&self) -> bool {
        self.is_infinite || self.is_pondering
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Stops the search as soon as it has searched one ply.
    pub(super) fn halt(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.deadline = None;
    }

    /// Obeys the command `stop`.
    pub(super) fn stop(&mut self) {
        self.halt();
        (self.is_infinite, self.is_pondering) = (false, false);
    }

    /// Obeys the command `ponderhit`: the clock runs from `now`. A search that has used its time already stops.
    pub(super) fn ponder_hit(&mut self, now: Instant) {
        if std::mem::take(&mut self.is_pondering) {
            self.start_clock(now);
            if self.is_over_soft_limit() {
                self.halt();
            }
        }
    }

    fn is_over_soft_limit(&self) -> bool {
        self.budget.soft_limit.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    /// The `info` lines of a completed depth. It halts the search where that depth was the last one wanted.
    pub(super) fn progress(&mut self, answer: &Answer) -> String {
        self.reported_nodes = answer.search.nodes;
        let is_mate = self.mate.is_some_and(|plies| info::is_win_within(&answer.evaluation, plies));
        if !self.is_pondering && self.is_over_soft_limit() || is_mate {
            self.halt();
        }
        info::lines(answer, self.start.elapsed())
    }

    /// The last `info` lines and the best move.
    pub(super) fn last_lines(&self, answer: &Answer) -> String {
        let best_move = info::best_move(answer);
        if self.reported_nodes == answer.search.nodes {
            return best_move;
        }
        format!("{}\n{best_move}", info::lines(answer, self.start.elapsed()))
    }
}

/// Searches with `tables` on a thread of its own until it is done or told to stop.
pub(super) fn spawn(
    search: Box<dyn AnySearch>,
    stop: Arc<AtomicBool>,
    tables: Arc<Mutex<SearchTables>>,
    events: Sender<SessionEvent>,
) {
    thread::spawn(move || {
        // Sending fails only after the session has ended.
        let observer = &mut |answer| {
            let _ = events.send(SessionEvent::Progress(Box::new(answer)));
        };
        let answer = search.run_with(&stop, &mut tables.lock(), Some(observer));
        let _ = events.send(SessionEvent::Found(Box::new(answer)));
    });
}
