//! Which search runs next: permits for workers, and the memory that searches, waiting answers and batch
//! read-ahead share. A search runs on the blocking thread pool as soon as it has its permit.
//!
//! Written by hand because a permit takes a worker and memory in one step, and because the order of
//! waiting searches has three rules that the first-come order of `tokio::sync::Semaphore` cannot express:
//! single requests go before batches; the batch with the fewest running searches goes first; a
//! small search may pass a large one that waits for memory, but only [`MAX_PASSES`] times.

use std::collections::{BTreeMap, HashMap};
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;
use tokio::runtime::Handle;

/// How many later searches may pass one that waits for memory, before they wait behind it.
const MAX_PASSES: u32 = 32;

/// The order in which searches are admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Priority {
    /// A request of its own.
    Single,
    /// Lines of the batch with this number.
    Batch(u64),
}

/// There is no place for another search.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Overloaded {
    /// As many searches wait as may.
    #[error("{0} searches are waiting already; try again later")]
    QueueFull(usize),
    /// The service is about to stop.
    #[error("the service is shutting down; ask another replica")]
    Draining,
}

/// Permits to search, each for one worker and some memory.
#[derive(Clone)]
pub(super) struct Admission(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    workers: usize,
    /// The size of the queue: single requests that may wait.
    queue: usize,
    /// Bytes of memory. A search that needs more waits for all of it.
    total: usize,
    /// The bytes that batches may read ahead: what the largest search leaves of all memory.
    max_read_ahead: usize,
}

struct State {
    free_workers: usize,
    /// Bytes. Below zero where finished answers need more than is free.
    free_memory: i64,
    /// The bytes that running searches hold.
    searches: usize,
    read_ahead: usize,
    is_closed: bool,
    /// The number of the next waiter.
    next_number: u64,
    /// The waiting single requests and batches by number, so in the order of arrival.
    singles: BTreeMap<u64, Waiter>,
    batches: BTreeMap<u64, Waiter>,
    /// The running searches of each batch that has some.
    running: HashMap<u64, usize>,
}

struct Waiter {
    priority: Priority,
    memory: usize,
    /// How many later ones have passed it.
    passes: u32,
    job: Job,
    runtime: Handle,
}

/// What runs once it has a permit.
type Job = Box<dyn FnOnce(Permit) + Send>;

/// The right to search on a worker, with memory. Dropped, it goes to the next one that waits.
pub(super) struct Permit {
    shared: Arc<Shared>,
    priority: Priority,
    memory: usize,
}

/// A place in the queue. Dropped, it is given up.
pub(super) struct Ticket {
    shared: Arc<Shared>,
    /// The number of the search.
    pub(super) number: u64,
}

/// Memory outside of a search: an answer that waits to be sent, or a line that waits to be searched.
pub struct Reservation {
    shared: Arc<Shared>,
    bytes: usize,
    is_read_ahead: bool,
}

/// What is in use.
pub(super) struct Usage {
    pub(super) running: usize,
    pub(super) waiting: usize,
    /// Bytes.
    pub(super) memory: i64,
}

impl Admission {
    /// Permits for so many `workers` with so many bytes of `memory`, of which the largest search
    /// needs `largest`; so many single requests may wait in the `queue`.
    pub(super) fn new(workers: usize, queue: usize, memory: usize, largest: usize) -> Self {
        let state = Mutex::new(State {
            free_workers: workers,
            free_memory: memory as i64,
            searches: 0,
            read_ahead: 0,
            is_closed: false,
            next_number: 0,
            singles: BTreeMap::new(),
            batches: BTreeMap::new(),
            running: HashMap::new(),
        });
        let max_read_ahead = memory.saturating_sub(largest);
        Self(Arc::new(Shared { state, workers, queue, total: memory, max_read_ahead }))
    }

    /// A place in the queue for a `job` with so many bytes of memory. Batches take no place of single
    /// requests. It must be called in the context of a runtime.
    pub(super) fn enqueue(
        &self,
        priority: Priority,
        memory: usize,
        job: impl FnOnce(Permit) + Send + 'static,
    ) -> Result<Ticket, Overloaded> {
        let (job, runtime) = (Box::new(job), Handle::current());
        let (shared, mut state) = (&self.0, self.0.lock());
        if state.is_closed {
            return Err(Overloaded::Draining);
        }
        let number = state.next_number;
        state.next_number += 1;
        let memory = memory.min(shared.total);
        let waiter = Waiter { priority, memory, passes: 0, job, runtime };
        match priority {
            Priority::Single => state.singles.insert(number, waiter),
            Priority::Batch(_) => state.batches.insert(number, waiter),
        };
        let is_full = priority == Priority::Single && state.singles.len() > shared.queue;
        if is_full && state.next() != Some(number) {
            let refused = state.singles.remove(&number);
            drop(state);
            // What its job holds may give memory back, so it is dropped without the lock.
            drop(refused);
            return Err(Overloaded::QueueFull(shared.queue));
        }
        shared.grant(state);
        Ok(Ticket { shared: Arc::clone(shared), number })
    }

