//! Searches on the blocking thread pool: admitted first, stopped when their caller leaves or the
//! service ends.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use prometheus_client::metrics::counter::Counter;
use tokio::task::{self, JoinError};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::admission::{Admission, Gauges, Overloaded, Permit, Priority, Reservation, Ticket};
use super::{Failure, Limits, Metrics};
use bestmove_engine::search::MOST_MEMORY;

/// How long a batch may search before it gives way to others that wait: at least one line.
const TIME_SLICE: Duration = Duration::from_millis(1);

/// The workers and the queue before them.
pub struct Pool {
    admission: Admission,
    workers: usize,
    /// The number of the next batch.
    batches: AtomicU64,
    /// Everyone admitted and not yet answered; closed while draining.
    admitted: TaskTracker,
    /// Cancelled when the searches that still run must end.
    ending: CancellationToken,
    metrics: Metrics,
}

/// How long an answer took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// From admission to the start of the search.
    pub queue: Duration,
    /// The search itself.
    pub search: Duration,
}

/// Who asks for a search.
#[derive(Clone)]
pub(super) enum Caller {
    /// A request of one search.
    Single,
    /// A request of several searches, which give way to single requests.
    Series(Arc<Series>),
}

/// A request of several searches. It shares the workers fairly with batches.
pub(super) struct Series {
    number: u64,
    token: TaskTrackerToken,
}

/// A caller with a place in the queue.
pub(super) struct Admitted {
    arrival: Instant,
    caller: WaitingCaller,
    ticket: Ticket,
}

/// What a step of a batch leads to.
pub(super) enum Step {
    /// The next line can be searched with the present memory.
    Next,
    /// The next line needs so many bytes.
    NeedsMemory(usize),
    /// There are no more lines, or nobody waits for their answers.
    Done,
}

impl Pool {
    /// A pool that takes on as much as `limits` say.
    #[must_use]
    pub fn new(limits: &Limits, metrics: Metrics) -> Self {
        let gauges = Gauges {
            waiting: metrics.waiting.clone(),
            running: metrics.running.clone(),
            memory: metrics.memory.clone(),
        };
        let Limits { workers, queue, memory, .. } = *limits;
        metrics.workers.set(workers as i64);
        metrics.queue_limit.set(queue as i64);
        metrics.memory_limit.set(memory as i64);
        Self {
            admission: Admission::new(workers, queue, memory, MOST_MEMORY, gauges),
            workers,
            batches: AtomicU64::new(0),
            admitted: TaskTracker::new(),
            ending: CancellationToken::new(),
            metrics,
        }
    }

    /// Searches that run at once.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// A number for a new batch.
    pub(super) fn new_batch(&self) -> u64 {
        self.batches.fetch_add(1, Ordering::Relaxed)
    }

    /// Memory for so many bytes of lines that wait, unless they must not be read yet.
    pub(super) fn try_read_ahead(&self, bytes: usize) -> Option<Reservation> {
        self.admission.try_read_ahead(bytes)
    }

    /// Counts an answer of so many bytes until it is sent.
    pub(super) fn reserve_answer(&self, bytes: usize) -> Reservation {
        self.admission.reserve_answer(bytes)
    }

    /// As [`reserve_answer`](Self::reserve_answer), unless memory is used up.
    pub(super) fn try_reserve_answer(&self, bytes: usize) -> Option<Reservation> {
        self.admission.try_reserve_answer(bytes)
    }

    /// A place in the queue for a search with so many bytes of memory.
    ///
    /// # Errors
    /// Where the queue is full, or the service is about to stop.
    pub(super) fn admit(&self, caller: &Caller, memory: usize) -> Result<Admitted, Overloaded> {
        match caller {
            Caller::Single => self.enqueue(Priority::Single, memory),
            Caller::Series(series) => {
                self.enqueue_with(series.token.clone(), Priority::Batch(series.number), memory)
            }
        }
    }

    /// Admits a request of several searches, all of them at once: they go on while the service drains.
    ///
    /// # Errors
    /// Where the service is about to stop.
    pub(super) fn admit_series(&self) -> Result<Series, Overloaded> {
        let series = Series { number: self.new_batch(), token: self.admitted.token() };
        if self.is_draining() { Err(Overloaded::Draining) } else { Ok(series) }
    }

    fn enqueue(&self, priority: Priority, memory: usize) -> Result<Admitted, Overloaded> {
        let token = self.admitted.token();
        if self.is_draining() {
            return Err(Overloaded::Draining);
        }
        self.enqueue_with(token, priority, memory)
    }

    fn enqueue_with(
        &self,
        token: TaskTrackerToken,
        priority: Priority,
        memory: usize,
    ) -> Result<Admitted, Overloaded> {
        let ticket = self.admission.enqueue(priority, memory).inspect_err(|refusal| {
            if matches!(refusal, Overloaded::QueueFull(_)) {
                self.metrics.refused.inc();
            }
        })?;
        let caller = WaitingCaller {
            stop: Arc::default(),
            is_served: false,
            abandoned: self.metrics.abandoned.clone(),
            _token: token,
        };
        Ok(Admitted { arrival: Instant::now(), caller, ticket })
    }

    /// Runs `job` on a blocking thread once it is its turn. The flag that it is given is raised when
    /// nobody waits for its result any more: it should look at it often. The permit belongs to
    /// the job, so a job that goes on after its caller left still counts as running.
    ///
    /// # Errors
    /// Where the service ends before its turn, or the job panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        admitted: Admitted,
        job: impl FnOnce(&AtomicBool, &mut Permit) -> T + Send + 'static,
    ) -> Result<(T, Timing), Failure> {
        let Admitted { arrival, mut caller, ticket } = admitted;
        let permit = ticket.permit().await;
        caller.is_served = permit.is_err();
        let (mut permit, stop) = (permit?, Arc::clone(&caller.stop));
        let running = task::spawn_blocking(move || {
            let start = Instant::now();
            let result = job(&stop, &mut permit);
            drop(permit);
            (result, Timing { queue: start - arrival, search: start.elapsed() })
        });
        let joined = self.end_with_service(running, &caller.stop).await;
        caller.is_served = true;
        joined.map_err(|panic| Failure::Panicked(panic.to_string()))
    }

    /// Takes one `step` of a batch after the other on a blocking thread until it is done. A step says
    /// what the next one needs. After each time slice others that wait go first.
    ///
    /// # Errors
    /// Where nobody is admitted any more, or a step panicked.
    pub(super) async fn run_batch<S>(&self, batch: u64, mut step: S) -> Result<(), Failure>
    where
        S: FnMut(&AtomicBool) -> Step + Send + 'static,
    {
        let mut memory = 0;
        loop {
            let Admitted { mut caller, ticket, .. } =
                self.enqueue(Priority::Batch(batch), memory)?;
            let permit = ticket.permit().await;
            caller.is_served = permit.is_err();
            let (permit, flag) = (permit?, Arc::clone(&caller.stop));
            let running = task::spawn_blocking(move || {
                let rest = time_slice(permit, &flag, &mut step);
                (step, rest)
            });
            let joined = self.end_with_service(running, &caller.stop).await;
            caller.is_served = true;
            match joined.map_err(|panic| Failure::Panicked(panic.to_string()))? {
                (_, ControlFlow::Break(())) => return Ok(()),
                (rest, ControlFlow::Continue(needed)) => (step, memory) = (rest, needed),
            }
        }
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
        self.admission.close();
    }
}

/// Takes steps until the batch is done, or should give way; returns the memory that it needs next.
fn time_slice(
    mut permit: Permit,
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
