//! The service without a protocol: reads a request, admits its search, shares and caches its answer.
//!
//! A request becomes a [`PreparedSearch`]: a game, a legal position and history, limits in range. Its [`SearchKey`] is
//! the key of the cache and of shared searches. A [`Problem`] says what is wrong with it.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod admission;
mod board_svg;
mod cache;
mod games;
mod log;
mod metrics;
mod pool;
mod problem;
mod progress;
mod reasons;
mod request;
mod review;
mod steps;
mod tree;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use prometheus_client::registry::Registry;
use tokio_util::task::AbortOnDropHandle;
use tracing::{Instrument, Span};

pub use self::admission::{Overloaded, Priority, Reservation, ServiceLimits};
pub use self::board_svg::{BoardSvgRequest, Picture};
use self::cache::{AnswerCache, SearchResult, SingleFlight};
pub use self::games::{GameDescription, GameList, PositionAnswer, game_names};
pub use self::log::log_answer;
use self::metrics::Metrics;
pub use self::metrics::duration_histogram;
use self::pool::{Caller, join_failure};
pub use self::pool::{Pool, Timing, to_json};
pub use self::problem::{Failure, PROBLEMS, Problem, ProblemKind, ProblemRow};
pub use self::progress::{Event, Progress};
pub use self::reasons::{Wanted, explain};
pub use self::request::{
    AnalysisRequest, BatchLine, BestMoveRequest, BoardRequest, LineId, PositionRequest, Prepare,
    ReviewRequest, TreeRequest, read, read_query, read_texts,
};
pub use self::review::{
    Exercise, ExpectedPoints, Label, PreparedReview, Review, ReviewInclude, ReviewStep,
    ReviewSteps, ReviewedMove, SearchCount, SideReview,
};
pub use self::steps::{STEPS, read as read_step};
pub use self::tree::PreparedTree;
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{
    Answer, AnyBoard, AnySearch, BoardView, SearchKey, SearchParameters,
};

/// What an answer includes beside the result of the search. It is no part of the search, so it is added to the answer once
/// that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Include {
    /// The legal moves.
    pub legal_moves: bool,
    /// The board in rows of cells.
    pub board: bool,
    /// The position that they describe.
    pub described: Described,
    /// Whether values are from the view of the game's first side.
    pub is_first_view: bool,
    /// What is explained.
    pub wanted: Wanted,
}

/// Which position is described.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Described {
    /// The one after the best move.
    #[default]
    AfterBestMove,
    /// The one asked about.
    Asked,
}

impl Include {
    /// What is shown of a board.
    pub fn view(self, board: &dyn AnyBoard) -> BoardView {
        BoardView {
            board: self.board.then(|| board.cells()),
            last_move: self.board.then(|| board.last_move()).flatten(),
            legal_moves: self.legal_moves.then(|| board.legal_moves()),
        }
    }
}

/// What an answer includes, and the board that was asked about.
struct Extension {
    include: Include,
    board: Box<dyn AnyBoard>,
    knowledge: Knowledge,
    /// Whether some of the legal moves alone are searched.
    is_restricted: bool,
}

impl Extension {
    /// The bytes that its searches may come to occupy; none where nothing of it is searched for.
    fn memory(&self) -> Option<usize> {
        let searches = self.include.wanted != Wanted::default();
        searches.then(|| reasons::memory(&*self.board, &self.knowledge))
    }

    fn include(&self) -> Include {
        self.include
    }

    /// The answer, or the answer so far, with values from the view that was asked for.
    fn seen(&self, answer: Answer) -> Answer {
        let is_seen = answer.side_to_move == self.board.game().sides[0];
        if self.include.is_first_view && !is_seen { answer.reversed() } else { answer }
    }

