//! The games and their searches for pages that play without a server.
//!
//! A page writes a request as JSON into the memory that [`buffer`] names, and calls [`ask`]. The answer is JSON at the same
//! place; `buffer(0)` names it anew. There are no threads and no clock, so searches have limits of depth and nodes.

use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex, PoisonError};

use bestmove_engine::game::PositionText;
use bestmove_engine::games::any::{Answer, LegalMove, RequestError, SearchParameters, State};
use bestmove_engine::games::{self, Knowledge};
use serde::{Deserialize, Serialize};

/// The greatest number of positions of a search where the request names no limit: some tenths of a second.
const NODES: u64 = 100_000;

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// What a game knows beside its rules, or which file is damaged.
static KNOWLEDGE: LazyLock<Result<Knowledge, String>> =
    LazyLock::new(|| games::load_knowledge(None).map_err(|error| error.to_string()));

/// A request, with the field names of `POST /best-move`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageRequest {
    game: String,
    variant: Option<String>,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    depth: Option<u64>,
    nodes: Option<u64>,
    /// Whether the best move is searched.
    #[serde(default)]
    search: bool,
}

/// The position, and the best move where that was asked for.
#[derive(Serialize)]
struct Answered {
    drawing: String,
    state: State,
    legal_moves: Vec<LegalMove>,
    answer: Option<Answer>,
}

/// Answers a request in JSON by an answer in JSON; an error is `{"error": "…"}`.
pub fn answer(request: &[u8]) -> String {
    let request = serde_json::from_slice(request).map_err(|error| error.to_string());
    let answered = request.and_then(answered);
    let text =
        answered.and_then(|it| serde_json::to_string(&it).map_err(|error| error.to_string()));
    text.unwrap_or_else(|error| serde_json::json!({ "error": error }).to_string())
}

fn answered(request: PageRequest) -> Result<Answered, String> {
    let described = |error: RequestError| format!("{error:#}");
    let standard = games::find(&request.game);
    let game = match request.variant {
        None => standard,
        Some(name) => games::variants(&request.game).find(|game| game.info().variant == name),
    };
    let game = game.ok_or("there is no such game or variant")?;
    let position = request.position.map(PositionText::Text);
    let board = game.board(position.as_ref(), &request.moves).map_err(described)?;
    let nodes = request.nodes.or(request.depth.is_none().then_some(NODES));
    let parameters =
        SearchParameters { depth: request.depth, nodes, ..SearchParameters::default() };
    let knowledge = KNOWLEDGE.as_ref().map_err(String::clone)?;
    let search = request.search.then(|| board.search(&parameters, knowledge)).transpose();
    let search = search.map_err(described)?;
    Ok(Answered {
        drawing: board.drawing(),
        state: board.state(),
        legal_moves: board.legal_moves(),
        answer: search.map(|search| search.run(&AtomicBool::new(false))),
    })
}

/// The place for a request of `length` bytes, or of the answer where `length` is 0.
#[expect(unsafe_code, reason = "the page calls it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn buffer(length: usize) -> *mut u8 {
    let mut buffer = BUFFER.lock().unwrap_or_else(PoisonError::into_inner);
    if length > 0 {
        *buffer = vec![0; length];
    }
    buffer.as_mut_ptr()
}

/// Answers the request that was written; returns the bytes of the answer.
#[expect(unsafe_code, reason = "the page calls it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    let mut buffer = BUFFER.lock().unwrap_or_else(PoisonError::into_inner);
    *buffer = answer(&buffer).into_bytes();
    buffer.len()
}
