//! Which searches run: semaphores for workers, memory, and what waits for clients, all first come, first served.
//!
//! A search takes a worker, then memory, so memory is held only by searches that run and always comes back.
//! A quarter of the memory is set apart for what waits for clients ([`Reservation`]): clients that read nothing
//! keep no search from its table. A small search may take its memory there, so that it does not wait behind a large one.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use prometheus_client::metrics::gauge::Gauge;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};

use bestmove_engine::search::MOST_MEMORY;

/// The limits of the service.
#[derive(Clone, Copy, Debug)]
pub struct ServiceLimits {
    /// Searches that run at once.
    pub workers: usize,
    /// Searches that may wait for a worker.
    pub queue: usize,
    /// The bytes that the tables of running searches, unsent answers and batch lines read ahead may
    /// occupy: no fewer than [`MOST_MEMORY`](bestmove_engine::search::MOST_MEMORY).
    pub memory: usize,
    /// The time after which any search is stopped.
    pub max_time: Duration,
    /// The bytes that the cache of answers may occupy; 0 keeps no answers.
    pub cache: u64,
}

/// There is no place for a request.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Overloaded {
    /// The queue of searches is full.
    #[error("the queue is full: {0} searches are waiting already; try again later")]
    QueueFull(usize),
    /// The queue of requests to read and answers to write is full.
    #[error("the queue is full: {0} requests are waiting to be read already; try again later")]
    Unread(usize),
    /// The greatest number of reviews go on already.
    #[error("{0} reviews go on already; try again later")]
    Reviews(usize),
    /// The memory for bodies that arrive, reviews and answers that are read is used up.
    #[error(
        "the {0} MiB for requests that arrive, reviews and answers that are being read are used up; try again later"
    )]
    Memory(usize),
    /// The service is about to stop.
    #[error("the service is shutting down; ask another replica")]
    Draining,
}

/// Whether a search is a request of its own or a part of a larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// A request of its own, which waits in the queue.
    Single,
    /// A batch or a review, whose lines wait for each other before they wait for a worker.
    Batch,
}

/// Permits, and places in the queue before them.
pub(super) struct Gate {
    permits: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    places: usize,
}

impl Gate {
    pub(super) fn new(permits: usize, places: usize) -> Self {
        let [permits, queue] = [permits, places].map(|count| Arc::new(Semaphore::new(count)));
        Self { permits, queue, places }
    }

    /// A permit at once, or after a wait that takes a place in the queue.
    pub(super) async fn enter(&self) -> Result<OwnedSemaphorePermit, Overloaded> {
        // A semaphore hands a permit to the first who waits, so nobody overtakes here.
        match Arc::clone(&self.permits).try_acquire_owned() {
            Ok(permit) => return Ok(permit),
            Err(TryAcquireError::Closed) => return Err(Overloaded::Draining),
            Err(TryAcquireError::NoPermits) => {}
        }
        let place = self.queue.try_acquire().map_err(|_| Overloaded::QueueFull(self.places))?;
        let permit = self.wait().await;
        drop(place);
        permit
    }

    /// A permit, after a wait that takes no place in the queue.
    pub(super) async fn wait(&self) -> Result<OwnedSemaphorePermit, Overloaded> {
        acquire(&self.permits, 1).await
    }
}

async fn acquire(permits: &Arc<Semaphore>, count: u32) -> Result<OwnedSemaphorePermit, Overloaded> {
    // All semaphores are closed at the end of the service.
    Arc::clone(permits).acquire_many_owned(count).await.map_err(|_| Overloaded::Draining)
}

/// Memory in units of a KiB.
struct Memory {
    free: Arc<Semaphore>,
    total: usize,
}

impl Memory {
    /// Bytes.
    const UNIT: usize = 1024;

    fn new(bytes: usize) -> Self {
        let total = bytes / Self::UNIT;
        Self { free: Arc::new(Semaphore::new(total)), total }
    }

