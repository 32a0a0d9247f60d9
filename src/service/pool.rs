//! Who may search: as many searches at once as there are workers, a bounded queue before them, and
//! nobody searches for a caller that has left.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use thiserror::Error;
use tokio::task::{self, JoinError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::memory::{Memory, Reservation};
use super::turns::{Rank, Turn, Turns};
use super::{Failure, Limits, Metrics};

/// The workers, their memory and the queue before them.
pub struct Pool {
    workers: Arc<Turns>,
    memory: Arc<Memory>,
    /// How many there are.
    size: usize,
    queue: i64,
    /// Everyone admitted and not yet answered; closed while draining.
    admitted: TaskTracker,
    /// Cancelled when the searches that still run must end.
    ending: CancellationToken,
    metrics: Metrics,
}

/// There is no place for another search.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Overloaded {
    /// As many searches wait as may.
    #[error("{0} searches are waiting already; try again later")]
    QueueFull(i64),
    /// The service is about to stop.
    #[error("the service is shutting down; ask another replica")]
    Draining,
}

/// How long an answer took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// From admission to the start of the search.
    pub queue: Duration,
    /// The search itself.
    pub search: Duration,
}

impl Pool {
    /// A pool that takes on as much as `limits` say.
    #[must_use]
    pub fn new(limits: &Limits, metrics: Metrics) -> Self {
        Self {
            workers: Turns::new(limits.workers),
            memory: Arc::new(Memory::new(limits.memory, metrics.memory.clone())),
            size: limits.workers,
            queue: i64::try_from(limits.queue).unwrap_or(i64::MAX),
            admitted: TaskTracker::new(),
            ending: CancellationToken::new(),
            metrics,
        }
    }

    /// Searches that run at once.
    pub fn workers(&self) -> usize {
        self.size
    }

    /// Runs `job` on a thread of its own as soon as a worker and so many bytes of `memory` are free.
    /// The flag that it is given is raised when nobody waits for its result any more: it should look
    /// at it often.
    ///
    /// The worker's turn belongs to the job, so a job that goes on after its caller left still
    /// counts as running.
    ///
    /// # Errors
    /// Where there is no place, or the job panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        memory: usize,
        job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<(T, Timing), Failure> {
        let arrival = Instant::now();
        let (mut caller, place) = self.admit(Rank::Single, memory).await?;
        let (stop, busy) = (caller.stop.clone(), Busy::new(&self.metrics.running));
        let running = task::spawn_blocking(move || {
            let start = Instant::now();
            let result = job(&stop);
            let search = start.elapsed();
            drop((place, busy));
            (result, Timing { queue: start - arrival, search })
        });
        let joined = self.end_with_service(running, &caller.stop).await;
        caller.is_served = true;
        joined.map_err(|panic| Failure::Panicked(panic.to_string()))
    }

    /// Takes one `step` after the other as soon as a worker and so many bytes of `memory` are free,
    /// until one breaks off. Between two steps a single request that waits goes first, and whoever
    /// waits for memory.
    ///
    /// # Errors
    /// Where nobody is admitted any more, or a step panicked.
    pub async fn run_in_turns<S>(&self, memory: usize, mut step: S) -> Result<(), Failure>
    where
        S: FnMut(&AtomicBool) -> ControlFlow<()> + Send + 'static,
    {
        loop {
            let (mut caller, place) = self.admit(Rank::Batch, memory).await?;
            let (flag, busy) = (caller.stop.clone(), Busy::new(&self.metrics.running));
            let (workers, tables) = (Arc::clone(&self.workers), Arc::clone(&self.memory));
            let running = task::spawn_blocking(move || {
                let mut goes_on = true;
                while goes_on && !workers.is_wanted() && !tables.is_wanted() {
                    goes_on = step(&flag).is_continue();
                }
                drop((place, busy));
                (step, goes_on)
            });
            let joined = self.end_with_service(running, &caller.stop).await;
            caller.is_served = true;
            match joined.map_err(|panic| Failure::Panicked(panic.to_string()))? {
                (_, false) => return Ok(()),
                (rest, true) => step = rest,
            }
        }
    }

