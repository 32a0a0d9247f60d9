//! Answers: what they include beside the result of the search, how they are written, and what the log says of them.
//!
//! What is included is no part of the search, so it is added to the answer once that is known.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;

use super::{Failure, Pool, Timing};
use bestmove_engine::games::any::{Answer, AnyBoard, BoardView, SearchKey, State};

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

/// What is included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Include {
    /// The legal moves.
    pub legal_moves: bool,
    /// The board in rows of cells.
    pub board: bool,
    /// The position that they describe.
    pub described: Described,
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
pub(super) struct Extension {
    include: Include,
    board: Box<dyn AnyBoard>,
}

impl Extension {
    /// None where nothing is included.
    pub(super) fn new(include: Include, board: Box<dyn AnyBoard>) -> Option<Self> {
        (include.legal_moves || include.board).then_some(Self { include, board })
    }

    pub(super) fn include(&self) -> Include {
        self.include
    }

    /// The answer with what it includes. Each legal move is played and written out.
    pub(super) fn extend(&self, answer: Arc<Answer>) -> Arc<Answer> {
        let mut answer = Arc::unwrap_or_clone(answer);
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

/// All that a front end needs to know of a position.
#[derive(Serialize)]
pub struct PositionAnswer {
    game: &'static str,
    #[serde(flatten)]
    state: State,
    /// The board in characters.
    text: String,
}

impl From<&dyn AnyBoard> for PositionAnswer {
    fn from(board: &dyn AnyBoard) -> Self {
        let all = Include { legal_moves: true, board: true, ..Include::default() };
        let view = Some(Box::new(all.view(board)));
        let state = State { view, ..board.state() };
        Self { game: board.game().name, state, text: board.drawing() }
    }
}

/// `value` as JSON. The types of this service always have one.
pub fn to_json<T: Serialize>(value: &T) -> String {
    /// The bytes of a usual answer.
    const USUAL: usize = 512;
    let mut json = Vec::with_capacity(USUAL);
    let written = serde_json::to_writer(&mut json, value);
    written.ok().and_then(|()| String::from_utf8(json).ok()).unwrap_or_default()
}

impl Pool {
    /// An answer as JSON. A large one is written on the blocking pool.
    ///
    /// # Errors
    /// Where too much waits already for the blocking pool.
    pub async fn answer_json(&self, answer: Arc<Answer>) -> Result<Bytes, Failure> {
        /// The bytes of an answer that is written within some tens of microseconds.
        const LARGE: usize = 32 << 10;
        if answer.weight() < LARGE {
            return Ok(to_json(&*answer).into());
        }
        self.run_short(move || to_json(&*answer).into()).await
    }
}

/// Writes the line of the log about an answer, and about what was found where that was searched for.
pub fn log_answer(status: u16, time: Duration, found: Option<&Found>) {
    let micros = time.as_micros() as u64;
    let Some(Found { key, answer, timing, origin }) = found else {
        // Operators select lines by their targets.
        tracing::info!(target: "bestmove::http::middleware", status, micros, "answered");
        return;
    };
    tracing::info!(
        target: "bestmove::http::search_record",
        status,
        micros,
        game = key.game,
        depth_limit = key.depth,
        nodes_limit = key.nodes,
        time_limit_ms = key.time.map(|time| time.as_millis() as u64),
        algorithm = answer.search.algorithm.name(),
        depth = answer.search.depth,
        nodes = answer.search.nodes,
        stopped_by = answer.search.stopped_by.name(),
        answer = match origin {
            Origin::Search => "searched",
            Origin::SharedSearch => "shared",
            Origin::Cache => "cached",
        },
        queue_micros = timing.queue.as_micros() as u64,
        search_micros = timing.search.as_micros() as u64,
        "answered"
    );
}
