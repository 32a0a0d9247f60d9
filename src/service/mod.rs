//! The path of a request without HTTP: cache, single flight, admission, search on the blocking pool.
//!
//! A [`PreparedSearch`] is a request that has been read: a game, a legal position and history, limits in range. Its [`SearchKey`] is the key of the cache and of shared searches.

mod admission;
mod batch;
mod board_request;
mod cache;
mod failure;
mod include;
mod metrics;
mod pool;
mod progress;
mod review;
mod single_flight;
mod tree;

use std::sync::Arc;
use std::time::Duration;

use prometheus_client::registry::Registry;
use tokio::task::spawn_blocking;

use self::admission::Priority;
pub use self::admission::{Overloaded, Reservation};
pub use self::batch::Batch;
pub use self::board_request::{BoardRequest, game_names, read_choices, read_record};
use self::cache::AnswerCache;
pub use self::cache::{Finished, Summary, Writer};
pub use self::failure::Failure;
pub use self::include::{Described, Include, Writers};
use self::include::{Extension, extended};
use self::metrics::Metrics;
pub use self::metrics::duration_histogram;
use self::pool::{Caller, Running};
pub use self::pool::{Limits, Pool, Timing};
pub use self::progress::{Event, Progress};
pub use self::review::{
    ExpectedPoints, Label, PreparedReview, Review, ReviewStep, ReviewSteps, ReviewedMove,
    SearchCount, SideReview,
};
use self::single_flight::{SearchResult, SingleFlight};
pub use self::tree::PreparedTree;
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{AnySearch, SearchKey, SearchParameters};

/// A search whose request has been read, ready to run.
pub struct PreparedSearch {
    search: Box<dyn AnySearch>,
    key: Arc<SearchKey>,
    /// What the answer includes beside. It is no part of the key.
    extension: Option<Extension>,
}

impl PreparedSearch {
    /// What the answer depends on.
    pub fn key(&self) -> &Arc<SearchKey> {
        &self.key
    }

    /// What the answer includes beside.
    pub fn include(&self) -> Include {
        self.extension.as_ref().map(Extension::include).unwrap_or_default()
    }
}

/// What was found out, and how long that took.
#[derive(Clone, Debug)]
pub struct Found {
    /// The answer.
    pub answer: Arc<Finished>,
    /// The time spent on it.
    pub timing: Timing,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was searched for.
    Search,
    /// It was searched for already, for another caller who asked the same.
    SharedSearch,
    /// It was in the cache.
    Cache,
}

/// The service: all games behind one pool of workers.
pub struct Service {
    core: Arc<Core>,
    single_flight: SingleFlight,
    max_time: Duration,
    knowledge: Knowledge,
}

/// What a search needs until its answer is cached, even if all callers have gone.
struct Core {
    pool: Pool,
    metrics: Metrics,
    cache: AnswerCache,
    writers: Writers,
}

impl Service {
    /// A service that takes on as much as `limits` say, and serialises its answers by `writers`. The
    /// `registry` shows what it counts.
    pub fn new(
        limits: &Limits,
        writers: Writers,
        knowledge: Knowledge,
        registry: &mut Registry,
    ) -> Self {
        let metrics = Metrics::new(registry, limits);
        let pool = Pool::new(limits, metrics.refused.clone(), metrics.abandoned.clone());
        let cache = AnswerCache::new(limits.cache);
        let core = Arc::new(Core { pool, metrics, cache, writers });
        let (single_flight, max_time) = (SingleFlight::default(), limits.max_time);
        Self { core, single_flight, max_time, knowledge }
    }

    /// Its workers.
    pub fn pool(&self) -> &Pool {
        &self.core.pool
    }

    /// Sets the metrics of what is in use now.
    pub fn update_gauges(&self) {
        let Core { metrics, pool, cache, .. } = &*self.core;
        metrics.set(&pool.admission.usage(), cache.size());
    }