    /// Gives a search of a batch the priority of a single request, if it still waits.
    pub(super) fn raise(&self, number: u64) {
        let mut state = self.0.lock();
        if let Some(waiter) = state.batches.remove(&number) {
            state.singles.insert(number, Waiter { priority: Priority::Single, ..waiter });
            self.0.grant(state);
        }
    }

    /// Memory for a line that waits to be searched, if there is some left beside the largest search.
    pub(super) fn try_read_ahead(&self, bytes: usize) -> Option<Reservation> {
        let mut state = self.0.lock();
        let read_ahead = state.read_ahead + bytes;
        if read_ahead > self.0.max_read_ahead || state.free_memory < bytes as i64 {
            return None;
        }
        state.read_ahead = read_ahead;
        state.free_memory -= bytes as i64;
        Some(Reservation { shared: Arc::clone(&self.0), bytes, is_read_ahead: true })
    }

    /// Counts the memory of an answer, which exists already, until the reservation is dropped.
    pub(super) fn reserve_answer(&self, bytes: usize) -> Reservation {
        self.0.lock().free_memory -= bytes as i64;
        Reservation { shared: Arc::clone(&self.0), bytes, is_read_ahead: false }
    }

    /// Whether so many bytes are free.
    pub(super) fn has_free(&self, bytes: usize) -> bool {
        self.0.lock().free_memory >= bytes as i64
    }

    /// Refuses all that wait and all that come.
    pub(super) fn close(&self) {
        let mut state = self.0.lock();
        state.is_closed = true;
        let waiting = (take(&mut state.singles), take(&mut state.batches));
        drop(state);
        // The lines that a batch has read ahead give their memory back, which takes the lock.
        drop(waiting);
    }

    /// What is in use.
    pub(super) fn usage(&self) -> Usage {
        let state = self.0.lock();
        Usage {
            running: self.0.workers - state.free_workers,
            waiting: state.singles.len() + state.batches.len(),
            memory: self.0.total as i64 - state.free_memory,
        }
    }
}

impl Shared {
    /// The state is consistent between any two statements, so a poisoned lock is of use.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits those that may search now. They start once the lock is free, since one that cannot start
    /// gives its permit back.
    fn grant(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        let mut granted = Vec::new();
        while let Some(waiter) = state.take_next() {
            let Waiter { priority, memory, .. } = waiter;
            state.free_workers -= 1;
            state.resize(0, memory);
            if let Priority::Batch(batch) = priority {
                *state.running.entry(batch).or_default() += 1;
            }
            granted.push((waiter, Permit { shared: Arc::clone(self), priority, memory }));
        }
        drop(state);
        for (Waiter { job, runtime, .. }, permit) in granted {
            runtime.spawn_blocking(move || job(permit));
        }
    }
}

