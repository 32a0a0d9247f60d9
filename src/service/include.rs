//! What an answer includes beside the result of the search. It is no part of the search, so it is added to
//! the answer once that is known.

use std::sync::Arc;

use bestmove_engine::games::any::{Answer, AnyBoard, BoardView};

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
