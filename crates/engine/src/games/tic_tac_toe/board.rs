//! The rules: two sets of cells on a square board, where the first line of marks ends the game.
//!
//! The board is the top left part of eight rows of eight bits. The bits right of the board and below it stay empty, so
//! that a shift never carries a mark into the next row. On three rows of three cells:
//!
//! ```text
//!  0  1  2
//!  8  9 10
//! 16 17 18
//! ```

use super::super::bits;
use super::TicTacToe;
use crate::game::{Move, Outcome, Position, Side, Symmetry};

/// With up to this many marks symmetric positions are folded. Later, a position and its images hardly ever stand in one
/// search.
const FOLDED: u32 = 9;

/// The most lines, those of the board 7x7x5.
const MOST_LINES: usize = 60;

/// From a cell to the next one of a line: right, down, down right, down left.
const DIRECTIONS: [u32; 4] = [1, 8, 9, 7];

/// The rules of a variant.
pub(super) struct Rules {
    pub(super) name: &'static str,
    /// The cells of a row, and the rows; 7 at most.
    pub(super) width: u8,
    /// The cells of a line.
    pub(super) length: u32,
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
    const fn new(name: &'static str, width: u8, length: u32, is_misere: bool) -> Self {
        let (mut full, mut row) = (0, 0);
        while row < width {
            full |= ((1 << width) - 1) << (8 * row);
            row += 1;
        }
        let (mut lines, mut line_count, mut place) = ([0; MOST_LINES], 0, 0);
        while place < 64 * DIRECTIONS.len() {
            let (mut line, mut step) = (0, 0);
            while step < length {
                line |= 1 << (step * DIRECTIONS[place / 64]);
                step += 1;
            }
            line <<= place % 64;
            if line & !full == 0 {
                lines[line_count] = line;
                line_count += 1;
            }
            place += 1;
        }
        Self { name, width, length, is_misere, full, lines, line_count }
    }

    /// All lines: rows, columns, falling diagonals, rising diagonals.
    pub(super) fn lines(&self) -> &[u64] {
        &self.lines[..self.line_count]
    }

    /// Whether these cells hold a line.
    #[inline]
    pub(super) fn holds_line(&self, cells: u64) -> bool {
        DIRECTIONS
            .into_iter()
            .any(|direction| (1..self.length).fold(cells, |run, _| run & run >> direction) != 0)
    }

    /// A set of cells without the bits between its rows.
    fn packed(&self, cells: u64) -> u128 {
        let row = |row: u8| cells >> (8 * row) & ((1 << self.width) - 1);
        let packed = (0..self.width).fold(0, |packed, at| packed | row(at) << (self.width * at));
        packed.into()
    }
}

/// A mark in a cell, by its bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(pub(super) u8);

impl Move for Mark {
    const INDICES: u16 = 64;

    fn move_index(self) -> u16 {
        u16::from(self.0)
    }
}

/// The marks in the cells of a set, in ascending order.
#[derive(Clone, Debug)]
pub struct Marks(u64);

impl Iterator for Marks {
    type Item = Mark;

    #[inline]
    fn next(&mut self) -> Option<Mark> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < u64::BITS).then_some(Mark(bit as u8))
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
        match (self.own >> cell & 1, self.other >> cell & 1) {
            (1, _) => Some(self.side),
            (_, 1) => Some(self.side.other()),
            _ => None,
        }
    }

    /// The board on which the opponent moves in place of the side to move. The marks change hands and the side stays, so
    /// that the number of marks still fits the side to move.
    pub(super) fn passed(&self) -> Self {
        Self { own: self.other, other: self.own, ..*self }
    }

    /// The cells of both sides and the side to move, folded where they need more than 64 bits.
    fn key_of(&self, sets: [u64; 2]) -> u64 {
        let rules = self.rules();
        let [own, other] = sets.map(|cells| rules.packed(cells));
        bits::folded(own << (rules.width * rules.width + 1) | other << 1 | self.side as u128)
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
        Marks(self.empty_cells())
    }

    #[inline]
    fn play(&self, Mark(cell): Mark) -> Self {
        Self { own: self.other, other: self.own | 1 << cell, side: self.side.other(), ..*self }
    }

    fn key(&self) -> u64 {
        self.key_of([self.own, self.other])
    }

    fn canonical(&self) -> (u64, Symmetry) {
        let sets = [self.own, self.other];
        let (sets, symmetry) = match (self.own | self.other).count_ones() {
            0..=FOLDED => bits::canonical(sets, self.rules().width),
            _ => (sets, Symmetry(0)),
        };
        (self.key_of(sets), symmetry)
    }

    fn transformed(Mark(cell): Mark, symmetry: Symmetry) -> Mark {
        Mark(bits::turned(1 << cell, symmetry).trailing_zeros() as u8)
    }

    fn plies_left(&self) -> Option<u32> {
        Some(self.empty_cells().count_ones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and columns with so many places for a line each, and two diagonal directions.
    #[test]
    fn a_board_has_as_many_lines_as_fit_on_it() {
        for rules in &RULES {
            let width = usize::from(rules.width);
            let places = width + 1 - rules.length as usize;
            let lines = 2 * places * width + 2 * places * places;
            assert_eq!(rules.lines().len(), lines, "{}", rules.name);
            assert!(rules.lines().iter().all(|&line| rules.holds_line(line)), "{}", rules.name);
        }
    }
}
