//! The board: two sets of cells.

use crate::game::{Move, Outcome, Position, Side, Symmetry};

/// The eight lines of three cells.
pub(super) const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

/// Whether a set of cells holds a line, for all 512 sets, one bit each.
const HOLDS_LINE: [u64; 8] = {
    let mut holds = [0; 8];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            if cells & LINES[line] == LINES[line] {
                holds[(cells >> 6) as usize] |= 1 << (cells & 63);
            }
            line += 1;
        }
        cells += 1;
    }
    holds
};

pub(super) fn holds_line(cells: u16) -> bool {
    HOLDS_LINE[usize::from(cells >> 6 & 7)] >> (cells & 63) & 1 != 0
}

/// A cell, from 0 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell(pub(super) u8);

impl Move for Cell {
    const INDICES: u16 = 9;

    fn move_index(self) -> u16 {
        u16::from(self.0)
    }
}

/// The cells in a set, in ascending order.
#[derive(Clone, Debug)]
pub struct CellSet(u16);

impl Iterator for CellSet {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (cell < 9).then_some(Cell(cell as u8))
    }
}

/// The cells of both sides and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToeBoard {
    /// The cells of the side to move and of its opponent.
    pub(super) own: u16,
    pub(super) other: u16,
    pub(super) side: Side,
}

impl TicTacToeBoard {
    /// The board on which the opponent moves in place of the side to move. The pieces change hands and the side stays,
    /// so that the number of pieces still fits the side to move.
    pub(super) fn passed(self) -> Self {
        Self { own: self.other, other: self.own, ..self }
    }

    fn empty_cells(self) -> u16 {
        FULL & !(self.own | self.other)
    }

    /// Whose mark stands in a cell.
    pub(super) fn cell(self, cell: u8) -> Option<Side> {
        match (self.own >> cell & 1, self.other >> cell & 1) {
            (1, _) => Some(self.side),
            (_, 1) => Some(self.side.other()),
            _ => None,
        }
    }
}

fn key_of(own: u16, other: u16, side: Side) -> u64 {
    u64::from(own) << 10 | u64::from(other) << 1 | side as u64
}

impl Position for TicTacToeBoard {
    type Move = Cell;
    type Moves = CellSet;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        if holds_line(self.other) {
            Some(Outcome::Loss)
        } else {
            (self.empty_cells() == 0).then_some(Outcome::Draw)
        }
    }

    fn legal_moves(&self) -> CellSet {
        CellSet(self.empty_cells())
    }

    fn play(&self, cell: Cell) -> Self {
        Self { own: self.other, other: self.own | 1 << cell.0, side: self.side.other() }
    }

    fn key(&self) -> u64 {
        key_of(self.own, self.other, self.side)
    }

    fn canonical(&self) -> (u64, Symmetry) {
        let mut best = (self.key(), Symmetry(0));
        for (symmetry, turned) in (0..).zip(&TURNED) {
            let [own, other] = [self.own, self.other].map(|cells| turned[usize::from(cells)]);
            let key = key_of(own, other, self.side);
            if key < best.0 {
                best = (key, Symmetry(symmetry));
            }
        }
        best
    }

    fn transformed(cell: Cell, symmetry: Symmetry) -> Cell {
        Cell(turned_cell(cell.0, 3, symmetry.0))
    }

    fn plies_left(&self) -> Option<u32> {
        Some(self.empty_cells().count_ones())
    }
}

/// Where a cell goes under one of the eight symmetries of the square: mirrored left to right if
/// bit 0 is set, top to bottom if bit 1 is, at the diagonal if bit 2 is.
pub(super) const fn turned_cell(cell: u8, width: u8, symmetry: u8) -> u8 {
    let (mut row, mut column) = (cell / width, cell % width);
    if symmetry & 1 != 0 {
        column = width - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = width - 1 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * width + column
}

/// Every set of cells under every symmetry.
static TURNED: [[u16; 512]; 8] = {
    let mut turned = [[0; 512]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut cells = 0;
        while cells < 512 {
            let mut cell = 0;
            while cell < 9 {
                if cells >> cell & 1 != 0 {
                    turned[symmetry][cells] |= 1 << turned_cell(cell, 3, symmetry as u8);
                }
                cell += 1;
            }
            cells += 1;
        }
        symmetry += 1;
    }
    turned
};
