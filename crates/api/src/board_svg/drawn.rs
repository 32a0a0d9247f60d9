//! The content of a picture, read from its request.

use crate::{BoardRequest, Problem, Refusal};
use bestmove_engine::game::{Alert, Cells, GameInfo, Square};
use bestmove_engine::games::any::{AnyBoard, GameStatus, State};

/// The content of a picture: a position, or the cells alone where their text is no position.
pub(super) struct Drawn {
    pub(super) board: Option<Box<dyn AnyBoard>>,
    state: Option<State>,
    pub(super) cells: Cells,
}

impl Drawn {
    /// A picture needs no side to move and no position that a game could reach, unless moves are to be played from it.
    pub(super) fn read(request: &BoardRequest) -> Result<(&'static GameInfo, Self), Problem> {
        let game = request.game()?;
        let drawn = match (request.board(), &request.position) {
            (Ok(board), _) => {
                Self { state: Some(board.state()), cells: board.cells(), board: Some(board) }
            }
            (Err(Refusal::Game(_)), Some(position)) if request.moves.is_empty() => {
                let cells = game.diagram(position).map_err(Problem::from)?;
                Self { board: None, state: None, cells }
            }
            (Err(failure), _) => return Err(failure.into()),
        };
        Ok((game.info(), drawn))
    }

    pub(super) fn title(&self, info: &GameInfo) -> String {
        let title = info.title;
        let Some(state) = &self.state else { return title.to_owned() };
        match &state.status {
            GameStatus::Ongoing => format!("{title}: {} to move", state.side_to_move),
            GameStatus::Won { winner, reason, .. } => {
                format!("{title}: {winner} has won, {reason}")
            }
            GameStatus::Drawn { reason } => format!("{title}: drawn, {reason}"),
        }
    }

    /// The squares that the last move touched.
    pub(super) fn path(&self) -> Vec<Square> {
        let last_move = self.board.as_ref().and_then(|board| board.last_move());
        last_move.map(|last| last.drawing.path).unwrap_or_default()
    }

    /// The squares of the winning line.
    pub(super) fn winning(&self) -> &[Square] {
        match self.state.as_ref().map(|state| &state.status) {
            Some(GameStatus::Won { line, .. }) => line,
            _ => &[],
        }
    }

    /// The square of a king in check.
    pub(super) fn checked(&self) -> Option<Square> {
        match self.state.as_ref()?.alert {
            Some(Alert::Check(king)) => Some(king),
            Some(Alert::MustCapture | Alert::MustPass) | None => None,
        }
    }

    /// The board in characters.
    pub(super) fn text(&self) -> String {
        if let Some(board) = &self.board {
            return board.drawing();
        }
        let rows = self.cells.iter().map(|row| {
            let cells = row.iter().map(|&name| if name.is_empty() { "." } else { name });
            cells.collect::<Vec<_>>().join(" ") + "\n"
        });
        rows.collect()
    }
}
