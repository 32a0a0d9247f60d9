//! Who may search: as many searches at once as there are workers, a bounded queue before them, and
//! nobody searches for a caller that has left.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{self, JoinError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::{Failure, Metrics};

/// The workers and the queue before them.
pub struct Pool {
    workers: Arc<Semaphore>,
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
    /// A pool of so many `workers` and places in the `queue`.
    #[must_use]
    pub fn new(workers: usize, queue: usize, metrics: Metrics) -> Self {
        Self {
            workers: Arc::new(Semaphore::new(workers)),
            queue: i64::try_from(queue).unwrap_or(i64::MAX),
            admitted: TaskTracker::new(),
            ending: CancellationToken::new(),
            metrics,
        }
    }

    /// Runs `job` on a thread of its own as soon as a worker is free. The flag that it is given is
    /// raised when nobody waits for its result any more: it should look at it often.
    ///
    /// The worker's permit belongs to the job, so a job that goes on after its caller left still
    /// counts as running.
    ///
    /// # Errors
    /// Where there is no place, or the job panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<(T, Timing), Failure> {
        let arrival = Instant::now();
        let (mut caller, permit) = self.admit().await?;
        let (stop, busy) = (caller.stop.clone(), Busy::new(&self.metrics.running));
        let running = task::spawn_blocking(move || {
            let start = Instant::now();
            let result = job(&stop);
            let search = start.elapsed();
            drop((permit, busy));
            (result, Timing { queue: start - arrival, search })
        });
        let joined = self.end_with_service(running, &caller.stop).await;
        caller.is_served = true;
        joined.map_err(|panic| Failure::Panicked(panic.to_string()))
    }

    /// A worker's permit, waited for if there is a place to wait. While the pool drains, nobody is
    /// admitted.
    async fn admit(&self) -> Result<(Caller, OwnedSemaphorePermit), Overloaded> {
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
        let permit = match Arc::clone(&self.workers).try_acquire_owned() {
            Ok(permit) => Ok(permit),
            Err(_) => self.wait_for_worker().await,
        };
        caller.is_served = permit.is_err();
        Ok((caller, permit?))
    }

    async fn wait_for_worker(&self) -> Result<OwnedSemaphorePermit, Overloaded> {
        // Taking the place first and looking afterwards needs no lock.
        let place = Busy::new(&self.metrics.waiting);
        if place.number > self.queue {
            self.metrics.refused.inc();
            return Err(Overloaded::QueueFull(self.queue));
        }
        let permit = Arc::clone(&self.workers).acquire_owned().await;
        permit.map_err(|_| Overloaded::Draining)
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
    }
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
