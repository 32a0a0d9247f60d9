//! Searches on the blocking thread pool: admitted first, stopped when their caller leaves or the
//! service ends.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use prometheus_client::metrics::counter::Counter;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::admission::{Admission, Overloaded, Permit, Priority, Reservation, Ticket};
use super::failure::Failure;
use bestmove_engine::search::MOST_MEMORY;

/// How long a batch may search before it gives way to others that wait: at least one line.
const TIME_SLICE: Duration = Duration::from_millis(1);

/// How much the service takes on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Searches that run at once.
    pub workers: usize,
    /// Searches that may wait for a worker.
    pub queue: usize,
    /// The bytes that the tables of running searches, unsent answers and batch lines read ahead may
    /// occupy: no fewer than [`MOST_MEMORY`](bestmove_engine::search::MOST_MEMORY).
    pub memory: usize,
    /// The time after which any search is stopped.
    pub max_time: Duration,
    /// The bytes that the cache of answers may occupy; no answers are kept where it is 0.
    pub cache: u64,
}

/// The workers and the queue before them.
pub struct Pool {
    pub(super) admission: Admission,
    workers: usize,
    /// The number of the next batch.
    next_batch: AtomicU64,
    /// Requests admitted and not yet answered; closed while draining.
    admitted: TaskTracker,
    /// Cancelled when the searches that still run must end.
    ending: CancellationToken,
    /// Searches refused because the queue was full.
    refused: Counter,
    /// Searches whose caller left.
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
    priority: Priority,
    token: TaskTrackerToken,
}

/// A job that waits for its turn or runs. Dropped before it is done, it is stopped.
pub(super) struct Running<T> {
    caller: WaitingCaller,
    ticket: Ticket,
    result: oneshot::Receiver<Result<(T, Timing), Failure>>,
    ending: CancellationToken,
}

impl<T> Running<T> {
    /// The number of the search.
    pub(super) fn number(&self) -> u64 {
        self.ticket.number
    }

    /// Its result.
    /// Fails where the service ends before its turn, or it panicked.
    pub(super) async fn wait(mut self) -> Result<(T, Timing), Failure> {
        let result = tokio::select! {
            biased;
            result = &mut self.result => result,
            () = self.ending.cancelled() => {
                self.caller.stop.store(true, Ordering::Relaxed);
                (&mut self.result).await
            }
        };
        self.caller.is_served = true;
        result.unwrap_or(Err(Overloaded::Draining.into()))
    }
}

/// What a step of a batch leads to.
pub(super) enum Step {
    /// The next line can be searched with the present memory.
    Next,
    /// The next line needs so many bytes.
    NeedsMemory(usize),
    /// There are no more lines, or no client for their answers.
    Done,
}

impl Pool {
    /// A pool that takes on as much as `limits` say.
    pub fn new(limits: &Limits, refused: Counter, abandoned: Counter) -> Self {
        let Limits { workers, queue, memory, .. } = *limits;
        Self {
            admission: Admission::new(workers, queue, memory, MOST_MEMORY),
            workers,
            next_batch: AtomicU64::new(0),
            admitted: TaskTracker::new(),
            ending: CancellationToken::new(),
            refused,
            abandoned,
        }
    }

    /// Searches that run at once.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Memory for so many bytes of lines that wait, unless they must not be read yet.
    pub fn try_read_ahead(&self, bytes: usize) -> Option<Reservation> {
        self.admission.try_read_ahead(bytes)
    }

    /// Counts an answer of so many bytes until the reservation is dropped.
    pub fn reserve_answer(&self, bytes: usize) -> Reservation {
        self.admission.reserve_answer(bytes)
    }

    pub(super) fn new_batch(&self) -> Priority {
        Priority::Batch(self.next_batch.fetch_add(1, Ordering::Relaxed))
    }

    /// A caller whose searches have this priority.
    pub(super) fn caller(&self, priority: Priority) -> Result<Caller, Overloaded> {
        let token = self.admitted.token();
        if self.is_draining() { Err(Overloaded::Draining) } else { Ok(Caller { priority, token }) }
    }