    /// The answer with what it includes. Each legal move is played and written out; reasons are searched for until
    /// `stop` is raised.
    fn extend(&self, answer: Arc<Answer>, stop: &AtomicBool) -> Arc<Answer> {
        let mut answer = Arc::unwrap_or_clone(answer);
        let wanted = self.include.wanted;
        if wanted != Wanted::default() {
            explain(&mut answer, &*self.board, wanted, self.is_restricted, &self.knowledge, stop);
        }
        let mut answer = self.seen(answer);
        match self.include.described {
            Described::Asked => answer.view = Some(Box::new(self.include.view(&*self.board))),
            Described::AfterBestMove => {
                let after = self.board.after(&answer.best_move.text, 0).ok();
                if let Some((state, board)) = answer.after.as_mut().zip(after) {
                    state.view = Some(Box::new(self.include.view(&*board)));
                }
            }
        }
        Arc::new(answer)
    }
}

/// A search whose request has been read, ready to run.
pub struct PreparedSearch {
    search: Box<dyn AnySearch>,
    key: Arc<SearchKey>,
    /// What the answer includes beside. It is no part of the key.
    extension: Option<Extension>,
}

impl PreparedSearch {
    /// A search whose answer includes nothing beside its result.
    pub fn new(search: Box<dyn AnySearch>) -> Self {
        Self { key: Arc::new(search.key()), search, extension: None }
    }

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
    /// What was asked.
    pub key: Arc<SearchKey>,
    /// The answer.
    pub answer: Arc<Answer>,
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
    max_time: Duration,
    knowledge: Knowledge,
}

/// What a search needs until its answer is cached, even if all callers have gone.
struct Core {
    pool: Pool,
    single_flight: SingleFlight,
    metrics: Metrics,
    cache: AnswerCache,
}

impl Service {
    /// A service that takes on as much as `limits` say. The `registry` shows what it counts.
    pub fn new(limits: &ServiceLimits, knowledge: Knowledge, registry: &mut Registry) -> Self {
        let metrics = Metrics::new(registry, limits);
        let (pool, cache) = (Pool::new(limits, &metrics), AnswerCache::new(limits.cache));
        let single_flight = SingleFlight::default();
        let core = Arc::new(Core { pool, single_flight, metrics, cache });
        Self { core, max_time: limits.max_time, knowledge }
    }

    /// Its workers.
    pub fn pool(&self) -> &Pool {
        &self.core.pool
    }

    /// Sets the metrics of what is in use now.
    pub fn update_gauges(&self) {
        let Core { metrics, pool, cache, .. } = &*self.core;
        metrics.set(pool.admission.used_memory(), cache.size());
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
        let search = PreparedSearch::new(board.search(&parameters, &self.knowledge)?);
        let is_plain = Include { described: include.described, ..Include::default() } == include;
        let is_restricted = parameters.search_moves.is_some();
        let knowledge = self.knowledge.clone();
        let extension = Extension { include, board, knowledge, is_restricted };
        Ok(PreparedSearch { extension: (!is_plain).then_some(extension), ..search })
    }

    /// The answer to a search, if it is known and nothing is included that has to be worked out.
    pub fn known(&self, prepared: &PreparedSearch) -> Option<Arc<Answer>> {
        if prepared.extension.is_some() || !prepared.key.is_deterministic() {
            return None;
        }
        self.core.cached(&prepared.key)
    }

    /// The best move of a position. A caller that drops the future stops the search, unless others
    /// wait for it too. The future must be polled without a pause: it may hold a worker.
    ///
    /// # Errors
    /// Where there is no place to search it.
    pub async fn best_move(
        &self,
        mut prepared: PreparedSearch,
        priority: Priority,
    ) -> Result<Found, Failure> {
        let extension = prepared.extension.take();
        let found = self.core.found(prepared, || self.core.pool.caller(priority)).await?;
        let Some(extension) = extension else { return Ok(found) };
        let Found { key, answer, mut timing, origin } = found;
        let pool = &self.core.pool;
        let answer = if let Some(memory) = extension.memory() {
            let extend = move |stop: &_| extension.extend(answer, stop);
            let (answer, more) = pool.run(pool.caller(priority)?, memory, extend).await?;
            timing.queue += more.queue;
            timing.search += more.search;
            answer
        } else {
            pool.run_short(move || extension.extend(answer, &AtomicBool::new(false))).await?
        };
        Ok(Found { key, answer, timing, origin })
    }

