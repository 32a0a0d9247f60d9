//! The request and the answer of `/position`.

use serde::{Deserialize, Serialize};

use super::position::Position;
use super::request::required;
use super::standing;
use crate::games::any::{AnyBoard, LegalMove, Standing, Terms};
use crate::http::problem::Problem;
use crate::service::Question;

/// The body of `POST /position`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct PositionRequest {
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Vec<String>>,
}

impl TryFrom<PositionRequest> for Question {
    type Error = Problem;

    fn try_from(request: PositionRequest) -> Result<Self, Problem> {
        let game = required(request.game, "game", "the name of a game")?;
        let position = request.position.map(|position| position.0);
        let moves = request.moves.unwrap_or_default();
        Ok(Self { game, position, moves, terms: Terms::default() })
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