    /// Runs `job` on a blocking thread once it is its turn and so many bytes of memory are free. Its flag
    /// is set when no caller waits for the result any more: it should check it often. The permit
    /// belongs to the job, so a job that goes on after its caller left still counts as running.
    /// Fails where the queue is full, or the service ends.
    pub(super) fn run<T: Send + 'static>(
        &self,
        caller: Caller,
        memory: usize,
        job: impl FnOnce(&AtomicBool, &mut Permit) -> T + Send + 'static,
    ) -> Result<Running<T>, Overloaded> {
        let (stop, arrival) = (Arc::<AtomicBool>::default(), Instant::now());
        let (sender, result) = oneshot::channel();
        let flag = Arc::clone(&stop);
        let timed_job = move |mut permit: Permit| {
            if flag.load(Ordering::Relaxed) {
                return;
            }
            let start = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(|| job(&flag, &mut permit)));
            drop(permit);
            let timing = Timing { queue: start - arrival, search: start.elapsed() };
            let result = result.map(|result| (result, timing));
            // A caller that has left needs no result.
            let _ = sender.send(result.map_err(|panic| Failure::panicked(&*panic)));
        };
        let ticket = self.admission.enqueue(caller.priority, memory, timed_job);
        let ticket = ticket.inspect_err(|error| {
            if matches!(error, Overloaded::QueueFull(_)) {
                self.refused.inc();
            }
        })?;
        let (abandoned, token) = (self.abandoned.clone(), caller.token);
        let caller = WaitingCaller { stop, is_served: false, abandoned, _token: token };
        Ok(Running { caller, ticket, result, ending: self.ending.clone() })
    }

    /// Takes one `step` of a batch after the other on a blocking thread until it is done. A step says
    /// what the next one needs. After each time slice others that wait go first.
    /// Fails where the service drains, or a step panicked.
    pub(super) async fn run_batch<S>(&self, batch: Priority, mut step: S) -> Result<(), Failure>
    where
        S: FnMut(&AtomicBool) -> Step + Send + 'static,
    {
        let mut memory = 0;
        loop {
            let job = move |flag: &AtomicBool, permit: &mut Permit| {
                let rest = time_slice(permit, flag, &mut step);
                (step, rest)
            };
            match self.run(self.caller(batch)?, memory, job)?.wait().await?.0 {
                (_, ControlFlow::Break(())) => return Ok(()),
                (rest, ControlFlow::Continue(needed)) => (step, memory) = (rest, needed),
            }
        }
    }

    /// Admits no further request. Those admitted are still answered.
    pub fn drain(&self) {
        self.admitted.close();
    }

    /// Whether no further request is admitted.
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
        self.admission.close();
    }
}

/// Takes steps until the batch is done, or should give way; returns the memory that it needs next.
fn time_slice(
    permit: &mut Permit,
    flag: &AtomicBool,
    step: &mut impl FnMut(&AtomicBool) -> Step,
) -> ControlFlow<(), usize> {
    let start = Instant::now();
    loop {
        let needed = match step(flag) {
            Step::Done => return ControlFlow::Break(()),
            Step::Next => 0,
            Step::NeedsMemory(bytes) => bytes,
        };
        let gives_way = start.elapsed() >= TIME_SLICE && permit.is_wanted();
        if gives_way || needed > 0 && !permit.try_resize(needed) {
            return ControlFlow::Continue(needed);
        }
    }
}

/// A caller that was admitted. It stops its search when it leaves.
struct WaitingCaller {
    stop: Arc<AtomicBool>,
    is_served: bool,
    abandoned: Counter,
    _token: TaskTrackerToken,
}

impl Drop for WaitingCaller {
    fn drop(&mut self) {
        if !self.is_served {
            self.stop.store(true, Ordering::Relaxed);
            self.abandoned.inc();
        }
    }
}
