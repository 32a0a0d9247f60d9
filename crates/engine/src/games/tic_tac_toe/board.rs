//! The rules: two sets of cells on a square board, where the first line of marks ends the game.
//!
//! A set of cells has a bit for each cell, row by row from the top left.

use super::super::bits::{Bits, owner};
use super::TicTacToe;
use crate::game::proof_table::SPREAD;
use crate::game::{Move, Outcome, Position, Side, Symmetry};

/// With up to this many marks symmetric positions are folded on larger boards. Later, a position and its images hardly
/// ever stand in one search.
const FOLDED: u32 = 6;

/// The most cells of a row.
const MOST_WIDTH: u8 = 7;

/// The most lines, those of the board 7x7x5.
const MOST_LINES: usize = 60;

/// From a cell to the next cell of a line, in rows and columns: right, down, down right, down left.
const DIRECTIONS: [[i8; 2]; 4] = [[0, 1], [1, 0], [1, 1], [1, -1]];

/// The rules of a variant.
pub(super) struct Rules {
    pub(super) name: &'static str,
    /// The cells of a row, and the rows.
    pub(super) width: u8,
    /// The cells of a line.
    pub(super) length: u8,
    /// Whether a line loses.
    pub(super) is_misere: bool,
    /// All cells.
    full: u64,
    lines: [u64; MOST_LINES],
    line_count: usize,
}

/// The rules of all variants.
pub(super) static RULES: [Rules; 7] = [
    Rules::new("3x3x3", 3, 3, false),
    Rules::new("4x4x4", 4, 4, false),
    Rules::new("4x4x3", 4, 3, false),
    Rules::new("5x5x4", 5, 4, false),
    Rules::new("6x6x5", 6, 5, false),
    Rules::new("7x7x5", 7, 5, false),
    Rules::new("misere", 3, 3, true),
];

impl Rules {
    const fn new(name: &'static str, width: u8, length: u8, is_misere: bool) -> Self {
        let (size, cells) = (width as i8, width * width);
        let (mut lines, mut line_count, mut place) = ([0; MOST_LINES], 0, 0);
        while place < 4 * cells {
            let [down, right] = DIRECTIONS[(place / cells) as usize];
            let (cell, steps) = (place % cells, length as i8 - 1);
            let last_row = (cell / width) as i8 + steps * down;
            let last_column = (cell % width) as i8 + steps * right;
            if last_row < size && last_column < size && last_column >= 0 {
                let mut step = 0;
                while step < length {
                    lines[line_count] |= 1 << (cell as i8 + step as i8 * (down * size + right));
                    step += 1;
                }
                line_count += 1;
            }
            place += 1;
        }
        Self { name, width, length, is_misere, full: (1 << cells) - 1, lines, line_count }
    }

    /// All lines: rows, columns, falling diagonals, rising diagonals.
    pub(super) fn lines(&self) -> &[u64] {
        &self.lines[..self.line_count]
    }

    /// Whether these cells hold a line.
    #[inline]
    pub(super) fn holds_line(&self, cells: u64) -> bool {
        self.lines().iter().any(|&line| !cells & line == 0)
    }
}

/// A mark in a cell, from 0 row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(pub(super) u8);

impl Move for Mark {
    const INDICES: u16 = (MOST_WIDTH * MOST_WIDTH) as u16;

    fn move_index(self) -> u16 {
        u16::from(self.0)
    }
}

/// The marks in the cells of a set, in ascending order.
#[derive(Clone, Debug)]
pub struct Marks(Bits);

impl Iterator for Marks {
    type Item = Mark;

    #[inline]
    fn next(&mut self) -> Option<Mark> {
        self.0.next().map(Mark)
    }
}

/// The cells of both sides and the side to move, by the rules of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToeBoard {
    /// The cells of the side to move and of its opponent.
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) side: Side,
    pub(super) variant: TicTacToe,
}

impl TicTacToeBoard {
    /// A board whose marks are known to be possible.
    pub(super) fn new(variant: TicTacToe, [first, second]: [u64; 2], side: Side) -> Self {
        let (own, other) = if side == Side::First { (first, second) } else { (second, first) };
        Self { own, other, side, variant }
    }

