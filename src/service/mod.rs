//! One request's way, without HTTP: find the game, read the board, admit the search, run it.

mod metrics;
mod pool;

use std::time::Duration;

use thiserror::Error;

pub use self::metrics::{Metrics, durations};
pub use self::pool::{Overloaded, Pool, Timing};
use crate::game::PositionText;
use crate::games::any::{Answer, AnyBoard, Refusal, Terms};
use crate::games::{self, CATALOGUE};

/// How much the service takes on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Searches that run at once.
    pub workers: usize,
    /// Searches that may wait for a worker.
    pub queue: usize,
    /// The time after which any search is stopped.
    pub max_time: Duration,
}

/// A position to search, as a caller wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The name of the game.
    pub game: String,
    /// The position, or the start of the game.
    pub position: Option<PositionText>,
    /// The moves played from it.
    pub moves: Vec<String>,
    /// How to search it.
    pub terms: Terms,
}

/// What was found out, and how long that took.
#[derive(Debug)]
pub struct Found {
    /// The answer.
    pub answer: Answer,
    /// The time spent on it.
    pub timing: Timing,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum Failure {
    /// No game has this name.
    #[error("there is no game '{0}'")]
    UnknownGame(String),
    /// The game refuses the request.
    #[error("the request is refused: {0:?}")]
    Refused(Refusal),
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
    pool: Pool,
    metrics: Metrics,
    max_time: Duration,
}

impl Service {
    /// A service that takes on as much as `limits` say.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        let metrics = Metrics::default();
        let pool = Pool::new(limits.workers, limits.queue, metrics.clone());
        Self { pool, metrics, max_time: limits.max_time }
    }

    /// Its workers.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// What it counts.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The best move of a position. A caller that drops the future stops the search.
    ///
    /// # Errors
    /// Where the question can't be read, the game is over, or there is no place to search it.
    pub async fn best_move(&self, question: Question) -> Result<Found, Failure> {
        let terms = Terms { time_limit: Some(self.max_time), ..question.terms };
        let board = board(&question.game, question.position.as_ref(), &question.moves)?;
        let search = board.search(&terms)?;
        let (answer, timing) = self.pool.run(move |stop| search.run(stop)).await?;
        self.metrics.count(&answer, timing.search);
        Ok(Found { answer, timing })
    }
}

fn board(
    game: &str,
    position: Option<&PositionText>,
    moves: &[String],
) -> Result<Box<dyn AnyBoard>, Failure> {
    let game = games::find(game).ok_or_else(|| Failure::UnknownGame(game.to_owned()))?;
    Ok(game.board(position, moves)?)
}

/// The names of all games.
pub fn game_names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|game| game.about().name)
}
