//! Admission, cache, single flight and progress of [jobs](Job), without a protocol.
//!
//! A job looks for its answer in the cache and for an equal job in flight, then waits for a place in the queue and a worker
//! with its memory. Data that waits for clients counts as memory: bodies that arrive, reviews, and unread answers.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]
#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

mod admission;
mod cache;
mod failure;
mod log;
mod metrics;
mod pool;
mod review;
mod steps;

use std::future::ready;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::poll_immediate;
use prometheus_client::registry::Registry;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::task::AbortOnDropHandle;
use tracing::{Instrument, Span};

use self::admission::Turn;
pub use self::admission::{Overloaded, Priority, Reservation, ServiceLimits};
pub use self::cache::WrittenAnswer;
use self::cache::{AnswerCache, JobResult, SingleFlight};
pub use self::failure::{Failure, internal, write_json};
pub use self::log::{log_answer, micros};
use self::metrics::Metrics;
pub use self::metrics::duration_histogram;
use self::pool::{Caller, join_failure};
pub use self::pool::{Pool, Timing};
pub use self::review::RunningReview;
pub use self::steps::{STEPS, read as read_step};
use bestmove_api::{Context, Control, Job, JobKey, Prepare, Problem, Request, TreeJob};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::Answer;

/// The answer to a job, with its time and origin.
#[derive(Clone, Debug)]
pub struct FoundAnswer {
    /// The key of the job.
    pub key: Arc<JobKey>,
    /// The answer.
    pub answered: Arc<WrittenAnswer>,
    /// The time in the queue and in the search; zero from the cache.
    pub timing: Timing,
    /// Whether the answer was searched for or known.
    pub origin: Origin,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A search for this caller.
    Search,
    /// A search in flight that another caller had begun.
    SharedSearch,
    /// The cache.
    Cache,
}

/// The service: all games behind one pool of workers.
pub struct Service {
    core: Arc<Core>,
    context: Arc<Context>,
}

/// The parts of the service that a job needs until its answer is cached, even if all callers have gone.
struct Core {
    pool: Pool,
    single_flight: SingleFlight,
    metrics: Metrics,
    cache: AnswerCache,
}

/// What is reported of a job, or of a review.
pub enum Event {
    /// A position of a review has been searched: the JSON of the counts of searched positions and of searches.
    Search(Bytes),
    /// A depth of a job is completed, or a move has been reviewed: the JSON of the answer so far, or of the move.
    Progress(Bytes),
    /// The last event: the JSON of the answer, and the time of all searches.
    Result(Bytes, Timing),
}

/// The events of a job. Dropped, it stops the job. The job does not wait for a reader.
pub struct JobProgress {
    job: Option<AbortOnDropHandle<JobResult>>,
    depths: UnboundedReceiver<Depth>,
    core: Arc<Core>,
    /// The memory of the last event, until the next one is asked for.
    held: Option<Reservation>,
}

/// The JSON of an answer so far, with its memory.
type Depth = (Bytes, Reservation);

impl Service {
    /// A service within `limits`, whose metrics are shown by `registry`.
    pub fn new(limits: &ServiceLimits, knowledge: Knowledge, registry: &mut Registry) -> Self {
        let metrics = Metrics::new(registry, limits);
        let (pool, cache) = (Pool::new(limits, &metrics), AnswerCache::new(limits.cache));
        let single_flight = SingleFlight::default();
        let core = Arc::new(Core { pool, single_flight, metrics, cache });
        let context = Arc::new(Context { knowledge, max_time: Some(limits.max_time) });
        Self { core, context }
    }

    /// The pool of workers.
    pub fn pool(&self) -> &Pool {
        &self.core.pool
    }

    /// Sets the gauges of memory and cache to their present values.
    pub fn update_gauges(&self) {
        let Core { metrics, pool, cache, .. } = &*self.core;
        metrics.set(pool.admission.used_memory(), cache.size());
    }

    /// The knowledge and limits that requests are prepared with.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Reads and prepares a request on the blocking pool.
    ///
    /// # Errors
    /// Where the request is wrong, or too many wait to be read.
    pub async fn prepare<R: Prepare>(
        &self,
        read: impl FnOnce() -> Result<Request<R>, Problem> + Send + 'static,
    ) -> Result<R::Prepared, Failure> {
        let context = Arc::clone(&self.context);
        Ok(self.core.pool.run_short(move || read()?.prepare(&context)).await??)
    }

    /// The answer to a job, if it is in the cache.
    pub fn known(&self, job: &Job) -> Option<Arc<WrittenAnswer>> {
        self.core.cached(job.key())
    }

    /// The answer to a job: from the cache, from an equal job in flight, or by running it. A caller that drops the
    /// future stops the job, unless other callers wait for it. The future must be polled without a pause, since it may hold
    /// a worker.
    ///
    /// # Errors
    /// Where there is no place for it.
    pub async fn run(&self, job: Job, priority: Priority) -> Result<FoundAnswer, Failure> {
        self.core.found(job, || self.core.pool.caller(priority)).await
    }

    /// Runs a job for one caller, and reports every completed depth. A depth is not reported where no memory is free for its
    /// event.
    ///
    /// # Errors
    /// Where there is no place for it.
    pub async fn progress(&self, job: Job) -> Result<JobProgress, Failure> {
        let (observer, depths) = unbounded_channel();
        let caller = self.core.pool.caller(Priority::Single)?;
        let core = Arc::clone(&self.core);
        let mut run = async move { core.run(job, caller, None, Some(observer)).await }.boxed();
        let job = match poll_immediate(&mut run).await {
            Some(Err(refused)) => return Err(refused),
            Some(done) => ready(done).boxed(),
            None => run,
        };
        // The job goes on while nobody reads its events.
        let job = Some(AbortOnDropHandle::new(tokio::spawn(job)));
        Ok(JobProgress { job, depths, core: Arc::clone(&self.core), held: None })
    }

