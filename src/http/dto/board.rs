//! The board and its moves as a front end draws them, and the answer of `/position`.

use axum::body::Bytes;
use serde::Serialize;

use super::json;
use crate::service::{Described, Include};
use bestmove_engine::game::{Alert, Cells, MoveDrawing, Square};
use bestmove_engine::games::any::{AnyBoard, GameStatus, LegalMove, ShownMove, State};

/// A row from the top and a column from the left.
type Place = [u8; 2];

fn place(Square { row, column }: Square) -> Place {
    [row, column]
}

fn places(squares: Vec<Square>) -> Vec<Place> {
    squares.into_iter().map(place).collect()
}

/// How a game stands.
#[derive(Serialize)]
pub(super) struct Status {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<Place>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    check: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<Place>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    must_capture: bool,
}

impl From<&State> for Status {
    fn from(there: &State) -> Self {
        let (state, winner, reason) = status(&there.status);
        let line = match &there.status {
            GameStatus::Won { line, .. } => line.iter().copied().map(place).collect(),
            GameStatus::Ongoing | GameStatus::Drawn { .. } => Vec::new(),
        };
        let checked = match there.alert {
            Some(Alert::Check(king)) => Some(place(king)),
            Some(Alert::MustCapture) | None => None,
        };
        Self {
            state,
            winner,
            reason,
            claim: there.claim,
            line,
            check: checked.is_some(),
            checked,
            must_capture: there.alert == Some(Alert::MustCapture),
        }
    }
}

/// The name of a status, the winner and the reason.
pub(in crate::http) fn status(
    status: &GameStatus,
) -> (&'static str, Option<&'static str>, Option<&'static str>) {
    match *status {
        GameStatus::Ongoing => ("ongoing", None, None),
        GameStatus::Won { winner, reason, .. } => ("won", Some(winner), Some(reason)),
        GameStatus::Drawn { reason } => ("drawn", None, Some(reason)),
    }
}

/// A move, and what it does to the board.
#[derive(Serialize)]
pub(super) struct MoveObject {
    r#move: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    path: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    captures: Vec<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<Place>,
}

impl From<ShownMove> for MoveObject {
    fn from(ShownMove { text, drawing }: ShownMove) -> Self {
        let MoveDrawing { path, captures, promotion, also } = drawing;
        Self {
            r#move: text.text,
            san: text.san,
            path: places(path),
            captures: places(captures),
            promotion,
            also: places(also),
        }
    }
}

/// A legal move, and where it leads.
#[derive(Serialize)]
pub(super) struct LegalMoveObject {
    #[serde(flatten)]
    mv: MoveObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetric_to: Option<String>,
    position: String,
    #[serde(flatten)]
    status: Status,
}

impl From<LegalMove> for LegalMoveObject {
    fn from(LegalMove { mv: text, drawing, after, symmetric_to }: LegalMove) -> Self {
        let status = Status::from(&after);
        Self {
            mv: ShownMove { text, drawing }.into(),
            symmetric_to,
            position: after.position,
            status,
        }
    }
}

/// What `include` adds to an answer.
#[derive(Serialize)]
struct Extension {
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Cells>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_move: Option<MoveObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal_moves: Option<Vec<LegalMoveObject>>,
}

/// Adds the description of a board to an answer: to its last member, `after`, or where the position
/// asked about is described, to the answer itself. A cached answer is extended without being read.
pub(in crate::http) fn extend_json(
    answer: &Bytes,
    board: &dyn AnyBoard,
    include: Include,
) -> Bytes {
    let legal_moves = || board.legal_moves().into_iter().map(LegalMoveObject::from).collect();
    let extension = json(&Extension {
        board: include.board.then(|| board.cells()),
        last_move: include.board.then(|| board.last_move().map(MoveObject::from)).flatten(),
        legal_moves: include.legal_moves.then(legal_moves),
    });
    let closing: &[u8] = match include.described {
        Described::AfterBestMove => b"}}",
        Described::Asked => b"}",
    };
    let Some(open) = answer.strip_suffix(closing) else { return answer.clone() };
    let members = extension.trim_start_matches('{').as_bytes();
    [open, b",", members, &closing[1..]].concat().into()
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
