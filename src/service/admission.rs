//! Who may search next: permits for workers, and the memory that searches, waiting answers and batch
//! read-ahead share.
//!
//! Written by hand because a permit takes a worker and memory in one step, and because the order of
//! waiting searches has three rules that the first-come order of `tokio::sync::Semaphore` cannot express:
//! single requests go before batches; the batch with the fewest running searches goes first; a
//! small search may pass a large one that waits for memory, but only [`MAX_PASSES`] times.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prometheus_client::metrics::gauge::Gauge;
use thiserror::Error;
use tokio::sync::oneshot;

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
    /// The size of the queue: single requests that may wait.
    queue: usize,
    /// Bytes of memory. A search that needs more waits for all of it.
    total: usize,
    /// The bytes that batches may read ahead: what the largest search leaves of all memory.
    max_read_ahead: usize,
    waiting: Gauge,
    running: Gauge,
    memory: Gauge,
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
    next: u64,
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
    permit: oneshot::Sender<Permit>,
}

/// The right to search on a worker, with memory. Dropped, it goes to the next one that waits.
pub(super) struct Permit {
    shared: Arc<Shared>,
    priority: Priority,
    memory: usize,
}

/// A place in the queue. Dropped, it is given up.
pub(super) struct Ticket {
    shared: Arc<Shared>,
    number: u64,
    permit: oneshot::Receiver<Permit>,
}

/// Memory outside of a search: an answer that waits to be sent, or a line that waits to be searched.
pub struct Reservation {
    shared: Arc<Shared>,
    bytes: usize,
    is_read_ahead: bool,
}

/// The gauges that show what is admitted.
pub(super) struct Gauges {
    pub(super) waiting: Gauge,
    pub(super) running: Gauge,
    pub(super) memory: Gauge,
}

impl Admission {
    /// Permits for so many `workers` with so many bytes of `memory`, of which the largest search
    /// needs `largest`; so many single requests may wait in the `queue`.
    pub(super) fn new(
        workers: usize,
        queue: usize,
        memory: usize,
        largest: usize,
        gauges: Gauges,
    ) -> Self {
        let state = State {
            free_workers: workers,
            free_memory: memory as i64,
            searches: 0,
            read_ahead: 0,
            is_closed: false,
            next: 0,
            singles: BTreeMap::new(),
            batches: BTreeMap::new(),
            running: HashMap::new(),
        };
        Self(Arc::new(Shared {
            state: Mutex::new(state),
            queue,
            total: memory,
            max_read_ahead: memory.saturating_sub(largest),
            waiting: gauges.waiting,
            running: gauges.running,
            memory: gauges.memory,
        }))
    }

    /// A place in the queue for a search with so many bytes of memory. Batches take no place of single
    /// requests.
    pub(super) fn enqueue(&self, priority: Priority, memory: usize) -> Result<Ticket, Overloaded> {
        let (sender, permit) = oneshot::channel();
        let mut state = self.0.lock();
        if state.is_closed {
            return Err(Overloaded::Draining);
        }
        let number = state.next;
        state.next += 1;
        let memory = memory.min(self.0.total);
        let waiter = Waiter { priority, memory, passes: 0, permit: sender };
        state.waiters(priority).insert(number, waiter);
        self.0.waiting.inc();
        let granted = self.0.grant(&mut state);
        if priority == Priority::Single && state.singles.len() > self.0.queue {
            state.singles.remove(&number);
            self.0.waiting.dec();
            drop(state);
            deliver(granted);
            return Err(Overloaded::QueueFull(self.0.queue));
        }
        drop(state);
        deliver(granted);
        Ok(Ticket { shared: Arc::clone(&self.0), number, permit })
    }