    pub(super) fn rules(&self) -> &'static Rules {
        self.variant.rules()
    }

    pub(super) fn empty_cells(&self) -> u64 {
        self.rules().full & !(self.own | self.other)
    }

    /// The lines that the opponent of the side to move has completed.
    pub(super) fn completed_lines(&self) -> impl Iterator<Item = u64> {
        self.rules().lines().iter().copied().filter(|&line| self.other & line == line)
    }

    /// The side whose mark stands in a cell.
    pub(super) fn owner(&self, cell: u8) -> Option<Side> {
        owner(self.side, self.own, self.other, cell)
    }

    /// The board on which the opponent moves in place of the side to move. The marks change hands and the side stays, so
    /// that the number of marks still fits the side to move.
    pub(super) fn passed(&self) -> Self {
        Self { own: self.other, other: self.own, ..*self }
    }

    /// The cells of both sides and the side to move. Where they need more than 64 bits, an odd number spreads the upper bits.
    #[inline]
    fn key_of(&self, [own, other]: [u64; 2]) -> u64 {
        let shift = u32::from(self.rules().width).pow(2) + 1;
        let upper = own >> (u64::BITS - shift);
        (own << shift | other << 1 | self.side as u64) ^ upper.wrapping_mul(SPREAD)
    }

    /// The images of the cells of both sides under a symmetry.
    #[inline]
    fn images(&self, symmetry: u8) -> [u64; 2] {
        let width = self.rules().width;
        [self.own, self.other].map(|cells| match width {
            3 => TURNED[usize::from(symmetry & 7)][cells as usize & 511].into(),
            _ => turned(cells, width, symmetry),
        })
    }
}

impl Position for TicTacToeBoard {
    type Move = Mark;
    type Moves = Marks;

    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let rules = self.rules();
        if rules.holds_line(self.other) {
            Some(if rules.is_misere { Outcome::Win } else { Outcome::Loss })
        } else {
            (self.empty_cells() == 0).then_some(Outcome::Draw)
        }
    }

    #[inline]
    fn legal_moves(&self) -> Marks {
        Marks(Bits(self.empty_cells()))
    }

    #[inline]
    fn play(&self, Mark(cell): Mark) -> Self {
        Self { own: self.other, other: self.own | 1 << cell, side: self.side.other(), ..*self }
    }

    fn key(&self) -> u64 {
        self.key_of([self.own, self.other])
    }

    /// The number of a symmetry holds the width too, since a cell alone does not tell it.
    fn canonical(&self) -> (u64, Symmetry) {
        let (mut least, mut leading) = ([self.own, self.other], Symmetry(0));
        let width = self.rules().width;
        if width == 3 || (self.own | self.other).count_ones() <= FOLDED {
            for symmetry in 1..8 {
                let image = self.images(symmetry);
                if image < least {
                    (least, leading) = (image, Symmetry(8 * width + symmetry));
                }
            }
        }
        (self.key_of(least), leading)
    }

    #[inline]
    fn transformed(Mark(cell): Mark, Symmetry(symmetry): Symmetry) -> Mark {
        match symmetry / 8 {
            0 => Mark(cell),
            width => Mark(turned_cell(cell, width, symmetry % 8)),
        }
    }

    fn plies_left(&self) -> Option<u32> {
        Some(self.empty_cells().count_ones())
    }
}

/// A cell under one of the eight symmetries of the square: the columns are reversed if bit 0 is set, the rows if bit 1 is,
/// and rows and columns change places if bit 2 is.
#[inline]
const fn turned_cell(cell: u8, width: u8, symmetry: u8) -> u8 {
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

/// A set of cells under a symmetry.
const fn turned(mut cells: u64, width: u8, symmetry: u8) -> u64 {
    let mut turned = 0;
    while cells != 0 {
        turned |= 1 << turned_cell(cells.trailing_zeros() as u8, width, symmetry);
        cells &= cells - 1;
    }
    turned
}

/// Every set of cells of three by three cells under every symmetry.
static TURNED: [[u16; 512]; 8] = {
    let mut all = [[0; 512]; 8];
    let mut place = 0;
    while place < 8 * 512 {
        all[place / 512][place % 512] = turned(place as u64 % 512, 3, (place / 512) as u8) as u16;
        place += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and columns with so many places for a line each, and two diagonal directions.
    #[test]
    fn a_board_has_as_many_lines_as_fit_on_it() {
        for rules in &RULES {
            let width = usize::from(rules.width);
            let places = width + 1 - usize::from(rules.length);
            let lines = 2 * places * width + 2 * places * places;
            assert_eq!(rules.lines().len(), lines, "{}", rules.name);
            assert!(rules.lines().iter().all(|&line| rules.holds_line(line)), "{}", rules.name);
        }
    }
}