impl State {
    /// The number of the search that may run next: the first single request that fits, else the first
    /// one of the batch that has the fewest running searches. None runs before one that has been
    /// passed too often.
    fn next(&self) -> Option<u64> {
        if self.free_workers == 0 {
            return None;
        }
        let mut fairest = None;
        for (&number, waiter) in self.singles.iter().chain(&self.batches) {
            if !self.fits(waiter.memory, 0) {
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

    /// Takes the next search off the queue. It passes those of its kind that have waited longer for more
    /// memory.
    fn take_next(&mut self) -> Option<Waiter> {
        let number = self.next()?;
        let is_single = self.singles.contains_key(&number);
        let waiters = if is_single { &mut self.singles } else { &mut self.batches };
        let taken = waiters.remove(&number)?;
        for (_, passed) in waiters.range_mut(..number) {
            passed.passes += u32::from(passed.memory > taken.memory);
        }
        Some(taken)
    }

    /// Whether so many bytes may be taken by a search once those that run have given back `returned`
    /// bytes. A search that runs alone may have all it needs, or answers that nobody reads could keep
    /// it waiting.
    fn fits(&self, bytes: usize, returned: usize) -> bool {
        bytes as i64 <= self.free_memory + returned as i64
            || bytes == 0
            || self.searches == returned
    }

    /// The running searches of a batch.
    fn share(&self, priority: Priority) -> usize {
        match priority {
            Priority::Batch(batch) => self.running.get(&batch).copied().unwrap_or(0),
            Priority::Single => 0,
        }
    }

    /// Sets the bytes that a running search holds.
    fn resize(&mut self, from: usize, to: usize) {
        self.searches = self.searches + to - from;
        self.free_memory += from as i64 - to as i64;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        let waited = state.singles.remove(&self.number).or(state.batches.remove(&self.number));
        if waited.is_some() {
            // It may have kept others from passing.
            self.shared.grant(state);
        }
    }
}

impl Permit {
    /// Sets the memory to so many bytes, if that many are free.
    pub(super) fn try_resize(&mut self, bytes: usize) -> bool {
        let mut state = self.shared.lock();
        let bytes = bytes.min(self.shared.total);
        let fits = state.fits(bytes, self.memory);
        if fits {
            state.resize(self.memory, bytes);
            self.memory = bytes;
        }
        fits
    }

    /// Turns the memory of the search into that of its answer.
    pub(super) fn split_answer(&mut self, bytes: usize) -> Reservation {
        let reservation = Admission(Arc::clone(&self.shared)).reserve_answer(bytes);
        self.try_resize(0);
        reservation
    }

    /// Whether one waits that should be admitted in the place of this batch: a single request, or a
    /// batch with fewer running searches.
    pub(super) fn is_wanted(&self) -> bool {
        let state = self.shared.lock();
        let share = state.share(self.priority);
        state.singles.values().chain(state.batches.values()).any(|waiter| {
            state.fits(waiter.memory, self.memory)
                && (waiter.priority == Priority::Single || state.share(waiter.priority) < share)
        })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.free_workers += 1;
        state.resize(self.memory, 0);
        if let Priority::Batch(batch) = self.priority
            && let Some(running) = state.running.get_mut(&batch)
        {
            *running -= 1;
            if *running == 0 {
                state.running.remove(&batch);
            }
        }
        self.shared.grant(state);
    }
}

impl Reservation {
    /// Adds the memory of another one.
    pub(crate) fn merge(&mut self, mut other: Self) {
        if self.is_read_ahead == other.is_read_ahead {
            self.bytes += take(&mut other.bytes);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut state = self.shared.lock();
        state.free_memory += self.bytes as i64;
        if self.is_read_ahead {
            state.read_ahead -= self.bytes;
        }
        self.shared.grant(state);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::runtime::Runtime;

    use super::*;

    #[test]
    fn a_search_of_a_batch_that_a_single_request_joins_runs_before_other_batches() {
        let runtime = Runtime::new().expect("a runtime starts");
        let _context = runtime.enter();
        let admission = Admission::new(1, 1, 100, 1);
        let (end, is_over) = mpsc::channel::<()>();
        let (sender, order) = mpsc::channel();
        let enqueue = |priority, name| {
            let sender = sender.clone();
            let job = move |_| sender.send(name).expect("the test listens");
            admission.enqueue(priority, 1, job).expect("there is a place")
        };
        let occupy = move |_| is_over.recv().expect("the test ends it");
        let _first = admission.enqueue(Priority::Single, 1, occupy).expect("there is a place");
        let _batch = enqueue(Priority::Batch(1), "batch");
        let joined = enqueue(Priority::Batch(2), "joined");
        admission.raise(joined.number);
        end.send(()).expect("it waits");
        assert_eq!([order.recv(), order.recv()], [Ok("joined"), Ok("batch")]);
    }
    #[test]
    fn waiting_searches_that_hold_memory_give_it_back_when_the_service_ends() {
        let runtime = Runtime::new().expect("a runtime starts");
        let _context = runtime.enter();
        let admission = Admission::new(1, 1, 100, 1);
        let (end, is_over) = mpsc::channel::<()>();
        let occupy = move |_| is_over.recv().expect("the test ends it");
        let _first = admission.enqueue(Priority::Single, 0, occupy).expect("there is a place");
        let line = admission.try_read_ahead(50).expect("there is memory");
        let _ticket = admission
            .enqueue(Priority::Batch(1), 1, move |_| drop(line))
            .expect("batches take no place in the queue");
        let (closed, is_closed) = mpsc::channel();
        let closing = admission.clone();
        std::thread::spawn(move || {
            closing.close();
            closed.send(()).expect("the test waits");
        });
        let limit = std::time::Duration::from_secs(10);
        is_closed.recv_timeout(limit).expect("the end of the service waits for no search");
        assert_eq!(admission.usage().memory, 0);
        end.send(()).expect("it waits");
    }
}
