//! Whether to go on: the stop flag, the deadline and the node budget.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Limits;

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoppedBy {
    /// The depth that was asked for is completed.
    Depth,
    /// The node budget is spent.
    Nodes,
    /// The time is up, or the search was told to stop.
    Time,
    /// Nothing deeper can change the answer.
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

/// How many positions are visited between two looks at the clock and the flag: a fraction of a
/// millisecond, a few milliseconds where a position has hundreds of captures.
const CHECK_INTERVAL: u64 = 256;

/// Counts the positions visited and interrupts the search at its limits.
pub(super) struct Budget<'a> {
    nodes: u64,
    /// The count at which to look at the limits again.
    look_at: u64,
    limit: u64,
    start: Instant,
    time: Option<Duration>,
    /// What [`hold_back_quarter`](Self::hold_back_quarter) took away.
    held_back: (u64, Duration),
    flag: &'a AtomicBool,
    /// The limit that left something out of an answer, if any did.
    struck: Option<StoppedBy>,
}

impl<'a> Budget<'a> {
    /// A budget whose time begins now. Its limits hold from the first position.
    pub(super) fn new(limits: &Limits, flag: &'a AtomicBool) -> Self {
        let limit = limits.nodes.unwrap_or(u64::MAX);
        let (start, time) = (Instant::now(), limits.time);
        Self {
            nodes: 0,
            look_at: 0,
            limit,
            start,
            time,
            held_back: Default::default(),
            flag,
            struck: None,
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
        self.look_at = self.nodes;
    }

    /// The positions visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts the positions of a first ply, which no limit leaves out.
    pub(super) fn cover(&mut self, positions: usize) {
        self.nodes += positions as u64;
    }

    /// Counts one more position that a root move leads to. At `depth` 1 no limit leaves one out, so
    /// that there is always an answer; it is noted that one was struck.
    pub(super) fn visit_root_move(&mut self, depth: u32) -> Result<(), Interrupted> {
        match self.visit() {
            Err(interrupted) if depth == 1 => {
                self.strike(interrupted);
                self.cover(1);
                Ok(())
            }
            visited => visited,
        }
    }

    /// Notes that a limit has left something out of the answer.
    pub(super) fn strike(&mut self, interrupted: Interrupted) {
        self.struck = Some(interrupted.0);
    }

    /// The limit that left something out of the answer, if any did.
    pub(super) fn struck(&self) -> Option<StoppedBy> {
        self.struck
    }

    /// Counts one more position, or interrupts the search instead.
    #[inline]
    pub(super) fn visit(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.look_at {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Interrupts the search where the time is up or the flag is raised. It counts no position: for
    /// work beside the search proper, such as probes of tables. It costs some tens of nanoseconds.
    pub(super) fn check(&self) -> Result<(), Interrupted> {
        let is_late = || self.time.is_some_and(|time| self.start.elapsed() >= time);
        if self.flag.load(Ordering::Relaxed) || is_late() {
            return Err(Interrupted(StoppedBy::Time));
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.limit {
            return Err(Interrupted(StoppedBy::Nodes));
        }
        self.check()?;
        self.look_at = self.limit.min(self.nodes + CHECK_INTERVAL);
        Ok(())
    }
}
