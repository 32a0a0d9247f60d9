//! The places of squares in a picture.

use bestmove_engine::game::{GameInfo, Surface};

/// The size and the orientation of a board. A square has 100 units.
pub(super) struct BoardGeometry {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) turns_rows: bool,
    pub(super) turns_columns: bool,
}

impl BoardGeometry {
    /// All squares, row by row from the top of the board before it is flipped.
    pub(super) fn squares(&self) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    /// The squares with numbers, and their numbers.
    pub(super) fn numbered(
        &self,
        info: &GameInfo,
    ) -> impl Iterator<Item = (usize, (usize, usize))> {
        let is_checkered = info.board.surface == Surface::Checkered;
        let first = info.board.first_number.map(usize::from).into_iter();
        first.flat_map(move |first| {
            let squares = self.squares();
            let numbered =
                squares.filter(move |(row, column)| !is_checkered || (row + column) % 2 == 1);
            (first..).zip(numbered)
        })
    }

    /// The top left corner of a square in the picture.
    pub(super) fn corner(&self, row: usize, column: usize) -> (usize, usize) {
        let y = if self.turns_rows { self.rows - 1 - row } else { row };
        let x = if self.turns_columns { self.columns - 1 - column } else { column };
        (x * 100, y * 100)
    }

    pub(super) fn center(&self, row: usize, column: usize) -> (usize, usize) {
        let (x, y) = self.corner(row, column);
        (x + 50, y + 50)
    }
}