    /// Memory for a line that waits to be searched, if there is some left beside the largest search.
    pub(super) fn try_read_ahead(&self, bytes: usize) -> Option<Reservation> {
        let mut state = self.0.lock();
        let read_ahead = state.read_ahead + bytes;
        if read_ahead > self.0.max_read_ahead || state.free_memory < bytes as i64 {
            return None;
        }
        state.read_ahead = read_ahead;
        self.0.take_memory(&mut state, bytes);
        Some(Reservation { shared: Arc::clone(&self.0), bytes, is_read_ahead: true })
    }

    /// Counts the memory of an answer, which exists already, until the reservation is dropped.
    pub(super) fn reserve_answer(&self, bytes: usize) -> Reservation {
        self.0.take_memory(&mut self.0.lock(), bytes);
        Reservation { shared: Arc::clone(&self.0), bytes, is_read_ahead: false }
    }

    /// As [`reserve_answer`](Self::reserve_answer), unless memory is used up.
    pub(super) fn try_reserve_answer(&self, bytes: usize) -> Option<Reservation> {
        let mut state = self.0.lock();
        (state.free_memory >= bytes as i64).then(|| {
            self.0.take_memory(&mut state, bytes);
            Reservation { shared: Arc::clone(&self.0), bytes, is_read_ahead: false }
        })
    }

    /// Refuses all that wait and all that come.
    pub(super) fn close(&self) {
        let mut state = self.0.lock();
        state.is_closed = true;
        let waiting = [std::mem::take(&mut state.singles), std::mem::take(&mut state.batches)];
        self.0.waiting.dec_by(waiting.iter().map(BTreeMap::len).sum::<usize>() as i64);
    }
}

impl Shared {
    /// What the lock guards is consistent between any two statements, whoever held it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_memory(&self, state: &mut State, bytes: usize) {
        state.free_memory -= bytes as i64;
        self.memory.inc_by(bytes as i64);
    }

    fn give_back_memory(&self, state: &mut State, bytes: usize) {
        state.free_memory += bytes as i64;
        self.memory.dec_by(bytes as i64);
    }

    /// Takes those that may search now off the queue. Their permits are delivered once the lock is
    /// free, since a permit that nobody takes any more is given back.
    fn grant(self: &Arc<Self>, state: &mut State) -> Vec<(oneshot::Sender<Permit>, Permit)> {
        let mut granted = Vec::new();
        while let Some(Waiter { priority, memory, permit, .. }) = state.take_next() {
            state.free_workers -= 1;
            state.searches += memory;
            self.take_memory(state, memory);
            if let Priority::Batch(batch) = priority {
                *state.running.entry(batch).or_default() += 1;
            }
            self.waiting.dec();
            self.running.inc();
            granted.push((permit, Permit { shared: Arc::clone(self), priority, memory }));
        }
        granted
    }
}

fn deliver(granted: Vec<(oneshot::Sender<Permit>, Permit)>) {
    for (sender, permit) in granted {
        // One that has just left gives its permit back by dropping it.
        let _ = sender.send(permit);
    }
}

impl State {
    fn waiters(&mut self, priority: Priority) -> &mut BTreeMap<u64, Waiter> {
        match priority {
            Priority::Single => &mut self.singles,
            Priority::Batch(_) => &mut self.batches,
        }
    }

    /// Takes the next one that may search off the queue.
    fn take_next(&mut self) -> Option<Waiter> {
        if self.free_workers == 0 {
            return None;
        }
        match self.first_fit() {
            Next::Waiter(number) => take(&mut self.singles, number),
            Next::Blocked => None,
            Next::None => match self.fairest_fit() {
                Next::Waiter(number) => take(&mut self.batches, number),
                Next::Blocked | Next::None => None,
            },
        }
    }

    /// Whether so many bytes may be taken by a search once those that run have given back `returned`
    /// bytes. A search that runs alone may have all it needs, or answers that nobody reads could keep
    /// it waiting.
    fn fits(&self, bytes: usize, returned: usize) -> bool {
        bytes as i64 <= self.free_memory + returned as i64
            || bytes == 0
            || self.searches == returned
    }

