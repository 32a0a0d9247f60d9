//! The request and the answer of `/position`.

use serde::{Deserialize, Serialize};

use super::best_move_request::board_request;
use super::position_text::Position;
use super::{Dto, standing};
use crate::games::any::{AnyBoard, LegalMove, Standing};
use crate::http::problem::Problem;
use crate::service::Service;

/// The body of `POST /position`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct PositionRequest {
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Vec<String>>,
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
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_move_san: Option<String>,
    legal_moves: Vec<Choice>,
    text: String,
}

/// A legal move.
#[derive(Serialize)]
struct Choice {
    r#move: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<String>,
    position: String,
    state: &'static str,
}

impl From<&dyn AnyBoard> for PositionAnswer {
    fn from(board: &dyn AnyBoard) -> Self {
        let there = board.state();
        let (state, winner, reason) = standing(&there.standing);
        let last = board.last_move();
        Self {
            game: there.game,
            position: there.position,
            side_to_move: there.side_to_move,
            state,
            winner,
            reason,
            last_move_san: last.as_ref().and_then(|last| last.san.clone()),
            last_move: last.map(|last| last.text),
            legal_moves: board.legal_moves().into_iter().map(Choice::from).collect(),
            text: board.drawing(),
            line: match there.standing {
                Standing::Won { line, .. } => line,
                Standing::Ongoing | Standing::Drawn { .. } => Vec::new(),
            },
        }
    }
}

impl From<LegalMove> for Choice {
    fn from(LegalMove { mv, after, like }: LegalMove) -> Self {
        let (state, ..) = standing(&after.standing);
        Self { r#move: mv.text, san: mv.san, like, position: after.position, state }
    }
}
