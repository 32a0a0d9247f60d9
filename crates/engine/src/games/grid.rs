//! Rows of cells: the notation of positions that the grid games share.

mod layout;
mod named_columns;
mod signs;

use self::signs::Signs;
use crate::game::{
    BoardStyle, Cells, GameInfo, Piece, PositionError, PositionText, Side, Square, excerpt,
};

/// The marks of the two sides in cells and in the notation of positions.
pub(super) const MARKS: [&str; 2] = ["X", "O"];

/// The pieces of a position and the side to move, where it was given.
pub(super) struct Grid {
    /// The cells of each side, counted row by row from the top left: a bit each.
    cells: [u128; 2],
    rows: usize,
    columns: usize,
    side: Option<Side>,
    /// The names of the sides.
    names: [&'static str; 2],
}

impl Grid {
    /// Reads the cells row by row from the top left, as a text, in rows or as one flat list, and the side to move where it is
    /// given. [`Signs`] reads a piece of the game.
    pub(super) fn read(
        text: &PositionText,
        game: &'static GameInfo,
        rows: usize,
        columns: usize,
    ) -> Result<Self, PositionError> {
        let signs = Signs(game);
        let (lines, side) = match text {
            PositionText::Text(text) => {
                let text = text.replace('\u{fe0f}', "");
                let text = without_remark(&text, rows, columns);
                let (cells, side) =
                    layout::cells_of(text, rows, columns, &|word| signs.side(word).is_some())?;
                let side = side.map(|word| read_side(signs, word)).transpose()?;
                return Self::from_cells(signs, &cells, columns, side);
            }
            PositionText::Rows(lines) => (lines, None),
            PositionText::Board { rows, side_to_move } => {
                (rows, Some(read_side(signs, side_to_move)?))
            }
        };
        Self::from_cells(signs, &layout::flat(lines, rows, columns)?, columns, side)
    }

    fn from_cells(
        signs: Signs,
        cells: &[&str],
        columns: usize,
        side: Option<Side>,
    ) -> Result<Self, PositionError> {
        signs.check(cells)?;
        let rows = cells.len() / columns;
        let mut grid = Self { cells: [0; 2], rows, columns, side, names: signs.names() };
        for (index, text) in cells.iter().enumerate() {
            if let Some(side) = signs.side(text) {
                grid.cells[side as usize] |= 1 << index;
            } else if !signs.is_empty(text) {
                let (row, column) = (1 + index / columns, 1 + index % columns);
                return Err(PositionError(format!(
                    "row {row}, column {column}: expected X, O or . but got '{text}'; in a board of numbers \
                     1, 2 or 0",
                    text = excerpt(text)
                )));
            }
        }
        Ok(grid)
    }

    /// The cells of `side`: the row from the top and the column from the left of each.
    pub(super) fn cells(&self, side: Side) -> impl Iterator<Item = (usize, usize)> {
        let cells = self.cells[side as usize];
        let indices = (0..self.rows * self.columns).filter(move |index| cells >> index & 1 != 0);
        indices.map(|index| (index / self.columns, index % self.columns))
    }

    /// The cells of `side` as a set, where a row takes `stride` bits.
    pub(super) fn squares(&self, side: Side, stride: usize) -> u64 {
        self.cells(side).fold(0, |squares, (row, column)| squares | 1 << (row * stride + column))
    }

    /// The rows from the top, of pieces that need not have been placed in turn.
    pub(super) fn rows(&self) -> Cells {
        cells(self.rows as u8, self.columns as u8, |row, column| {
            let bit = 1 << (usize::from(row) * self.columns + usize::from(column));
            Side::BOTH.into_iter().find(|&side| self.cells[side as usize] & bit != 0)
        })
    }

    /// The winner, if any, of a position in which the first or the second side has completed a line. Two winners are an error.
    pub(super) fn sole_winner(&self, has_line: [bool; 2]) -> Result<Option<Side>, PositionError> {
        match has_line {
            [true, true] => Err(PositionError(format!(
                "both {} and {} have completed a line: the game ends with the first one",
                self.names[0], self.names[1]
            ))),
            [true, false] => Ok(Some(Side::First)),
            [false, true] => Ok(Some(Side::Second)),
            [false, false] => Ok(None),
        }
    }

    /// The side to move, where it was given.
    pub(super) fn given_side(&self) -> Option<Side> {
        self.side
    }