    /// The first single request that fits.
    fn first_fit(&self) -> Next {
        for (&number, waiter) in &self.singles {
            if self.fits(waiter.memory, 0) {
                return Next::Waiter(number);
            }
            if waiter.passes >= MAX_PASSES {
                return Next::Blocked;
            }
        }
        Next::None
    }

    /// The running searches of a batch.
    fn share(&self, priority: Priority) -> usize {
        match priority {
            Priority::Batch(batch) => self.running.get(&batch).copied().unwrap_or(0),
            Priority::Single => 0,
        }
    }

    /// The first waiter that fits, of the batch that has the fewest running searches.
    fn fairest_fit(&self) -> Next {
        let fits = |waiter: &Waiter| self.fits(waiter.memory, 0);
        if self.batches.values().any(|waiter| waiter.passes >= MAX_PASSES && !fits(waiter)) {
            return Next::Blocked;
        }
        let fitting = self.batches.iter().filter(|(_, waiter)| fits(waiter));
        let fairest =
            fitting.min_by_key(|&(&number, waiter)| (self.share(waiter.priority), number));
        fairest.map_or(Next::None, |(&number, _)| Next::Waiter(number))
    }
}

/// Which of the waiters is next.
enum Next {
    Waiter(u64),
    /// One has been passed too often: all others wait until there is memory for it.
    Blocked,
    None,
}

/// Takes a waiter off the queue, which passes all that have waited longer.
fn take(waiters: &mut BTreeMap<u64, Waiter>, number: u64) -> Option<Waiter> {
    let taken = waiters.remove(&number)?;
    for (_, passed) in waiters.range_mut(..number) {
        // Those that wait for no memory wait for their batch's share alone.
        passed.passes += u32::from(passed.memory > taken.memory);
    }
    Some(taken)
}

impl Ticket {
    /// The permit, waited for.
    pub(super) async fn permit(mut self) -> Result<Permit, Overloaded> {
        (&mut self.permit).await.map_err(|_| Overloaded::Draining)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        let waited = state.singles.remove(&self.number).or(state.batches.remove(&self.number));
        if waited.is_some() {
            self.shared.waiting.dec();
            // It may have kept others from passing.
            let granted = self.shared.grant(&mut state);
            drop(state);
            deliver(granted);
        }
    }
}

impl Permit {
    /// Sets the memory to so many bytes, if that many are free.
    pub(super) fn try_resize(&mut self, bytes: usize) -> bool {
        let mut state = self.shared.lock();
        let bytes = bytes.min(self.shared.total);
        if !state.fits(bytes, self.memory) {
            return false;
        }
        state.searches = state.searches + bytes - self.memory;
        self.shared.give_back_memory(&mut state, self.memory);
        self.shared.take_memory(&mut state, bytes);
        self.memory = bytes;
        true
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
        let fits = |waiter: &&Waiter| state.fits(waiter.memory, self.memory);
        let share = state.share(self.priority);
        state.singles.values().any(|waiter| fits(&waiter))
            || state.batches.values().filter(fits).any(|other| state.share(other.priority) < share)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.free_workers += 1;
        state.searches -= self.memory;
        self.shared.give_back_memory(&mut state, self.memory);
        if let Priority::Batch(batch) = self.priority
            && let Some(running) = state.running.get_mut(&batch)
        {
            *running -= 1;
            if *running == 0 {
                state.running.remove(&batch);
            }
        }
        self.shared.running.dec();
        let granted = self.shared.grant(&mut state);
        drop(state);
        deliver(granted);
    }
}

impl Reservation {
    /// Adds the memory of another one.
    pub(crate) fn merge(&mut self, mut other: Self) {
        if self.is_read_ahead == other.is_read_ahead {
            self.bytes += std::mem::take(&mut other.bytes);
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut state = self.shared.lock();
        self.shared.give_back_memory(&mut state, self.bytes);
        if self.is_read_ahead {
            state.read_ahead -= self.bytes;
        }
        let granted = self.shared.grant(&mut state);
        drop(state);
        deliver(granted);
    }
}
