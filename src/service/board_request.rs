//! The texts of a request that describe a position, and how they become a board.

use super::failure::Failure;
use bestmove_engine::game::{Place, PositionText, Record};
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
    /// Where each move stands, if they came as one string.
    pub places: Option<Vec<Place>>,
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
        Ok(read(game).map_err(|error| match &self.places {
            Some(places) => in_record(error, places),
            None => error,
        })?)
    }
}

/// The error for a move that stands in a record.
fn in_record(error: RequestError, places: &[Place]) -> RequestError {
    match error {
        RequestError::Move { list: list @ "moves", index, text, error, allowed, .. } => {
            let place = Some(places.get(index).copied().unwrap_or(Place { line: 1, column: 1 }));
            RequestError::Move { list, index, place, text, error, allowed }
        }
        other => other,
    }
}

/// The position and the moves of the record of a game that begins in `position`, or where its tag `FEN` says.
///
/// # Errors
/// Where the record is unreadable, or its tag names another position than `position`.
pub fn read_record(
    game: &str,
    position: Option<PositionText>,
    text: &str,
) -> Result<BoardRequest, Failure> {
    let request = |position, moves, places| BoardRequest {
        game: game.to_owned(),
        position,
        moves,
        places: Some(places),
    };
    let Some(known) = games::find(game) else {
        return Ok(request(position, Vec::new(), Vec::new()));
    };
    let record = known.read_record(text).map_err(|error| refused("moves", error.0))?;
    let Record { start, moves, places, last_comment } = record;
    let position = match start {
        Some(start) => Some(tagged_start(known, position, start)?),
        None => position,
    };
    let request = request(position, moves, places);
    if let Some((words, place)) = last_comment.filter(|(words, _)| !words.is_empty()) {
        let moves = [&request.moves[..], &words].concat();
        if known.board(request.position.as_ref(), &moves).is_ok() {
            let detail = format!(
                "the ';' at {place} begins a comment, but moves of the game follow it: write commas between \
                 moves, and braces around comments"
            );
            return Err(refused("moves", detail));
        }
    }
    Ok(request)
}

/// The moves of a text that lists moves to choose from.
///
/// # Errors
/// Where the text is unreadable.
pub fn read_choices(game: &str, text: &str) -> Result<Vec<String>, Failure> {
    let Some(game) = games::find(game) else { return Ok(Vec::new()) };
    let record = game.read_record(text).map_err(|error| refused("search_moves", error.0))?;
    Ok(record.moves)
}

/// The start that the tag `FEN` of a record names, which `position` may repeat.
fn tagged_start(
    game: &dyn AnyGame,
    position: Option<PositionText>,
    start: String,
) -> Result<PositionText, Failure> {
    let tagged = PositionText::Text(start);
    let written = |position| game.board(Some(position), &[]).map(|board| board.state().position);
    let start = written(&tagged).map_err(|error| match error {
        RequestError::Position(error) => refused("moves", format!("its tag FEN: {error}")),
        other => other.into(),
    })?;
    if let Some(position) = position {
        let given = written(&position)?;
        if given != start {
            let detail = format!(
                "its tag FEN says that the game begins in '{start}', but position is '{given}': leave one of \
                 them out"
            );
            return Err(refused("moves", detail));
        }
    }
    Ok(tagged)
}

fn refused(field: &'static str, detail: String) -> Failure {
    RequestError::Choice { field, detail, allowed: Vec::new() }.into()
}
