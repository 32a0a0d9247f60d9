//! Work on the blocking thread pool. Searches are admitted first, and stopped when their caller leaves or the service
//! ends. Short work has a queue of its own.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use bytes::Bytes;
use prometheus_client::metrics::counter::Counter;
use tokio::task::{JoinError, spawn_blocking};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;
use tracing::{Instrument, Span};

use super::admission::{
    Admission, Gate, Overloaded, Priority, Reservation, ReviewPlace, ServiceLimits, Turn,
};
use super::metrics::Metrics;
use super::{Failure, steps};

/// Requests that may wait to be read, or to be answered without a search.
const SHORT_QUEUE: usize = 256;

/// The workers and the queue before them.
pub struct Pool {
    pub(super) admission: Admission,
    /// Admission of short work.
    short: Gate,
    workers: usize,
    /// Requests admitted and not yet answered; closed while draining.
    admitted: TaskTracker,
    /// Cancelled when the searches that still run must end.
    ending: CancellationToken,
    refused: Counter,
    abandoned: Counter,
}

/// How long an answer took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// From admission to the start of the search.
    pub queue: Duration,
    /// The search itself.
    pub search: Duration,
}

/// A request that may ask for searches, also while the service drains.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) priority: Priority,
    /// The span whose steps its searches are.
    pub(super) request: Span,
    _token: TaskTrackerToken,
}

impl Pool {
    pub(super) fn new(limits: &ServiceLimits, metrics: &Metrics) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self {
            admission: Admission::new(limits, &metrics.waiting, &metrics.running),
            short: Gate::new(processors, SHORT_QUEUE),
            workers: limits.workers,
            admitted: TaskTracker::new(),
            ending: CancellationToken::new(),
            refused: metrics.refused.clone(),
            abandoned: metrics.abandoned.clone(),
        }
    }

    /// Searches that run at once.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Admits a request. Its searches have `priority`.
    pub(super) fn caller(&self, priority: Priority) -> Result<Caller, Overloaded> {
        let token = self.admitted.token();
        if self.is_draining() {
            return Err(Overloaded::Draining);
        }
        Ok(Caller { priority, request: steps::request(), _token: token })
    }

    /// Runs `job` on a blocking thread once a worker and `memory` bytes are free. The flag that `job` gets is set when no
    /// caller waits for the result any more; `job` should check it often. The permit belongs to the job, so a job that goes
    /// on after its caller left still counts as running.
    ///
    /// The future must be polled without a pause: it may hold a worker.
    /// Fails where the queue is full, the service ends, or the job panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        caller: Caller,
        turn: Option<Turn>,
        memory: usize,
        job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<(T, Timing), Failure> {
        let (mut waiting, arrival) = (WaitingCaller::new(&self.abandoned), Instant::now());
        let admitted = self.admission.admit(turn, memory);
        let permit = admitted.instrument(steps::wait(&caller.request)).await;
        let permit = permit.inspect_err(|error| {
            waiting.is_served = true;
            if matches!(error, Overloaded::QueueFull(_)) {
                self.refused.inc();
            }
        })?;
        let stop = Arc::clone(&waiting.stop);
        let mut running = spawn_blocking(erased(move || {
            let start = Instant::now();
            let result = job(&stop);
            drop(permit);
            (result, Timing { queue: start - arrival, search: start.elapsed() })
        }));
        let result = tokio::select! {
            biased;
            result = &mut running => result,
            () = self.ending.cancelled() => {
                waiting.stop.store(true, Ordering::Relaxed);
                running.await
            }
        };
        waiting.is_served = true;
        result.map(typed).map_err(join_failure)
    }

    /// Runs short work on a blocking thread: work of more than some microseconds without a search, such as reading a large
    /// request or writing a large answer. One piece a processor runs at once.
    ///
    /// # Errors
    /// Where the queue of short work is full.
    pub async fn run_short<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.run_erased(erased(work)).await.map(typed)
    }

    async fn run_erased(&self, work: Work) -> Result<Done, Failure> {
        let permit = self.short.enter().await.map_err(|error| match error {
            Overloaded::QueueFull(places) => Overloaded::Unread(places),
            other => other,
        })?;
        let running = spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        running.await.map_err(join_failure)
    }

    /// The place of a review that may come to hold `bytes`.
    pub(super) fn review(&self, bytes: usize) -> Result<ReviewPlace, Overloaded> {
        self.admission.review(bytes).inspect_err(|_| _ = self.refused.inc())
    }

    /// Memory for `bytes` that wait for a client.
    ///
    /// # Errors
    /// Where too little is left.
    pub fn reserve(&self, bytes: usize) -> Result<Reservation, Overloaded> {
        self.admission.reserve(bytes)
    }

    /// An answer that waits for its client, counted as memory until it is written.
    ///
    /// # Errors
    /// Where memory is used up by what waits for clients.
    pub fn unsent(&self, body: impl Into<Bytes>) -> Result<Bytes, Overloaded> {
        let body = body.into();
        Ok(self.reserve(body.len())?.hold(body))
    }

    /// Admits no further request. Requests already admitted are still answered.
    pub fn drain(&self) {
        self.admitted.close();
    }

    /// Whether no further request is admitted.
    pub fn is_draining(&self) -> bool {
        self.admitted.is_closed()
    }

    /// Waits until all admitted requests are answered, once [`drain`](Self::drain) was called.
    pub async fn drained(&self) {
        self.admitted.wait().await;
    }

    /// Tells running searches to answer with their last completed depth, and refuses waiting ones.
    pub fn end(&self) {
        self.ending.cancel();
        self.admission.close();
    }
}

/// Work of any type with its result. The runtime knows one type of task: for each type the compiler would make all functions
/// of a task anew.
type Work = Box<dyn FnOnce() -> Done + Send>;
type Done = Box<dyn Any + Send>;

fn erased<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Work {
    Box::new(|| Box::new(work()))
}

/// The result of work that returns a `T`.
fn typed<T: 'static>(done: Done) -> T {
    match done.downcast() {
        Ok(done) => *done,
        Err(_) => unreachable!("the work returns this type"),
    }
}

/// A failed blocking task has panicked, unless the runtime is shutting down.
pub(super) fn join_failure(error: JoinError) -> Failure {
    match error.try_into_panic() {
        Ok(panic) => Failure::panicked(&*panic),
        Err(_) => Overloaded::Draining.into(),
    }
}

/// A caller that waits for a search. It stops its search when it leaves.
struct WaitingCaller {
    stop: Arc<AtomicBool>,
    is_served: bool,
    abandoned: Counter,
}

impl WaitingCaller {
    fn new(abandoned: &Counter) -> Self {
        Self { stop: Arc::default(), is_served: false, abandoned: abandoned.clone() }
    }
}

impl Drop for WaitingCaller {
    fn drop(&mut self) {
        if !self.is_served {
            self.stop.store(true, Ordering::Relaxed);
            self.abandoned.inc();
        }
    }
}