    /// Reads what is asked about a board.
    ///
    /// # Errors
    /// Where the position or a move can't be read, a limit is out of range, or the game is over.
    pub fn prepare_search(
        &self,
        board: &BoardRequest,
        parameters: SearchParameters,
        include: Include,
    ) -> Result<PreparedSearch, Failure> {
        let parameters = SearchParameters { time_limit: Some(self.max_time), ..parameters };
        let board = board.board()?;
        let search = board.search(&parameters, &self.knowledge)?;
        let key = Arc::new(search.key());
        Ok(PreparedSearch { search, key, extension: Extension::new(include, board) })
    }

    /// The best move of a position. A caller that drops the future stops the search, unless others
    /// wait for it too.
    ///
    /// # Errors
    /// Where there is no place to search it.
    pub async fn best_move(&self, mut prepared: PreparedSearch) -> Result<Found, Failure> {
        let extension = prepared.extension.take();
        let found = self.found(prepared, None).await?;
        let Some(extension) = extension else { return Ok(found) };
        let (answer, writers) = (Arc::clone(&found.answer), self.core.writers);
        // Each legal move is played and written out.
        let extended = spawn_blocking(move || extended(answer, Some(extension), writers)).await;
        let answer = extended.map_err(|panic| Failure::Panicked(panic.to_string()))?;
        Ok(Found { answer, ..found })
    }

    /// The answer to a search: from the cache, from a search in flight, or from one of its own. The
    /// `caller` is one that asks for several searches.
    async fn found(
        &self,
        prepared: PreparedSearch,
        caller: Option<&Caller>,
    ) -> Result<Found, Failure> {
        let core = &self.core;
        if !prepared.key.is_deterministic() {
            let running = core.search(caller, prepared.search)?;
            let (answer, timing) = core.finish(running, None).await?;
            return Ok(Found { answer, timing, origin: Origin::Search });
        }
        if let Some(answer) = self.cached(&prepared) {
            return Ok(Found { answer, timing: Timing::default(), origin: Origin::Cache });
        }
        let PreparedSearch { search, key, .. } = prepared;
        let start = || {
            let running = core.search(caller, search)?;
            let (core, key, number) = (Arc::clone(core), Arc::clone(&key), running.number());
            Ok::<_, Failure>((number, async move { core.finish(running, Some(key)).await }))
        };
        let (search, joined) = self.single_flight.join_or_start(&key, start)?;
        let origin = if let Some(number) = joined {
            core.metrics.shared.inc();
            if caller.is_none() {
                core.pool.admission.raise(number);
            }
            Origin::SharedSearch
        } else {
            core.metrics.misses.inc();
            Origin::Search
        };
        let (answer, timing) = search.await?;
        Ok(Found { answer, timing, origin })
    }

    fn cached(&self, prepared: &PreparedSearch) -> Option<Arc<Finished>> {
        let answer = self.core.cache.get(&prepared.key)?;
        self.core.metrics.hits.inc();
        Some(answer)
    }
}

impl Core {
    /// The `caller` of several searches, or a new one for the present request.
    fn caller(&self, caller: Option<&Caller>) -> Result<Caller, Overloaded> {
        caller.cloned().map_or_else(|| self.pool.caller(Priority::Single), Ok)
    }

    /// Starts to search; what is found is serialised there too.
    fn search(
        &self,
        caller: Option<&Caller>,
        search: Box<dyn AnySearch>,
    ) -> Result<Running<Arc<Finished>>, Overloaded> {
        let (memory, write) = (search.memory(), self.writers.answer);
        let job = move |stop: &_, _: &mut _| Arc::new(Finished::new(search.run(stop), write));
        self.pool.run(self.caller(caller)?, memory, job)
    }

    /// Waits for an answer, and caches it under its `key` if another search would find the same.
    async fn finish(
        &self,
        running: Running<Arc<Finished>>,
        key: Option<Arc<SearchKey>>,
    ) -> SearchResult {
        let (answer, timing) = running.wait().await?;
        self.metrics.count(&answer.summary, timing.search);
        if let Some(key) = key.filter(|_| !answer.is_cut_short()) {
            self.cache.insert(key, Arc::clone(&answer));
        }
        Ok((answer, timing))
    }
}
