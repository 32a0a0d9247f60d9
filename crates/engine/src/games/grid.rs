//! Rows of cells: what the two grid games share in reading and writing positions.

use crate::game::{Cells, Piece, PositionError, PositionText, Side, Square, expect_count};

/// The two players' names on a grid.
pub(super) const SIDES: [&str; 2] = ["X", "O"];

/// The pieces of a position and the side to move, where it was given.
pub(super) struct Grid {
    /// The cells of each side, counted row by row from the top left: a bit each.
    cells: [u64; 2],
    rows: usize,
    columns: usize,
    side: Option<Side>,
}

impl Grid {
    /// Reads rows of cells from the top: `X`, `O`, and `.`, `-` or `_` for an empty cell, with `/`
    /// between rows where `separated` says so and optionally else; then, after a space, the side.
    pub(super) fn read(
        text: &PositionText,
        rows: usize,
        columns: usize,
    ) -> Result<Self, PositionError> {
        let (lines, side) = match text {
            PositionText::Text(text) => return Self::read_text(text, rows, columns),
            PositionText::Rows(lines) => (lines, None),
            PositionText::Board { rows, side_to_move } => (rows, Some(read_side(side_to_move)?)),
        };
        let mut grid = Self { cells: [0; 2], rows, columns, side };
        grid.read_rows(lines.iter().map(|line| line.iter().map(String::as_str)))?;
        Ok(grid)
    }

    fn read_rows<'a, Row: Iterator<Item = &'a str> + Clone>(
        &mut self,
        lines: impl Iterator<Item = Row> + Clone,
    ) -> Result<(), PositionError> {
        expect_count("rows", self.rows, lines.clone().count())?;
        for (row, line) in lines.enumerate() {
            let name = format_args!("cells in row {}", row + 1);
            expect_count(name, self.columns, line.clone().count())?;
            for (column, cell) in line.enumerate() {
                self.read_cell(row * self.columns + column, cell)?;
            }
        }
        Ok(())
    }

    fn read_text(text: &str, rows: usize, columns: usize) -> Result<Self, PositionError> {
        let mut words = text.split_whitespace();
        let board = words.next().unwrap_or_default();
        let side = words.next().map(read_side).transpose()?;
        if let Some(word) = words.next() {
            return Err(PositionError(format!("unexpected '{word}' after the side to move")));
        }
        let mut grid = Self { cells: [0; 2], rows, columns, side };
        if board.contains('/') {
            grid.read_rows(board.split('/').map(letters))?;
        } else {
            expect_count("cells", rows * columns, board.chars().count())?;
            letters(board).enumerate().try_for_each(|(index, cell)| grid.read_cell(index, cell))?;
        }
        Ok(grid)
    }

    fn read_cell(&mut self, index: usize, cell: &str) -> Result<(), PositionError> {
        match cell {
            "X" => self.cells[0] |= 1 << index,
            "O" => self.cells[1] |= 1 << index,
            "." | "-" | "_" | "" => {}
            other => {
                let (row, column) = (1 + index / self.columns, 1 + index % self.columns);
                return Err(PositionError(format!(
                    "row {row}, column {column}: expected X, O or . but got '{other}'"
                )));
            }
        }
        Ok(())
    }

    /// The cells of `side` as a bitboard: the cell in `row` from the top and `column` from the left
    /// is the bit that `bit_of` names.
    pub(super) fn bitboard(&self, side: Side, bit_of: impl Fn(usize, usize) -> u32) -> u64 {
        let (mut rest, mut board) = (self.cells[side as usize], 0);
        while rest != 0 {
            let index = rest.trailing_zeros() as usize;
            board |= 1 << bit_of(index / self.columns, index % self.columns);
            rest &= rest - 1;
        }
        board
    }

    /// The rows from the top, of pieces that need not have been placed in turn.
    pub(super) fn rows(&self) -> Cells {
        let [first, second] = self.cells;
        let name = |index: usize| match 1 << index {
            bit if first & bit != 0 => SIDES[0],
            bit if second & bit != 0 => SIDES[1],
            _ => "",
        };
        let cells: Vec<_> = (0..self.rows * self.columns).map(name).collect();
        cells.chunks(self.columns).map(<[_]>::to_vec).collect()
    }

    /// The side to move. Without one given, the side with fewer pieces moves; with equal numbers,
    /// the loser of a finished game, else X.
    /// Refuses counts that are impossible or contradict the side that was given, and a `winner` on the move.
    pub(super) fn side_to_move(&self, winner: Option<Side>) -> Result<Side, PositionError> {
        let [first, second] = self.cells.map(u64::count_ones);
        if first.abs_diff(second) > 1 {
            return Err(PositionError(format!(
                "{first} X against {second} O: sides that move in turn differ by one at most"
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
                    "{first} X against {second} O: {} is to move, not {}",
                    SIDES[fewer as usize], SIDES[given as usize]
                )));
            }
            (Some(side), _) | (None, Some(side)) => side,
            (None, None) => winner.map_or(Side::First, Side::other),
        };
        if winner == Some(side) {
            return Err(PositionError(format!(
                "{name} has completed a line, so {name} moved last and can't be to move",
                name = SIDES[side as usize]
            )));
        }
        Ok(side)
    }
}

/// The sole winner, if any, of a position in which the given sides have completed a line.
/// Refuses both.
pub(super) fn sole_winner(first: bool, second: bool) -> Result<Option<Side>, PositionError> {
    match (first, second) {
        (true, true) => Err(PositionError(
            "both X and O have completed a line: the game ends with the first one".to_owned(),
        )),
        (true, false) => Ok(Some(Side::First)),
        (false, true) => Ok(Some(Side::Second)),
        (false, false) => Ok(None),
    }
}

/// The pieces of a game in which they differ by their side alone, which names them.
pub(super) const fn pieces(symbols: [&'static str; 2]) -> [Piece; 2] {
    [
        Piece { name: SIDES[0], side: Side::First, symbol: symbols[0] },
        Piece { name: SIDES[1], side: Side::Second, symbol: symbols[1] },
    ]
}

pub(super) fn cell_name(cell: Option<Side>) -> &'static str {
    cell.map_or("", |side| SIDES[side as usize])
}

/// The members of a set of squares, row by row.
pub(super) fn squares(rows: u8, columns: u8, is_member: impl Fn(u8, u8) -> bool) -> Vec<Square> {
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| Square { row, column }));
    all.filter(|square| is_member(square.row, square.column)).collect()
}

/// Writes a cell.
pub(super) fn letter(cell: Option<Side>) -> char {
    match cell {
        Some(Side::First) => 'X',
        Some(Side::Second) => 'O',
        None => '.',
    }
}

/// The characters of a row, each as a string.
fn letters(row: &str) -> impl Iterator<Item = &str> + Clone {
    row.char_indices().map(|(at, letter)| &row[at..at + letter.len_utf8()])
}

fn read_side(word: &str) -> Result<Side, PositionError> {
    match word {
        "X" => Ok(Side::First),
        "O" => Ok(Side::Second),
        other => Err(PositionError(format!("the side to move: expected X or O but got '{other}'"))),
    }
}