    /// The JSON of a decision tree, written on the worker that built the tree, so that the memory of both is counted.
    /// Dropping the future stops the work.
    ///
    /// # Errors
    /// Where the tree is too large, or there is no place to build it.
    pub async fn tree(&self, tree: TreeJob) -> Result<(Bytes, Timing), Failure> {
        let Core { pool, metrics, .. } = &*self.core;
        let (game, memory) = (tree.game, tree.memory());
        let caller = pool.caller(Priority::Single)?;
        let request = caller.request.clone();
        let built = pool.run(caller, None, memory, move |stop| {
            let tree = steps::search(&request).in_scope(|| tree.run(stop))?;
            let json = steps::write(&request).in_scope(|| write_json(&tree))?;
            Ok::<_, Failure>((tree.answer.search, json))
        });
        let (built, timing) = built.await?;
        let (summary, json) = built?;
        metrics.count(game.name, game.variant, &summary, timing.search);
        Ok((json, timing))
    }
}

impl Core {
    /// The answer to a job: from the cache, from an equal job in flight, or by running the job.
    async fn found(
        self: &Arc<Self>,
        job: Job,
        caller: impl FnOnce() -> Result<Caller, Overloaded>,
    ) -> Result<FoundAnswer, Failure> {
        let (key, timing, origin) = (Arc::clone(job.key()), Timing::default(), Origin::Cache);
        if let Some(answered) = self.cached(&key) {
            return Ok(FoundAnswer { key, answered, timing, origin });
        }
        let caller = caller()?;
        let turn = self.pool.admission.turn(caller.priority).await?;
        // An equal line of a batch may have been answered during the wait for the turn.
        if let Some(answered) = turn.as_ref().and_then(|_| self.cached(&key)) {
            return Ok(FoundAnswer { key, answered, timing, origin });
        }
        self.shared(job, caller, turn).await
    }

    fn cached(&self, key: &JobKey) -> Option<Arc<WrittenAnswer>> {
        let answered = self.cache.get(key).filter(|_| key.search.is_deterministic())?;
        self.metrics.hits.inc();
        Some(answered)
    }

    /// Runs a job, or joins an equal job in flight.
    async fn shared(
        self: &Arc<Self>,
        job: Job,
        caller: Caller,
        turn: Option<Turn>,
    ) -> Result<FoundAnswer, Failure> {
        let (key, request) = (Arc::clone(job.key()), caller.request.clone());
        let core = Arc::clone(self);
        let run = async move { core.run(job, caller, turn, None).await };
        if !key.search.is_deterministic() {
            let (answered, timing) = run.await?;
            return Ok(FoundAnswer { key, answered, timing, origin: Origin::Search });
        }
        let (job, is_shared) = self.single_flight.join_or_start(&key, run);
        let origin = if is_shared { Origin::SharedSearch } else { Origin::Search };
        let mut waiting = Span::none();
        if is_shared {
            self.metrics.shared.inc();
            waiting = steps::wait(&request);
        }
        let (answered, timing) = job.instrument(waiting).await?;
        Ok(FoundAnswer { key, answered, timing, origin })
    }

    /// Runs a job once it is admitted, counts it, and caches its answer unless that was cut short.
    async fn run(
        self: Arc<Self>,
        job: Job,
        caller: Caller,
        turn: Option<Turn>,
        observer: Option<UnboundedSender<Depth>>,
    ) -> JobResult {
        let (key, memory, core) = (Arc::clone(job.key()), job.memory(), Arc::clone(&self));
        let request = caller.request.clone();
        let answered = self.pool.run(caller, turn, memory, move |stop| {
            let mut told = observer.map(|depths| {
                move |answer: Answer| {
                    if let Ok(json) = write_json(&answer)
                        && let Ok(memory) = core.pool.reserve(json.len())
                    {
                        // Sending fails only after the client has left, and then the job is stopped.
                        let _ = depths.send((json, memory));
                    }
                }
            });
            let observer = told.as_mut().map(|told| told as &mut dyn FnMut(Answer));
            let search = steps::search(&request);
            let answer = search.in_scope(|| job.run(Control { stop, observer }));
            steps::found(&search, &answer, &job.key().search);
            drop(search);
            steps::write(&request).in_scope(|| WrittenAnswer::new(answer)).map(Arc::new)
        });
        let (answered, timing) = answered.await?;
        let answered = answered?;
        let search = &key.search;
        self.metrics.count(search.game, search.variant, &answered.answer.search, timing.search);
        if key.search.is_deterministic() {
            self.metrics.misses.inc();
            if !answered.answer.is_cut_short() {
                self.cache.insert(key, Arc::clone(&answered));
            }
        }
        Ok((answered, timing))
    }
}

impl JobProgress {
    /// The next event; `None` after the last one.
    ///
    /// # Errors
    /// Where there is no answer. No event follows.
    pub async fn next(&mut self) -> Result<Option<Event>, Failure> {
        // `recv` answers `None` once the job has ended and dropped its sender.
        self.held = None;
        if let Some((json, memory)) = self.depths.recv().await {
            self.held = Some(memory);
            return Ok(Some(Event::Progress(json)));
        }
        let Some(job) = self.job.take() else { return Ok(None) };
        let (answered, timing) = job.await.map_err(join_failure)??;
        self.held = Some(self.core.pool.reserve(answered.json.len())?);
        Ok(Some(Event::Result(answered.json.clone(), timing)))
    }
}
