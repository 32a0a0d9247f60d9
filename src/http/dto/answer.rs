//! The answers that are no types of the engine or the service, and how all of them are written.

use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;

use crate::service::{Failure, Include, Pool, ReviewedMove};
use bestmove_engine::games::any::{Answer, AnyBoard, State};

/// `value` as JSON. The types of this service always have one.
pub(in crate::http) fn json<T: Serialize>(value: &T) -> String {
    /// The bytes of a usual answer.
    const USUAL: usize = 512;
    let mut json = Vec::with_capacity(USUAL);
    let written = serde_json::to_writer(&mut json, value);
    written.ok().and_then(|()| String::from_utf8(json).ok()).unwrap_or_default()
}

/// An answer as JSON. A large one is written on the blocking pool.
///
/// # Errors
/// Where too much waits already for the blocking pool.
pub(in crate::http) async fn answer_json(
    pool: &Pool,
    answer: Arc<Answer>,
) -> Result<Bytes, Failure> {
    /// The bytes of an answer that is written within some tens of microseconds.
    const LARGE: usize = 32 << 10;
    if answer.weight() < LARGE {
        return Ok(json(&*answer).into());
    }
    pool.run_short(move || json(&*answer).into()).await
}

/// All that a front end needs to know of a position: the answer of `/position`.
#[derive(Serialize)]
pub(in crate::http) struct PositionAnswer {
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

/// A move that has been reviewed, while the review goes on.
#[derive(Serialize)]
pub(in crate::http) struct ReviewProgress<'a> {
    /// How many moves are reviewed.
    pub(in crate::http) reviewed: usize,
    /// How many moves there are.
    pub(in crate::http) plies: usize,
    pub(in crate::http) r#move: &'a ReviewedMove,
}