    fn units(&self, bytes: usize) -> u32 {
        bytes.div_ceil(Self::UNIT).min(self.total).try_into().unwrap_or(u32::MAX)
    }

    fn try_take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.free).try_acquire_many_owned(self.units(bytes)).ok()
    }

    fn used(&self) -> usize {
        (self.total - self.free.available_permits()) * Self::UNIT
    }
}

/// The semaphores that a search passes before it runs.
pub(super) struct Admission {
    workers: Gate,
    /// The lines of all batches that wait for a worker or run.
    batches: Arc<Semaphore>,
    /// The reviews that go on.
    reviews: Arc<Semaphore>,
    most_reviews: usize,
    tables: Memory,
    /// Memory for what waits for clients.
    buffers: Memory,
    waiting: Gauge,
    running: Gauge,
}

/// The turn of a line of a batch or of a part of a review, until it is dropped.
pub(super) struct Turn(#[expect(dead_code, reason = "it is held")] OwnedSemaphorePermit);

/// What a review holds until it is dropped: its place among the reviews, and its memory.
pub(super) struct ReviewPlace {
    _place: OwnedSemaphorePermit,
    _memory: Reservation,
}

/// A worker and memory for a search, until the permit is dropped. Fields are dropped in their order, the reverse of the
/// order in which they were taken: the next search with a turn then finds a free worker, and the gauge never counts both.
pub(super) struct Permit {
    _running: Counted,
    _memory: OwnedSemaphorePermit,
    _worker: OwnedSemaphorePermit,
    _turn: Option<Turn>,
}

/// Memory of something that waits for a client, or of a body on its way.
pub struct Reservation(OwnedSemaphorePermit);

impl Admission {
    pub(super) fn new(limits: &ServiceLimits, waiting: &Gauge, running: &Gauge) -> Self {
        let ServiceLimits { workers, queue, memory, .. } = *limits;
        let buffers = memory / 4;
        let most_reviews = workers + queue;
        Self {
            workers: Gate::new(workers, queue),
            // A quarter of the workers is left to single requests.
            batches: Arc::new(Semaphore::new(workers - workers / 4)),
            reviews: Arc::new(Semaphore::new(most_reviews)),
            most_reviews,
            tables: Memory::new((memory - buffers).max(MOST_MEMORY)),
            buffers: Memory::new(buffers),
            waiting: waiting.clone(),
            running: running.clone(),
        }
    }

    /// Waits for a worker, and then for `bytes` of memory. A search without a turn waits in the queue.
    pub(super) async fn admit(
        &self,
        turn: Option<Turn>,
        bytes: usize,
    ) -> Result<Permit, Overloaded> {
        let waiting = Counted::new(&self.waiting);
        let worker = match turn {
            None => self.workers.enter().await?,
            Some(_) => self.workers.wait().await?,
        };
        let memory = self.table(bytes).await?;
        drop(waiting);
        let running = Counted::new(&self.running);
        Ok(Permit { _running: running, _memory: memory, _worker: worker, _turn: turn })
    }

    async fn table(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Overloaded> {
        /// Bytes: enough for most searches of weak levels, which so do not wait behind large ones.
        const SMALL: usize = 1 << 20;
        if bytes <= SMALL
            && let Some(permit) =
                self.tables.try_take(bytes).or_else(|| self.buffers.try_take(bytes))
        {
            return Ok(permit);
        }
        acquire(&self.tables.free, self.tables.units(bytes)).await
    }

    /// A line of a batch waits for its turn; a single search has no turn.
    pub(super) async fn turn(&self, priority: Priority) -> Result<Option<Turn>, Overloaded> {
        if priority == Priority::Single {
            return Ok(None);
        }
        let _waiting = Counted::new(&self.waiting);
        acquire(&self.batches, 1).await.map(|permit| Some(Turn(permit)))
    }

    /// The place of a review that may come to hold `bytes`. The number of reviews is bounded by workers plus queue.
    pub(super) fn review(&self, bytes: usize) -> Result<ReviewPlace, Overloaded> {
        let place = Arc::clone(&self.reviews).try_acquire_owned();
        let place = place.map_err(|_| Overloaded::Reviews(self.most_reviews))?;
        Ok(ReviewPlace { _place: place, _memory: self.reserve(bytes)? })
    }

    /// Memory for something that waits for a client, if it is free.
    pub(super) fn reserve(&self, bytes: usize) -> Result<Reservation, Overloaded> {
        let memory = self.buffers.try_take(bytes);
        memory
            .map(Reservation)
            .ok_or(Overloaded::Memory(self.buffers.total / (1024 * 1024 / Memory::UNIT)))
    }

    /// Bytes, of tables and buffers.
    pub(super) fn used_memory(&self) -> usize {
        self.tables.used() + self.buffers.used()
    }

    /// Refuses the searches that wait and those still to come.
    pub(super) fn close(&self) {
        for semaphore in [&self.workers.permits, &self.batches, &self.tables.free] {
            semaphore.close();
        }
    }
}

impl Reservation {
    /// Adds `more` memory to what is reserved already.
    pub fn add(reserved: &mut Option<Self>, more: Self) {
        match reserved {
            Some(reserved) => reserved.0.merge(more.0),
            None => *reserved = Some(more),
        }
    }

    /// An answer that holds the reservation until it is dropped.
    pub(super) fn hold(self, body: Bytes) -> Bytes {
        Bytes::from_owner(HeldAnswer { body, _memory: self.0 })
    }
}

/// A serialised answer with its memory.
struct HeldAnswer {
    body: Bytes,
    _memory: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for HeldAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// Adds one to a gauge, and takes it off when it is dropped.
struct Counted(Gauge);

impl Counted {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::poll_immediate;
    use tokio::runtime::Runtime;

    use super::*;

    fn admission(workers: usize) -> Admission {
        let max_time = Duration::from_secs(1);
        let limits = ServiceLimits { workers, queue: 0, memory: MOST_MEMORY, max_time, cache: 0 };
        Admission::new(&limits, &Gauge::default(), &Gauge::default())
    }

    #[test]
    fn the_largest_search_finds_its_memory_whatever_waits_for_clients() {
        let admission = admission(1);
        let unread: Vec<_> =
            std::iter::from_fn(|| admission.reserve(1 << 20).ok()).take(1000).collect();
        assert!((1..1000).contains(&unread.len()), "{} MiB", unread.len());
        let largest = poll_immediate(admission.admit(None, MOST_MEMORY));
        let largest = Runtime::new().expect("a runtime starts").block_on(largest);
        assert!(largest.expect("it waits for nothing").is_ok());
    }

    #[test]
    fn a_small_search_does_not_wait_behind_a_large_one() {
        Runtime::new().expect("a runtime starts").block_on(async {
            let admission = admission(3);
            let first = admission.admit(None, MOST_MEMORY / 2).await;
            let mut large = Box::pin(admission.admit(None, MOST_MEMORY));
            assert!(poll_immediate(&mut large).await.is_none(), "it waits for memory");
            let small = poll_immediate(admission.admit(None, 1)).await;
            assert!(small.expect("it waits for nothing").is_ok());
            drop(first);
            assert!(poll_immediate(large).await.expect("it has its memory").is_ok());
            assert_eq!(admission.used_memory(), 0);
        });
    }

    #[test]
    fn those_that_wait_are_refused_when_the_service_ends() {
        Runtime::new().expect("a runtime starts").block_on(async {
            let admission = admission(1);
            let _running = admission.admit(None, 0).await;
            let refused = admission.admit(None, 0).await.err();
            assert_eq!(refused, Some(Overloaded::QueueFull(0)));
            let turn = admission.turn(Priority::Batch).await.expect("a turn is free");
            let mut line = Box::pin(admission.admit(turn, 0));
            assert!(poll_immediate(&mut line).await.is_none(), "it waits for a worker");
            admission.close();
            assert_eq!(line.await.err(), Some(Overloaded::Draining));
        });
    }
}
