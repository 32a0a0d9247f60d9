//! What an answer includes beside the result of the search. It is no part of the search, so it is added to
//! the answer once that is known.

use std::sync::Arc;

use bytes::Bytes;

use super::{Finished, Writer};
use bestmove_engine::games::any::AnyBoard;

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

/// How answers are serialised.
#[derive(Clone, Copy)]
pub struct Writers {
    /// Serialises an answer.
    pub answer: Writer,
    /// Adds the description of a board to a serialised answer.
    pub extend: fn(&Bytes, &dyn AnyBoard, Include) -> Bytes,
}

/// What an answer includes, and the board that it describes.
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
}

/// The answer with what it includes.
pub(super) fn extended(
    answer: Arc<Finished>,
    extension: Option<Extension>,
    writers: Writers,
) -> Arc<Finished> {
    let Some(Extension { include, board }) = extension else { return answer };
    let board = match include.described {
        Described::Asked => board,
        Described::AfterBestMove => match board.after(&answer.best.mv.text, 0) {
            Ok(after) => after,
            // The best move is legal.
            Err(_) => return answer,
        },
    };
    let body = (writers.extend)(&answer.body, &*board, include);
    Arc::new(Finished { body, summary: answer.summary, best: answer.best.clone() })
}
