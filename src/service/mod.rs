//! One request's way, without HTTP: is the answer known? If not, find the game, read the board,
//! admit the search, run it.

mod answers;
mod batch;
mod flights;
mod histogram;
mod memory;
mod metrics;
mod pool;
mod question;
mod studies;
mod turns;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use self::answers::Answers;
pub use self::answers::{Finished, Summary, Writer};
use self::flights::{Flight, Flights, Landed};
pub use self::histogram::Histogram;
pub use self::metrics::Metrics;
pub use self::pool::{Overloaded, Pool, Timing};
pub use self::question::Question;
pub use self::studies::board;
pub use self::watch::{Event, Watch};
use crate::games::CATALOGUE;
use crate::games::any::{AnySearch, Refusal, Terms};

/// How much the service takes on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Searches that run at once.
    pub workers: usize,
    /// Searches that may wait for a worker.
    pub queue: usize,
    /// The bytes that the tables of all running searches may occupy: no fewer than
    /// [`MOST_MEMORY`](crate::search::MOST_MEMORY).
    pub memory: usize,
    /// The time after which any search is stopped.
    pub max_time: Duration,
    /// The bytes that kept answers may occupy; none are kept where it is 0.
    pub kept_bytes: u64,
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
    /// It was kept.
    Kept,
}

/// Why there is no answer.
#[derive(Clone, Debug, Error)]
pub enum Failure {
    /// No game has this name.
    #[error("there is no game '{0}'")]
    UnknownGame(String),
    /// The game refuses the request.
    #[error("the request is refused: {0:?}")]
    Refused(Refusal),
    /// The decision tree is past its limit: how.
    #[error("the tree {0}")]
    TooLargeATree(String),
    /// There is no place for another search.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// The search panicked: a fault of ours.
    #[error("the search panicked: {0}")]
    Panicked(String),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// The service: all games behind one pool of workers.
pub struct Service {
    desk: Arc<Desk>,
    flights: Flights,
    max_time: Duration,
}

/// What a search needs until its answer is kept, even if all others have gone.
struct Desk {
    pool: Pool,
    metrics: Metrics,
    answers: Answers,
    write: Writer,
}

impl Service {
    /// A service that takes on as much as `limits` say, and writes its answers down like this.
    #[must_use]
    pub fn new(limits: &Limits, write: Writer) -> Self {
        let metrics = Metrics::default();
        let pool = Pool::new(limits, metrics.clone());
        let answers = Answers::new(limits.kept_bytes);
        let desk = Arc::new(Desk { pool, metrics, answers, write });
        Self { desk, flights: Flights::default(), max_time: limits.max_time }
    }

    /// Its workers.
    pub fn pool(&self) -> &Pool {
        &self.desk.pool
    }

    /// What it counts.
    pub fn metrics(&self) -> &Metrics {
        &self.desk.metrics
    }

    /// How many answers are kept, and the bytes that they occupy.
    pub fn kept(&self) -> (u64, u64) {
        self.desk.answers.size()
    }

    /// The best move of a position. A caller that drops the future stops the search, unless others
    /// wait for it too.
    ///
    /// # Errors
    /// Where the question can't be read, the game is over, or there is no place to search it.
    pub async fn best_move(&self, question: Question) -> Result<Found, Failure> {
        if !question.is_deterministic() {
            let (answer, timing) = self.desk.answer(self.search(&question)?).await?;
            return Ok(Found { answer, timing, origin: Origin::Search });
        }
        if let Some(answer) = self.desk.answers.get(&question) {
            self.desk.metrics.hits.inc();
            return Ok(Found { answer, timing: Timing::default(), origin: Origin::Kept });
        }
        let (flight, origin) = match self.flights.boarded(&question) {
            Some(flight) => (flight, Origin::SharedSearch),
            None => self.departed(question)?,
        };
        let Metrics { shared, misses, .. } = &self.desk.metrics;
        if origin == Origin::SharedSearch { shared } else { misses }.inc();
        let (answer, timing) = flight.await?;
        Ok(Found { answer, timing, origin })
    }

    /// A search of its own for a question, which others may join.
    fn departed(&self, question: Question) -> Result<(Flight, Origin), Failure> {
        let search = self.search(&question)?;
        let (desk, question) = (Arc::clone(&self.desk), Arc::new(question));
        let asked = Arc::clone(&question);
        Ok(self.flights.depart(asked, async move { desk.kept_answer(question, search).await }))
    }

    /// Makes sure that a question can be answered, without doing so.
    ///
    /// # Errors
    /// Where it can't be read, or the game is over.
    pub fn check(&self, question: &Question) -> Result<(), Failure> {
        if question.is_deterministic() && self.desk.answers.get(question).is_some() {
            return Ok(());
        }
        self.search(question).map(drop)
    }

    fn search(&self, question: &Question) -> Result<Box<dyn AnySearch>, Failure> {
        let terms = Terms { time_limit: Some(self.max_time), ..question.terms.clone() };
        Ok(board(question)?.search(&terms)?)
    }
}

impl Desk {
    /// Searches, and writes down what was found.
    async fn answer(&self, search: Box<dyn AnySearch>) -> Landed {
        let (write, memory) = (self.write, search.memory());
        let job = move |stop: &_| Finished::new(&search.run(stop), write);
        let (answer, timing) = self.pool.run(memory, job).await?;
        self.metrics.count(&answer.summary, timing.search);
        Ok((Arc::new(answer), timing))
    }

    /// Searches, and keeps the answer if another search would find the same.
    async fn kept_answer(&self, question: Arc<Question>, search: Box<dyn AnySearch>) -> Landed {
        let (answer, timing) = self.answer(search).await?;
        if !answer.is_cut_short() {
            self.answers.keep(question, Arc::clone(&answer));
        }
        Ok((answer, timing))
    }
}

/// The names of all games.
pub fn game_names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|game| game.about().name)
}
