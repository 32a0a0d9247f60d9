//! The texts of a request that describe a position, and how they become a board.

use super::failure::Failure;
use bestmove_engine::game::{PositionText, record_start};
use bestmove_engine::games::any::{AnyBoard, AnyGame, Boards, RequestError};
use bestmove_engine::games::{self, CATALOGUE};

/// The names of all games.
pub fn game_names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|game| game.info().name)
}

/// The texts of a request that describe a position.
#[derive(Clone, Debug)]
pub struct BoardRequest {
    /// The name of the game.
    pub game: String,
    /// The position, or the start of the game.
    pub position: Option<PositionText>,
    /// The moves played from it.
    pub moves: Vec<String>,
    /// Whether they came as a record, one string.
    pub is_record: bool,
}

impl BoardRequest {
    /// The board that the texts describe.
    ///
    /// # Errors
    /// Where there is no such game, or the position or a move can't be read.
    pub fn board(&self) -> Result<Box<dyn AnyBoard>, Failure> {
        self.read(|game| game.board(self.position.as_ref(), &self.moves))
    }

    /// The boards before and after every move.
    ///
    /// # Errors
    /// As [`board`](Self::board).
    pub fn boards(&self) -> Result<Boards, Failure> {
        self.read(|game| game.boards(self.position.as_ref(), &self.moves))
    }

    fn read<T>(
        &self,
        read: impl FnOnce(&dyn AnyGame) -> Result<T, RequestError>,
    ) -> Result<T, Failure> {
        let unknown = || Failure::UnknownGame(self.game.clone());
        let game = games::find(&self.game).ok_or_else(unknown)?;
        Ok(read(game).map_err(|error| if self.is_record { in_record(error) } else { error })?)
    }
}

/// The error for a move that stands in a record.
fn in_record(error: RequestError) -> RequestError {
    match error {
        RequestError::Move { list, index, text, error, allowed, .. } => {
            RequestError::Move { list, index, is_record: true, text, error, allowed }
        }
        other => other,
    }
}

/// The moves of the record of a game that begins in `position`; none where there is no such game.
///
/// # Errors
/// Where the record says that the game begins in another position.
pub fn record_moves(
    game: &str,
    position: Option<&PositionText>,
    record: &str,
) -> Result<Vec<String>, Failure> {
    let Some(game) = games::find(game) else { return Ok(Vec::new()) };
    if let Some(start) = record_start(record) {
        let begins = |position: Option<&PositionText>| game.board(position, &[]);
        let tagged = begins(Some(&PositionText::Text(start.clone())));
        if tagged.map(|board| board.state().position).ok()
            != Some(begins(position)?.state().position)
        {
            let detail = format!(
                "its tag FEN says that the game begins in '{start}': give that as position"
            );
            return Err(RequestError::Choice { field: "moves", detail, allowed: Vec::new() }.into());
        }
    }
    Ok(game.read_record(record))
}
