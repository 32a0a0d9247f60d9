//! Names and notations of a game: what is asked once a request.

use std::io;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::{
    Alert, BoardStyle, Cells, LEVEL_COUNT, Level, Motif, MoveDrawing, MoveText, Piece, Position,
    ReasonKind, SelectiveHooks, SolverHooks, Square,
};
use crate::network::NetworkSize;

/// A game as its players know it: its names, its notations and its evaluators.
///
/// A value is a variant of the game, such as one size of the board. A position knows to which variant it belongs.
///
/// ```
/// use bestmove_engine::game::{Alert, Game, MoveError, Position, Square};
/// use bestmove_engine::games::chess::Chess;
///
/// let mut position = Chess::Standard.start();
/// for text in ["e4", "e7e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"] {
///     let mv = Chess::read_move(&position, text)?;
///     position = position.play(mv);
/// }
/// assert_eq!(Chess::ending(&position).reason, "checkmate");
/// assert_eq!(Chess::alert(&position), Some(Alert::Check(Square { row: 0, column: 4 })));
/// assert_eq!(Chess::cells(&position)[1][5], "Q");
///
/// let start = Chess::Standard.start();
/// let knight = Chess::read_move(&start, "Nf3")?;
/// let written = Chess::write_move(&start, knight);
/// assert_eq!((written.text.as_str(), written.san.as_deref()), ("g1f3", Some("Nf3")));
/// assert!(Chess::read_move(&start, "Nf4").is_err());
/// # Ok::<_, MoveError>(())
/// ```
pub trait Game: Copy + Send + Sync + 'static {
    /// Its rules.
    type Position: Position;
    /// Its evaluators: one type that dispatches on the name.
    type Evaluator: SelectiveHooks<Self::Position> + SolverHooks<Self::Position>;

    /// What its evaluators read from knowledge files: books, endgame tables, networks. The default value
    /// stands for none.
    type Knowledge: Default + Send + Sync + 'static;

    /// The variants that have this type, at least one. Where one of them is the standard one, it comes first.
    const VARIANTS: &'static [Self];

    /// What the variant says about itself.
    fn game_info(&self) -> &'static GameInfo;

    /// The position in which a game begins.
    fn start(&self) -> Self::Position;

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
    fn read_played(
        &self,
        text: &str,
    ) -> Option<Result<Vec<<Self::Position as Position>::Move>, PositionError>> {
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
    fn read_move(
        position: &Self::Position,
        text: &str,
    ) -> Result<<Self::Position as Position>::Move, MoveError>;

    /// Writes a legal move of `position` so that [`read_move`](Self::read_move) reads it back, in every notation that the game
    /// has.
    fn write_move(position: &Self::Position, mv: <Self::Position as Position>::Move) -> MoveText;

    /// The evaluator of that name, one of [`GameInfo::evaluators`]; `None` of any other name, and where `knowledge` lacks the
    /// network of the evaluator.
    fn evaluator(name: &str, knowledge: &Arc<Self::Knowledge>) -> Option<Self::Evaluator>;

    /// The rows of the board from the top.
    fn cells(position: &Self::Position) -> Cells;

    /// What a legal move does to the cells of `position`.
    fn drawn_move(position: &Self::Position, mv: <Self::Position as Position>::Move)
    -> MoveDrawing;

    /// What the side to move has to heed in `position`.
    fn alert(position: &Self::Position) -> Option<Alert> {
        let _ = position;
        None
    }

    /// The position if the side to move could pass: it shows what the other side threatens. None where passing makes
    /// no sense, as in check.
    fn passed(position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// The motifs of a legal move, of the [kinds](GameInfo::motifs) that the game finds, the most important first.
    fn motifs(position: &Self::Position, mv: <Self::Position as Position>::Move) -> Vec<Motif> {
        let _ = (position, mv);
        Vec::new()
    }

    /// The board drawn in characters, on several lines, the last one ended too.
    fn drawing(position: &Self::Position) -> String;

    /// Why the game has ended in `position`, whose outcome is decided or whose move counter has
    /// drawn it.
    fn ending(position: &Self::Position) -> Ending;

    /// Reads the knowledge files of the game: those that are part of the program, but for `files`.
    ///
    /// # Errors
    /// Names the file that is damaged.
    fn load_knowledge(files: KnowledgeFiles) -> io::Result<Self::Knowledge> {
        let _ = files;
        Ok(Self::Knowledge::default())
    }
}

/// Files that a game reads beside those that are part of the program. A game is given only what its [`GameInfo`] says that it
/// takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnowledgeFiles<'a> {
    /// A plain endgame table, of at most [`GameInfo::table_pieces`].
    pub table: Option<&'a Path>,
    /// The content of a file of networks, in the place of the embedded ones.
    pub networks: Option<&'a [u8]>,
}

