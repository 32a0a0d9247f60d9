//! The notations of a game: the text of positions and moves.

use thiserror::Error;

use super::{Cells, MoveText, Position};

/// The move of a game.
pub type MoveOf<G> = <<G as Notation>::Position as Position>::Move;

/// How the positions and moves of a game are written.
///
/// ```
/// use bestmove_engine::game::{Game, MoveError, Notation};
/// use bestmove_engine::games::chess::Chess;
/// let start = Chess::Standard.start();
/// let knight = Chess::read_move(&start, "Nf3")?;
/// let written = Chess::write_move(&start, knight);
/// assert_eq!((written.text.as_str(), written.san.as_deref()), ("g1f3", Some("Nf3")));
/// assert!(Chess::read_move(&start, "Nf4").is_err());
/// # Ok::<_, MoveError>(())
/// ```
pub trait Notation: Copy + Send + Sync + 'static {
    /// The rules.
    type Position: Position;

    /// Reads a position in the game's notation.
    ///
    /// # Errors
    /// Says what is unreadable, or why no game could reach the position.
    fn read_position(&self, text: &PositionText) -> Result<Self::Position, PositionError>;

    /// The moves that a text plays from the start, where the game also takes such texts as
    /// positions; `None` for any other text.
    ///
    /// # Errors
    /// Says which of them is unreadable or illegal.
    fn read_played(&self, text: &str) -> Option<Result<Vec<MoveOf<Self>>, PositionError>> {
        let _ = text;
        None
    }

    /// The cells that a text in the game's notation shows, for a picture: no side need be to move, and no game need
    /// reach them. `None` for a text that [`read_diagram`](super::read_diagram) reads.
    ///
    /// # Errors
    /// Says what is unreadable.
    fn read_diagram(&self, text: &PositionText) -> Option<Result<Cells, PositionError>> {
        let _ = text;
        None
    }

    /// Writes a position so that [`read_position`](Self::read_position) reads it back.
    fn write_position(position: &Self::Position) -> String;

    /// Reads a move that is legal in an unfinished `position`.
    ///
    /// # Errors
    /// Says what is unreadable, ambiguous or illegal.
    fn read_move(position: &Self::Position, text: &str) -> Result<MoveOf<Self>, MoveError>;

    /// Writes a legal move of `position` so that [`read_move`](Self::read_move) reads it back, in every notation that the game
    /// has.
    fn write_move(position: &Self::Position, mv: MoveOf<Self>) -> MoveText;
}

/// A position as a caller writes it.
///
/// ```
/// use bestmove_engine::game::{Game, Notation, PositionError, PositionText};
/// use bestmove_engine::games::tic_tac_toe::TicTacToe;
/// let rows = [["X", "", ""], ["", "O", ""], ["", "", ""]];
/// let rows: Vec<Vec<String>> = rows.map(|row| row.map(String::from).to_vec()).to_vec();
/// let text = TicTacToe::STANDARD.read_position(&PositionText::Text("X...O.... X".to_owned()))?;
/// assert_eq!(TicTacToe::STANDARD.read_position(&PositionText::Rows(rows.clone()))?, text);
/// let side_to_move = "X".to_owned();
/// assert_eq!(TicTacToe::STANDARD.read_position(&PositionText::Board { rows, side_to_move })?, text);
/// assert_eq!(TicTacToe::write_position(&text), "X...O.... X");
/// # Ok::<_, PositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PositionText {
    /// In the standard notation of the game, such as FEN.
    Text(String),
    /// As rows of cells from the top, for games on a grid; an empty cell may be an empty string.
    Rows(Vec<Vec<String>>),
    /// As [`Drawing::cells`](super::Drawing::cells) shows it, in every game; [`read_cells`](super::read_cells) helps to read it.
    Board {
        /// The rows from the top; an empty cell is an empty string.
        rows: Vec<Vec<String>>,
        /// The name of the side to move.
        side_to_move: String,
    },
}

impl PositionText {
    /// The text, where the position is written as one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

/// A position that is unreadable, or that no game could reach: says what to change.
///
/// ```
/// use bestmove_engine::game::{Game, Notation, PositionText};
/// use bestmove_engine::games::chess::Chess;
/// let text = PositionText::Text("8/8/8/8/8/8/8/K7 w - -".to_owned());
/// let error = Chess::Standard.read_position(&text).unwrap_err();
/// assert!(error.to_string().contains("king"), "{error}");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct PositionError(pub String);

/// A move that is unreadable or illegal: says why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct MoveError(pub String);
