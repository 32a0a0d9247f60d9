//! The order in which waiting searches are admitted.
//!
//! It has three rules that the first-come order of `tokio::sync::Semaphore` cannot express: single requests go
//! before batches; the batch with the fewest running searches goes first; a small search may pass a large one
//! that waits for memory, but only [`MAX_PASSES`] times.

use std::collections::{BTreeMap, HashMap};
use std::mem::take;

/// How many later searches may pass one that waits for memory, before they wait behind it.
const MAX_PASSES: u32 = 32;

/// The order in which searches are admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum Priority {
    /// A request of its own.
    Single,
    /// Lines of the batch with this number.
    Batch(u64),
}

/// A search that waits, with what runs once it is admitted.
pub(super) struct Waiter<J> {
    pub(super) priority: Priority,
    /// Bytes.
    pub(super) memory: usize,
    /// How many later ones have passed it.
    passes: u32,
    pub(super) job: J,
}

/// The waiting single requests and batches by number, so in the order of arrival.
type Waiters<J> = BTreeMap<u64, Waiter<J>>;

/// The searches that wait, and how many of each batch run.
pub(super) struct Queue<J> {
    next_number: u64,
    singles: Waiters<J>,
    batches: Waiters<J>,
    /// The running searches of each batch that has some.
    running: HashMap<u64, usize>,
}

impl<J> Default for Queue<J> {
    fn default() -> Self {
        Self {
            next_number: 0,
            singles: BTreeMap::new(),
            batches: BTreeMap::new(),
            running: HashMap::new(),
        }
    }
}

impl<J> Queue<J> {
    /// Adds a search that needs so many bytes of `memory`, and returns its number.
    pub(super) fn push(&mut self, priority: Priority, memory: usize, job: J) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        let waiters = match priority {
            Priority::Single => &mut self.singles,
            Priority::Batch(_) => &mut self.batches,
        };
        waiters.insert(number, Waiter { priority, memory, passes: 0, job });
        number
    }

    /// Gives up the place of a search that still waits.
    pub(super) fn remove(&mut self, number: u64) -> Option<Waiter<J>> {
        self.singles.remove(&number).or_else(|| self.batches.remove(&number))
    }

    /// Gives a search of a batch the priority of a single request. Returns whether it still waits.
    pub(super) fn raise(&mut self, number: u64) -> bool {
        let raised = self.batches.remove(&number);
        let is_waiting = raised.is_some();
        let raised = raised.map(|waiter| Waiter { priority: Priority::Single, ..waiter });
        self.singles.extend(raised.map(|waiter| (number, waiter)));
        is_waiting
    }

    /// Takes all that wait.
    pub(super) fn take_all(&mut self) -> [Waiters<J>; 2] {
        [take(&mut self.singles), take(&mut self.batches)]
    }

    /// The single requests that wait.
    pub(super) fn singles(&self) -> usize {
        self.singles.len()
    }

    /// All that wait.
    pub(super) fn len(&self) -> usize {
        self.singles.len() + self.batches.len()
    }

    /// The number of the search that may run next: the first single request that fits into memory, else the
    /// first one of the batch that has the fewest running searches. None runs before one that has been passed
    /// too often.
    pub(super) fn next(&self, fits: impl Fn(usize) -> bool) -> Option<u64> {
        let mut fairest = None;
        for (&number, waiter) in self.singles.iter().chain(&self.batches) {
            if !fits(waiter.memory) {
                if waiter.passes >= MAX_PASSES {
                    return None;
                }
            } else if waiter.priority == Priority::Single {
                return Some(number);
            } else {
                let place = (self.share(waiter.priority), number);
                fairest = fairest.into_iter().chain([place]).min();
            }
        }
        fairest.map(|(_, number)| number)
    }

    /// Takes the [`next`](Self::next) search, which runs from now on. It passes those of its kind that have
    /// waited longer for more memory.
    pub(super) fn take_next(&mut self, fits: impl Fn(usize) -> bool) -> Option<Waiter<J>> {
        let number = self.next(fits)?;
        let is_single = self.singles.contains_key(&number);
        let waiters = if is_single { &mut self.singles } else { &mut self.batches };
        let taken = waiters.remove(&number)?;
        for (_, passed) in waiters.range_mut(..number) {
            passed.passes += u32::from(passed.memory > taken.memory);
        }
        if let Priority::Batch(batch) = taken.priority {
            *self.running.entry(batch).or_default() += 1;
        }
        Some(taken)
    }

    /// A search of this priority runs no longer.
    pub(super) fn end(&mut self, priority: Priority) {
        if let Priority::Batch(batch) = priority
            && let Some(running) = self.running.get_mut(&batch)
        {
            *running -= 1;
            if *running == 0 {
                self.running.remove(&batch);
            }
        }
    }

    /// Whether one waits that fits and should run in the place of this priority: a single request, or a batch
    /// with fewer running searches.
    pub(super) fn precedes(&self, priority: Priority, fits: impl Fn(usize) -> bool) -> bool {
        let share = self.share(priority);
        self.singles.values().chain(self.batches.values()).any(|waiter| {
            fits(waiter.memory)
                && (waiter.priority == Priority::Single || self.share(waiter.priority) < share)
        })
    }

    /// The running searches of a batch.
    fn share(&self, priority: Priority) -> usize {
        match priority {
            Priority::Batch(batch) => self.running.get(&batch).copied().unwrap_or(0),
            Priority::Single => 0,
        }
    }
}