    /// The answer to one of several searches of a `caller`. It goes on while the future is not polled.
    async fn found(&self, prepared: PreparedSearch, caller: &Caller) -> Result<Found, Failure> {
        let (core, caller) = (Arc::clone(&self.core), caller.clone());
        let found = async move { core.found(prepared, || Ok(caller)).await };
        let found = AbortOnDropHandle::new(tokio::spawn(found)).await;
        found.map_err(join_failure)?
    }
}

impl Core {
    /// The answer to a search: from the cache, from a search in flight, or from one of its own.
    async fn found(
        self: &Arc<Self>,
        prepared: PreparedSearch,
        caller: impl FnOnce() -> Result<Caller, Overloaded>,
    ) -> Result<Found, Failure> {
        let cached = || {
            let answer = self.cached(&prepared.key)?;
            let (key, timing) = (Arc::clone(&prepared.key), Timing::default());
            Some(Found { key, answer, timing, origin: Origin::Cache })
        };
        if let Some(found) = cached() {
            return Ok(found);
        }
        let caller = caller()?;
        let mut turn = None;
        if caller.priority == Priority::Batch {
            turn = Some(self.pool.admission.batch_turn().await?);
            // Another line may have asked the same.
            if let Some(found) = cached() {
                return Ok(found);
            }
        }
        let found = self.search(prepared, caller).await;
        drop(turn);
        found
    }

    fn cached(&self, key: &SearchKey) -> Option<Arc<Answer>> {
        let answer = self.cache.get(key).filter(|_| key.is_deterministic())?;
        self.metrics.hits.inc();
        Some(answer)
    }

    /// Searches, or joins the same search in flight.
    async fn search(
        self: &Arc<Self>,
        PreparedSearch { search, key, .. }: PreparedSearch,
        caller: Caller,
    ) -> Result<Found, Failure> {
        let (core, kept, memory) = (Arc::clone(self), Arc::clone(&key), search.memory());
        let request = caller.request.clone();
        let run = async move {
            let job = move |stop: &_| Arc::new(search.run(stop));
            let (answer, timing) = core.run(&kept, caller, memory, job).await?;
            if kept.is_deterministic() {
                core.metrics.misses.inc();
                if !answer.is_cut_short() {
                    core.cache.insert(kept, Arc::clone(&answer));
                }
            }
            Ok((answer, timing))
        };
        if !key.is_deterministic() {
            let (answer, timing) = run.await?;
            return Ok(Found { key, answer, timing, origin: Origin::Search });
        }
        let (search, is_shared) = self.single_flight.join_or_start(&key, run);
        let origin = if is_shared { Origin::SharedSearch } else { Origin::Search };
        let mut waiting = Span::none();
        if is_shared {
            self.metrics.shared.inc();
            waiting = steps::wait(&request);
        }
        let (answer, timing) = search.instrument(waiting).await?;
        Ok(Found { key, answer, timing, origin })
    }

    /// Runs a search once it is admitted, and counts it.
    async fn run(
        &self,
        key: &Arc<SearchKey>,
        caller: Caller,
        memory: usize,
        job: impl FnOnce(&AtomicBool) -> Arc<Answer> + Send + 'static,
    ) -> SearchResult {
        let traced = Arc::clone(key);
        let job = move |stop: &_| {
            let answer = job(stop);
            steps::found(&answer, &traced);
            answer
        };
        let (answer, timing) = self.pool.run(caller, memory, job).await?;
        self.metrics.count(key.game, key.variant, &answer.search, timing.search);
        Ok((answer, timing))
    }
}
