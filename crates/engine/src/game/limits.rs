//! The limits of a search: depth, nodes, time and the stop flag.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::host::Instant;

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchLimits {
    /// Plies below the position, 1 or more.
    pub depth: u32,
    /// Positions visited. The limit is exact, except that every root move is visited.
    pub nodes: Option<u64>,
    /// Positions visited after which no further depth begins.
    pub soft_nodes: Option<u64>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
    /// Positions of the proof at the beginning of an alpha-beta search, or at the end of a selective search; `None` for no
    /// proof.
    pub proof_nodes: Option<u64>,
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
        Self { depth, nodes: None, soft_nodes: None, time: None, proof_nodes: None }
    }
}

/// What ended the search. `solved` where the outcome is proven and nothing deeper can change the answer, but for a
/// shorter way where `plies_bound` is `at-most`.
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, StoppedBy, Task};
/// let evaluator = TicTacToe::evaluator("lines", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.ok_or("no such evaluator")?;
/// let limits = SearchLimits { nodes: Some(100), ..SearchLimits::depth(9) };
/// let report = search::run(&Task::new(TicTacToe::STANDARD.start(), limits, Algorithm::AlphaBeta), &evaluator);
/// assert_eq!((report.stopped_by, report.nodes), (StoppedBy::Nodes, 100));
/// assert_eq!(report.stopped_by.name(), "nodes");
/// # Ok::<_, &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum StoppedBy {
    /// The depth that was asked for is completed.
    Depth,
    /// The node budget is spent.
    Nodes,
    /// The time is up, or the search was told to stop.
    Time,
    /// The outcome is proven. A greater depth could only find a shorter win that a selective search has pruned: see
    /// [`Report::plies_are_bound`](crate::search::Report::plies_are_bound).
    Solved,
}

impl StoppedBy {
    /// The name in answers.
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

/// The limit that interrupted a search or a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted(pub StoppedBy);

/// The time at which an answer is due: fixed when its run begins, and shared by all its stages.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'a> {
    /// `None` without a time limit.
    at: Option<Instant>,
    stop: &'a AtomicBool,
}

impl<'a> Deadline<'a> {
    /// A deadline after `time`, or at the moment in which `stop` is raised.
    pub(crate) fn after(time: Option<Duration>, stop: &'a AtomicBool) -> Self {
        // A time beyond the range of the clock is no limit.
        Self { at: time.and_then(|time| Instant::now().checked_add(time)), stop }
    }

    /// Whether the answer is due. It costs some tens of nanoseconds.
    pub(crate) fn is_reached(self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// A deadline after three quarters of the remaining time.
    fn without_quarter(self) -> Self {
        let three_quarters = |at: Instant| {
            let now = Instant::now();
            now + at.saturating_duration_since(now) / 4 * 3
        };
        Self { at: self.at.map(three_quarters), ..self }
    }
}

/// The positions visited between two checks of the deadline. They take a fraction of a millisecond, or a few
/// milliseconds where positions have hundreds of captures.
const CHECK_INTERVAL: u64 = 256;

/// Counts the positions visited and interrupts a search or a proof at its limits.
pub struct Budget<'a> {
    nodes: u64,
    /// The count at which to check the limits again.
    next_check: u64,
    limit: u64,
    deadline: Deadline<'a>,
    /// The nodes that are held back until [`release`](Self::release), and the deadline before.
    held_back: (u64, Deadline<'a>),
    /// The limit that left a part of the answer out, if any did.
    interrupted_by: Option<StoppedBy>,
}

impl<'a> Budget<'a> {
    /// A budget of `nodes` until the deadline. Both limits hold from the first position.
    pub(crate) fn new(nodes: Option<u64>, deadline: Deadline<'a>) -> Self {
        Self {
            nodes: 0,
            next_check: 0,
            limit: nodes.unwrap_or(u64::MAX),
            deadline,
            held_back: (0, deadline),
            interrupted_by: None,
        }
    }

    /// Keeps all nodes but `nodes` for the work after [`release`](Self::release).
    pub(crate) fn hold_back_all_but(&mut self, nodes: u64) {
        let limit = self.limit.min(self.nodes.saturating_add(nodes));
        self.held_back = (self.limit - limit, self.deadline);
        self.limit = limit;
        self.next_check = self.nodes;
    }

    /// Keeps a quarter of nodes and time, and at least `nodes` nodes, for the work after [`release`](Self::release).
    pub(crate) fn hold_back_quarter(&mut self, nodes: u64) {
        self.held_back = ((self.limit / 4).max(nodes).min(self.limit), self.deadline);
        self.limit -= self.held_back.0;
        self.deadline = self.deadline.without_quarter();
        self.next_check = self.nodes;
    }

    /// Gives back the nodes and the time that were held back.
    pub(crate) fn release(&mut self) {
        self.limit += self.held_back.0;
        self.deadline = self.held_back.1;
        self.next_check = self.nodes;
    }

    /// The positions visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The positions that may still be visited, one or more, or the interruption where there are none.
    #[inline]
    pub(crate) fn room(&mut self) -> Result<u64, Interrupted> {
        if self.nodes >= self.next_check {
            self.check_limits()?;
        }
        Ok(self.limit - self.nodes)
    }

    /// Counts the positions of a first ply, which is always searched, whatever the limits.
    pub(crate) fn count(&mut self, positions: usize) {
        self.nodes += positions as u64;
    }

    /// Counts the position after a root move. At `depth` 1 a limit is noted but interrupts nothing, so that there is always an
    /// answer.
    pub(crate) fn visit_root_move(&mut self, depth: u32) -> Result<(), Interrupted> {
        match self.visit() {
            Err(interrupted) if depth == 1 => {
                self.note_interruption(interrupted);
                self.count(1);
                Ok(())
            }
            visited => visited,
        }
    }

    /// Notes that a limit has left a part of the answer out.
    pub(crate) fn note_interruption(&mut self, interrupted: Interrupted) {
        self.interrupted_by = Some(interrupted.0);
    }

    /// The limit that left a part of the answer out, if any did.
    pub(crate) fn interrupted_by(&self) -> Option<StoppedBy> {
        self.interrupted_by
    }

    /// Whether the deadline has left a part of the answer out.
    pub(crate) fn is_late(&self) -> bool {
        self.interrupted_by == Some(StoppedBy::Time)
    }

    /// Counts a position, or interrupts the search instead.
    #[inline]
    pub(crate) fn visit(&mut self) -> Result<(), Interrupted> {
        self.room()?;
        self.nodes += 1;
        Ok(())
    }

    /// Lets the limits be checked before the next position. The first probe of a table may unpack a part of it, which takes
    /// some milliseconds.
    #[inline]
    pub(crate) fn check_soon(&mut self) {
        self.next_check = self.nodes;
    }

    /// Interrupts the search where the answer is due, without counting a position: for work beside the search, such as probes of
    /// tables.
    pub(crate) fn check(&self) -> Result<(), Interrupted> {
        if self.deadline.is_reached() { Err(Interrupted(StoppedBy::Time)) } else { Ok(()) }
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