    /// The side to move. Without one given, the side with fewer pieces moves; with equal numbers,
    /// the loser of a finished game, else the first side.
    /// Refuses counts that are impossible or contradict the side that was given, and a `winner` on the move.
    pub(super) fn side_to_move(&self, winner: Option<Side>) -> Result<Side, PositionError> {
        let [first, second] = self.cells.map(u128::count_ones);
        let names = self.names;
        let counts = format!("{first} {} against {second} {}", names[0], names[1]);
        if first.abs_diff(second) > 1 {
            return Err(PositionError(format!(
                "{counts}: sides that move in turn differ by one at most"
            )));
        }
        let by_count = match first.cmp(&second) {
            std::cmp::Ordering::Less => Some(Side::First),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Side::Second),
        };
        let side = match (by_count, self.side) {
            (Some(fewer), Some(given)) if fewer != given => {
                return Err(PositionError(format!(
                    "{counts}: {} is to move, not {}",
                    names[fewer as usize], names[given as usize]
                )));
            }
            (Some(side), _) | (None, Some(side)) => side,
            (None, None) => winner.map_or(Side::First, Side::other),
        };
        if winner == Some(side) {
            return Err(PositionError(format!(
                "{name} has completed a line, so {name} moved last and can't be to move",
                name = names[side as usize]
            )));
        }
        Ok(side)
    }
}

/// The text of a position without the parts that files of problems add: a size before cells in one run, and a remark after
/// `;` or `%`.
fn without_remark(text: &str, rows: usize, columns: usize) -> &str {
    let text = text.find([';', '%']).map_or(text, |remark| text[..remark].trim_end());
    let sized = text.trim_start().split_once(char::is_whitespace).filter(|(size, cells)| {
        let run = cells.split_whitespace().next().unwrap_or_default();
        size.parse() == Ok(rows) && run.chars().count() == rows * columns
    });
    sized.map_or(text, |(_, cells)| cells)
}

/// The pieces of a game with one kind of piece, named by the mark of its side. Each has a symbol and a label.
pub(super) const fn pieces([first, second]: [(&'static str, &'static str); 2]) -> [Piece; 2] {
    [
        Piece::new(MARKS[0], Side::First, first.0, first.1),
        Piece::new(MARKS[1], Side::Second, second.0, second.1),
    ]
}

/// The cells of a board, row by row from the top, each named by its `owner`, the side whose piece is in a row and column.
pub(super) fn cells(rows: u8, columns: u8, owner: impl Fn(u8, u8) -> Option<Side>) -> Cells {
    let name = |row, column| owner(row, column).map_or("", |side| MARKS[side as usize]);
    (0..rows).map(|row| (0..columns).map(|column| name(row, column)).collect()).collect()
}

/// The rows with `sign` in the empty cells.
pub(super) fn with_empty(mut rows: Cells, sign: &'static str) -> Cells {
    rows.iter_mut().flatten().filter(|cell| cell.is_empty()).for_each(|cell| *cell = sign);
    rows
}

/// The rows in characters, with the names of the board: that of each row before it, those of the columns below.
pub(super) fn drawn(rows: Cells, board: &BoardStyle) -> String {
    let rows = board.rows.iter().zip(with_empty(rows, "."));
    let mut lines: Vec<_> = rows.map(|(name, row)| format!("{name} {}\n", row.join(" "))).collect();
    lines.push(format!("  {}\n", board.columns.join(" ")));
    lines.concat()
}

/// The rows as one text, with `.` for empty cells and `between` between the rows.
pub(super) fn joined(rows: Cells, between: &str) -> String {
    with_empty(rows, ".").iter().map(|row| row.concat()).collect::<Vec<_>>().join(between)
}

/// The members of a set of squares, row by row.
pub(super) fn squares(rows: u8, columns: u8, is_member: impl Fn(u8, u8) -> bool) -> Vec<Square> {
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| Square { row, column }));
    all.filter(|square| is_member(square.row, square.column)).collect()
}

fn read_side(signs: Signs, word: &str) -> Result<Side, PositionError> {
    signs.side(word).ok_or_else(|| {
        let [first, second] = signs.names();
        PositionError(format!(
            "the side to move: expected {first} or {second} but got '{word}'",
            word = excerpt(word)
        ))
    })
}
