//! The board as a front end draws it: squares by row and column, and what a move does to them.

#[cfg(feature = "serde")]
use schemars::JsonSchema;
#[cfg(feature = "serde")]
use serde::Serialize;

use super::{Motif, MoveOf, Notation, Side};

/// How the positions and moves of a game are shown.
pub trait Drawing: Notation {
    /// The rows of the board from the top.
    fn cells(position: &Self::Position) -> Cells;

    /// What a legal move does to the cells of `position`.
    fn drawn_move(position: &Self::Position, mv: MoveOf<Self>) -> MoveDrawing;

    /// What the side to move has to heed in `position`.
    fn alert(position: &Self::Position) -> Option<Alert> {
        let _ = position;
        None
    }

    /// The position after a pass of the side to move, which shows the threats of the other side. `None` where a pass makes no
    /// sense, as in check.
    fn passed(position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// The motifs of a legal move, of the [kinds](super::GameInfo::motifs) that the game finds, the most important first.
    fn motifs(position: &Self::Position, mv: MoveOf<Self>) -> Vec<Motif> {
        let _ = (position, mv);
        Vec::new()
    }

    /// The board drawn in characters, on several lines, the last one ended too.
    fn drawing(position: &Self::Position) -> String;

    /// The end of the game in `position`, whose outcome is decided or whose move counter has drawn the game.
    fn ending(position: &Self::Position) -> Ending;
}

/// Why a game has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The reason, such as `three in a row` or `checkmate`.
    pub reason: &'static str,
    /// The cells of the winning line, in games that have one.
    pub line: Vec<Square>,
}

/// A row from the top and a column from the left, both from 0, of the board as drawn: with the first side at the bottom in
/// chess, with square 1 at `[0, 1]` in checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema), serde(into = "[u8; 2]"))]
pub struct Square {
    /// The row, 0 at the top.
    pub row: u8,
    /// The column, 0 at the left.
    pub column: u8,
}

impl From<Square> for [u8; 2] {
    fn from(Square { row, column }: Square) -> Self {
        [row, column]
    }
}

/// The rows of the board from the top, each with the names of the pieces on its squares; an empty
/// square is an empty string.
pub type Cells = Vec<Vec<&'static str>>;

/// A kind of piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its name in [`Cells`].
    pub name: &'static str,
    /// The owner.
    pub side: Side,
    /// A Unicode character for the piece.
    pub symbol: &'static str,
    /// The name in words, such as `rook`. A label of one piece alone tells the side too: `red disc`.
    pub label: &'static str,
}

impl Piece {
    /// A piece with these names.
    #[must_use]
    pub const fn new(
        name: &'static str,
        side: Side,
        symbol: &'static str,
        label: &'static str,
    ) -> Self {
        Self { name, side, symbol, label }
    }
}

/// How to draw the empty board of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct BoardStyle {
    /// How its squares are drawn: of two colours by turns, the one at the top left light; with lines between them; with
    /// lines on green felt; or holes in a board that stands upright.
    pub surface: Surface,
    /// The names of the columns from the left; empty where they have none.
    pub columns: &'static [&'static str],
    /// The names of the rows from the top; empty where they have none.
    pub rows: &'static [&'static str],
    /// The number of the first square, in games that number the squares row by row from the top left:
    /// on a checkered board the dark ones, else all.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub first_number: Option<u8>,
}

/// What the squares of a board look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema), schemars(inline))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Surface {
    /// Two colours by turns; the square at the top left is light.
    Checkered,
    /// Lines between them.
    Lines,
    /// Lines on green felt.
    Felt,
    /// Holes in a board that stands upright. The other player sees it from behind: the columns are
    /// reversed, the rows are not.
    Holes,
}

/// What a move does to the board as drawn. A client makes it on its own cells as follows: it takes the
/// piece from the first square of the path (or, where the path has one square, the piece that
/// the side to move places, the only kind that it has), empties the `captures`, and puts the piece, or the one
/// of `promotion`, on the last square; `also` moves a second piece, which is
/// taken before the first one is put down; the pieces on `flips` become pieces of the side
/// to move. A pass has an empty path and changes nothing.
///
/// ```
/// use bestmove_engine::game::{Drawing, Game, MoveDrawing, MoveError, Notation, Square};
/// use bestmove_engine::games::othello::Othello;
/// let start = Othello::Standard.start();
/// let disc = Othello::read_move(&start, "f5")?;
/// let MoveDrawing { path, flips, captures, .. } = Othello::drawn_move(&start, disc);
/// assert_eq!(path, [Square { row: 4, column: 5 }]);
/// assert_eq!((flips, captures), (vec![Square { row: 4, column: 4 }], vec![]));
/// # Ok::<_, MoveError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct MoveDrawing {
    /// The squares touched: one for a placed piece, two for a step, the first one and all landing squares for a capture in
    /// several jumps; in castling the king's; none for a pass.
    pub path: Vec<Square>,
    /// The squares from which pieces vanish.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub captures: Vec<Square>,
    /// The squares whose pieces change sides.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub flips: Vec<Square>,
    /// The name of the piece that stands on the last square afterwards, where it is another one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub promotion: Option<&'static str>,
    /// The path of a second piece that moves with the first, the rook in castling.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "serde", schemars(length(min = 2, max = 2)))]
    pub also: Vec<Square>,
}

impl MoveDrawing {
    /// A piece is placed on this square.
    ///
    /// ```
    /// use bestmove_engine::game::{MoveDrawing, Square};
    /// let square = Square { row: 0, column: 2 };
    /// let drawing = MoveDrawing { flips: vec![Square { row: 0, column: 1 }], ..MoveDrawing::placing(square) };
    /// assert_eq!((drawing.path, drawing.flips.len()), (vec![square], 1));
    /// ```
    #[must_use]
    pub fn placing(square: Square) -> Self {
        Self { path: vec![square], ..Self::default() }
    }
}

/// What the side to move has to heed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema), serde(into = "AlertMembers"))]
pub enum Alert {
    /// Its king, on this square, is attacked.
    Check(Square),
    /// It can capture, and so must.
    MustCapture,
    /// It has no other move than to pass.
    MustPass,
}

/// The members by which answers tell an alert.
#[cfg(feature = "serde")]
#[derive(Serialize, JsonSchema)]
struct AlertMembers {
    /// Whether the king of the side to move is attacked; left out where it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    check: bool,
    /// The square of that king; left out where it is not attacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<Square>,
    /// Whether the side to move can capture, and so must; left out where it can not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    must_capture: bool,
    /// Whether a pass is the only legal move; left out where it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    must_pass: bool,
}

#[cfg(feature = "serde")]
impl From<Alert> for AlertMembers {
    fn from(alert: Alert) -> Self {
        let checked = if let Alert::Check(king) = alert { Some(king) } else { None };
        let (must_capture, must_pass) = (alert == Alert::MustCapture, alert == Alert::MustPass);
        Self { check: checked.is_some(), checked, must_capture, must_pass }
    }
}