    /// A worker's turn, waited for if there is a place to wait, and then the memory. While the pool
    /// drains, nobody is admitted.
    async fn admit(&self, rank: Rank, memory: usize) -> Result<(Caller, Place), Overloaded> {
        let admission = self.admitted.token();
        if self.is_draining() {
            return Err(Overloaded::Draining);
        }
        let mut caller = Caller {
            stop: Arc::default(),
            is_served: false,
            abandoned: self.metrics.abandoned.clone(),
            _admission: admission,
        };
        let place = self.place(rank, memory).await;
        caller.is_served = place.is_err();
        Ok((caller, place?))
    }

    async fn place(&self, rank: Rank, memory: usize) -> Result<Place, Overloaded> {
        let turn = match self.workers.try_take() {
            Some(turn) => turn,
            None => self.wait_for_worker(rank).await?,
        };
        let memory = match self.memory.try_reserve(memory) {
            Some(memory) => memory,
            None => self.wait_for_memory(memory).await?,
        };
        Ok(Place { _turn: turn, _memory: memory })
    }

    /// The worker waits too, so no smaller search that comes later can keep a large one waiting.
    async fn wait_for_memory(&self, memory: usize) -> Result<Reservation, Overloaded> {
        let _waiting = Busy::new(&self.metrics.waiting);
        self.memory.reserve(memory).await
    }

    /// A batch takes no place in the queue: it waits as one, whatever its size.
    async fn wait_for_worker(&self, rank: Rank) -> Result<Turn, Overloaded> {
        // Taking the place first and looking afterwards needs no lock.
        let place = (rank == Rank::Single).then(|| Busy::new(&self.metrics.waiting));
        if place.as_ref().is_some_and(|place| place.number > self.queue) {
            self.metrics.refused.inc();
            return Err(Overloaded::QueueFull(self.queue));
        }
        let turn = self.workers.take(rank).await;
        turn.map_err(|_| Overloaded::Draining)
    }

    /// Waits for a running job; where the service must end before, the job is told to.
    async fn end_with_service<T>(
        &self,
        mut running: task::JoinHandle<T>,
        stop: &AtomicBool,
    ) -> Result<T, JoinError> {
        tokio::select! {
            biased;
            joined = &mut running => joined,
            () = self.ending.cancelled() => {
                stop.store(true, Ordering::Relaxed);
                running.await
            }
        }
    }

    /// Admits nobody from now on. Whoever was admitted is still served.
    pub fn drain(&self) {
        self.admitted.close();
    }

    /// Whether nobody is admitted any more.
    pub fn is_draining(&self) -> bool {
        self.admitted.is_closed()
    }

    /// Waits until all that were admitted are answered, once [`drain`](Self::drain) was called.
    pub async fn drained(&self) {
        self.admitted.wait().await;
    }

    /// Tells running searches to answer with what they have, and refuses those that wait.
    pub fn end(&self) {
        self.ending.cancel();
        self.workers.close();
        self.memory.close();
    }
}

/// What a search occupies until it ends.
struct Place {
    _turn: Turn,
    _memory: Reservation,
}

/// A caller that was admitted. It stops its search when it leaves.
struct Caller {
    stop: Arc<AtomicBool>,
    is_served: bool,
    abandoned: Counter,
    _admission: TaskTrackerToken,
}

impl Drop for Caller {
    fn drop(&mut self) {
        if !self.is_served {
            self.stop.store(true, Ordering::Relaxed);
            self.abandoned.inc();
        }
    }
}

/// Holds a gauge one higher while it lives.
struct Busy {
    gauge: Gauge,
    /// The value of the gauge with this one.
    number: i64,
}

impl Busy {
    fn new(gauge: &Gauge) -> Self {
        Self { number: gauge.inc() + 1, gauge: gauge.clone() }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.gauge.dec();
    }
}
