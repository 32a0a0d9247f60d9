//! The limits of a search: depth, nodes, time and the stop flag.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How far to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Plies below the position, 1 or more.
    pub depth: u32,
    /// Positions visited. Exact, but that every root move is visited.
    pub nodes: Option<u64>,
    /// Positions visited after which no further depth begins.
    pub soft_nodes: Option<u64>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
}

impl SearchLimits {
    /// A limit of `depth` plies and no other.
    ///
    /// ```
    /// use bestmove_engine::search::SearchLimits;
    /// let limits = SearchLimits { nodes: Some(10_000), ..SearchLimits::depth(30) };
    /// assert_eq!((limits.depth, limits.time), (30, None));
    /// ```
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self { depth, nodes: None, soft_nodes: None, time: None }
    }
}

/// What ended a search.
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, StoppedBy, Task};
/// let evaluator = TicTacToe::evaluator("lines", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.ok_or("no such evaluator")?;
/// let limits = SearchLimits { nodes: Some(100), ..SearchLimits::depth(9) };
/// let report = search::run(&Task::new(TicTacToe.start(), limits, Algorithm::AlphaBeta), &evaluator);
/// assert_eq!((report.stopped_by, report.nodes), (StoppedBy::Nodes, 100));
/// assert_eq!(report.stopped_by.name(), "nodes");
/// # Ok::<_, &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoppedBy {
    /// The depth that was asked for is completed.
    Depth,
    /// The node budget is spent.
    Nodes,
    /// The time is up, or the search was told to stop.
    Time,
    /// The outcome is proven, and nothing deeper can change the answer but a shorter way that a selective
    /// search has pruned: see [`Report::plies_are_bound`](super::Report::plies_are_bound).
    Solved,
}

impl StoppedBy {
    /// Its name in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Nodes => "nodes",
            Self::Time => "time",
            Self::Solved => "solved",
        }
    }
}

/// A search was told to stop before it was done: why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interrupted(pub StoppedBy);

/// The positions visited between two checks of the clock and the flag: a fraction of a millisecond, a few
/// milliseconds where a position has hundreds of captures.
const CHECK_INTERVAL: u64 = 256;

/// Counts the positions visited and interrupts the search at its limits.
pub(super) struct Budget<'a> {
    nodes: u64,
    /// The count at which to check the limits again.
    next_check: u64,
    limit: u64,
    /// Where time is limited; not every system has a clock.
    start: Option<Instant>,
    time: Option<Duration>,
    /// What [`hold_back_quarter`](Self::hold_back_quarter) took away.
    held_back: (u64, Duration),
    flag: &'a AtomicBool,
    /// The limit that left something out of an answer, if any did.
    interrupted_by: Option<StoppedBy>,
}

impl<'a> Budget<'a> {
    /// A budget whose time begins now. Its limits hold from the first position.
    pub(super) fn new(limits: &SearchLimits, flag: &'a AtomicBool) -> Self {
        let limit = limits.nodes.unwrap_or(u64::MAX);
        let start = limits.time.map(|_| Instant::now());
        Self {
            nodes: 0,
            next_check: 0,
            limit,
            start,
            time: limits.time,
            held_back: Default::default(),
            flag,
            interrupted_by: None,
        }
    }

    /// Leaves a quarter of nodes and time, and no less than `nodes` nodes, for what comes after
    /// [`release`](Self::release).
    pub(super) fn hold_back_quarter(&mut self, nodes: u64) {
        self.held_back =
            ((self.limit / 4).max(nodes).min(self.limit), self.time.unwrap_or_default() / 4);
        self.limit -= self.held_back.0;
        self.time = self.time.map(|time| time.saturating_sub(self.held_back.1));
    }

    /// Gives back what was held back.
    pub(super) fn release(&mut self) {
        self.limit += self.held_back.0;
        self.time = self.time.map(|time| time.saturating_add(self.held_back.1));
        self.next_check = self.nodes;
    }

    /// The positions visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The positions that may still be visited.
    pub(super) fn room(&self) -> u64 {
        self.limit.saturating_sub(self.nodes)
    }

    /// Counts the positions of a first ply, which no limit leaves out.
    pub(super) fn count(&mut self, positions: usize) {
        self.nodes += positions as u64;
    }

    /// Counts one more position that a root move leads to. At `depth` 1 no limit leaves one out, so
    /// that there is always an answer; it is noted that one was struck.
    pub(super) fn visit_root_move(&mut self, depth: u32) -> Result<(), Interrupted> {
        match self.visit() {
            Err(interrupted) if depth == 1 => {
                self.note_interruption(interrupted);
                self.count(1);
                Ok(())
            }
            visited => visited,
        }
    }

    /// Notes that a limit has left something out of the answer.
    pub(super) fn note_interruption(&mut self, interrupted: Interrupted) {
        self.interrupted_by = Some(interrupted.0);
    }

    /// The limit that left something out of the answer, if any did.
    pub(super) fn interrupted_by(&self) -> Option<StoppedBy> {
        self.interrupted_by
    }

    /// Counts one more position, or interrupts the search instead.
    #[inline]
    pub(super) fn visit(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.next_check {
            self.check_limits()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Interrupts the search where the time is up or the flag is raised. It counts no position: for
    /// work beside the search proper, such as probes of tables. It costs some tens of nanoseconds.
    pub(super) fn check(&self) -> Result<(), Interrupted> {
        let is_late =
            || self.start.zip(self.time).is_some_and(|(start, time)| start.elapsed() >= time);
        if self.flag.load(Ordering::Relaxed) || is_late() {
            return Err(Interrupted(StoppedBy::Time));
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn check_limits(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.limit {
            return Err(Interrupted(StoppedBy::Nodes));
        }
        self.check()?;
        self.next_check = self.limit.min(self.nodes + CHECK_INTERVAL);
        Ok(())
    }
}
