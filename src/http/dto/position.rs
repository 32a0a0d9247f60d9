//! The request and the answer of `/position`.

use serde::{Deserialize, Serialize};

use super::Dto;
use super::best_move_request::{Moves, board_request};
use super::board::{LegalMoveObject, MoveObject, Status};
use super::position_text::Position;
use crate::http::problem::Problem;
use crate::service::Service;
use bestmove_engine::game::Cells;
use bestmove_engine::games::any::AnyBoard;

/// The body of `POST /position`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct PositionRequest {
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Moves>,
}

impl Dto for PositionRequest {
    type Typed = Box<dyn AnyBoard>;

    fn typed(self, _: &Service) -> Result<Self::Typed, Problem> {
        Ok(board_request(self.game, self.position, self.moves)?.board()?)
    }
}

/// All that a front end needs to know of a position.
#[derive(Serialize)]
pub(in crate::http) struct PositionAnswer {
    game: &'static str,
    position: String,
    side_to_move: &'static str,
    #[serde(flatten)]
    status: Status,
    board: Cells,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_move: Option<MoveObject>,
    legal_moves: Vec<LegalMoveObject>,
    text: String,
}

impl From<&dyn AnyBoard> for PositionAnswer {
    fn from(board: &dyn AnyBoard) -> Self {
        let there = board.state();
        let status = Status::from(&there);
        Self {
            game: there.game,
            position: there.position,
            side_to_move: there.side_to_move,
            status,
            board: board.cells(),
            last_move: board.last_move().map(MoveObject::from),
            legal_moves: board.legal_moves().into_iter().map(LegalMoveObject::from).collect(),
            text: board.drawing(),
        }
    }
}