/// What a game says about itself.
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::othello::Othello;
/// let [standard, six] = [Othello::Standard, Othello::Six].map(|game| game.game_info());
/// assert_eq!((standard.name, standard.variant, six.variant), ("othello", "standard", "6x6"));
/// assert_eq!((standard.evaluators[0].0, standard.score_unit), ("network", Some("disc")));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name in requests, such as `connect-four`.
    pub name: &'static str,
    /// The name of the variant in requests, such as `7x6`.
    pub variant: &'static str,
    /// What the variant is, in a sentence.
    pub description: &'static str,
    /// The name as people write it, such as `Connect Four`.
    pub title: &'static str,
    /// The names of the side that moves first by convention and of the other one.
    pub sides: [&'static str; 2],
    /// The pieces that a board may show.
    pub pieces: &'static [Piece],
    /// How its empty board looks.
    pub board: BoardStyle,
    /// The position in which a game begins, written out.
    pub start: &'static str,
    /// How positions are written.
    pub positions: Sample,
    /// How moves are written.
    pub moves: Sample,
    /// Whether positions and moves are written as in the Universal Chess Interface (UCI).
    pub uci: bool,
    /// Whether a position may also be given as rows of cells.
    pub rows: bool,
    /// Names and descriptions of the evaluators, the strongest and default one first.
    pub evaluators: &'static [(&'static str, &'static str)],
    /// What 100 points of a score stand for, such as `pawn`; `None` where a score has no such unit.
    pub score_unit: Option<&'static str>,
    /// The depth of a search that was given no limit at all, as long as nobody knows who wins; `None`
    /// where such a search solves.
    pub default_depth: Option<u32>,
    /// The largest depth that may be asked for.
    pub max_depth: u32,
    /// How players of all levels play it, the weakest first.
    pub levels: &'static [Level; LEVEL_COUNT],
    /// The kinds of motifs that the game finds.
    pub motifs: &'static [ReasonKind],
    /// The name of the draw that may be claimed by the move counter of the game, if it has one.
    pub move_count_claim: Option<&'static str>,
    /// The dimensions of the network of the default evaluator, if that has one.
    pub network: Option<NetworkSize>,
    /// The most pieces of an endgame table that the game can open; 0 where it opens none.
    pub table_pieces: u32,
}

/// A notation, told and shown.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Sample {
    /// How the notation works, in a sentence.
    pub notation: &'static str,
    /// Examples that can be read.
    pub examples: &'static [&'static str],
}

/// A position as a caller writes it.
///
/// ```
/// use bestmove_engine::game::{Game, PositionError, PositionText};
/// use bestmove_engine::games::tic_tac_toe::TicTacToe;
/// let rows = [["X", "", ""], ["", "O", ""], ["", "", ""]];
/// let rows: Vec<Vec<String>> = rows.map(|row| row.map(String::from).to_vec()).to_vec();
/// let text = TicTacToe.read_position(&PositionText::Text("X...O.... X".to_owned()))?;
/// assert_eq!(TicTacToe.read_position(&PositionText::Rows(rows.clone()))?, text);
/// let side_to_move = "X".to_owned();
/// assert_eq!(TicTacToe.read_position(&PositionText::Board { rows, side_to_move })?, text);
/// assert_eq!(TicTacToe::write_position(&text), "X...O.... X");
/// # Ok::<_, PositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PositionText {
    /// In the standard notation of the game, such as FEN.
    Text(String),
    /// As rows of cells from the top, for games on a grid; an empty cell may be an empty string.
    Rows(Vec<Vec<String>>),
    /// As [`Game::cells`] shows it, in every game; [`read_cells`](super::read_cells) helps to read it.
    Board {
        /// The rows from the top; an empty cell is an empty string.
        rows: Vec<Vec<String>>,
        /// The name of the side to move.
        side_to_move: String,
    },
}

/// Why a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The reason, such as `three in a row` or `checkmate`.
    pub reason: &'static str,
    /// The cells of the winning line, in games that have one.
    pub line: Vec<Square>,
}

/// A position that is unreadable, or that no game could reach: says what to change.
///
/// ```
/// use bestmove_engine::game::{Game, PositionText};
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
