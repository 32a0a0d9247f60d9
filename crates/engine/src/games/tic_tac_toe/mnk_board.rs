//! Boards of other sizes and rules: `m,n,k` games, in which the first line of `k` cells on a square board ends the
//! game.
//!
//! Cells have their bits row by row from the top left, with an empty bit after each row, so that a shift never carries a
//! mark into the next row. On four rows of four cells:
//!
//! ```text
//!  0  1  2  3
//!  5  6  7  8
//! 10 11 12 13
//! 15 16 17 18
//! ```

use super::board::turned_cell;
use crate::game::{Move, Outcome, Position, Side, Symmetry};

/// With up to this many marks symmetric positions are folded.
const FOLDED: u32 = 6;

/// The most cells of a row.
const MOST: usize = 7;

/// The most lines, those of the board 7x7x5.
const MOST_LINES: usize = 60;

/// How many variants there are.
pub(super) const COUNT: usize = 6;

/// The rules of a variant.
pub(super) struct Rules {
    pub(super) name: &'static str,
    /// The cells of a row, and the rows.
    pub(super) width: u32,
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
pub(super) static RULES: [Rules; COUNT] = [
    Rules::new("4x4x4", 4, 4, false),
    Rules::new("4x4x3", 4, 3, false),
    Rules::new("5x5x4", 5, 4, false),
    Rules::new("6x6x5", 6, 5, false),
    Rules::new("7x7x5", 7, 5, false),
    Rules::new("misere", 3, 3, true),
];

impl Rules {
    const fn new(name: &'static str, width: u32, length: u32, is_misere: bool) -> Self {
        let mut rules =
            Self { name, width, length, is_misere, full: 0, lines: [0; MOST_LINES], line_count: 0 };
        let mut cell = 0;
        while cell < width * width {
            rules.full |= rules.bit(cell as u8);
            cell += 1;
        }
        let directions = rules.directions();
        cell = 0;
        while cell < width * width {
            let mut direction = 0;
            while direction < directions.len() {
                let (mut line, mut step) = (0, 0);
                while step < length {
                    line |= rules.bit(cell as u8) << (step * directions[direction]);
                    step += 1;
                }
                if line & !rules.full == 0 {
                    rules.lines[rules.line_count] = line;
                    rules.line_count += 1;
                }
                direction += 1;
            }
            cell += 1;
        }
        rules
    }

    /// From a cell to the next one of a line: right, down left, down, down right.
    const fn directions(&self) -> [u32; 4] {
        [1, self.width, self.width + 1, self.width + 2]
    }

    /// All lines.
    pub(super) fn lines(&self) -> &[u64] {
        &self.lines[..self.line_count]
    }

    /// The bit of a cell.
    pub(super) const fn bit(&self, cell: u8) -> u64 {
        1 << (cell as u32 + cell as u32 / self.width)
    }

    /// The cell of a bit.
    fn cell(&self, bit: u32) -> u8 {
        (bit - bit / (self.width + 1)) as u8
    }

    /// Whether these cells hold a line.
    fn holds_line(&self, cells: u64) -> bool {
        self.directions()
            .into_iter()
            .any(|direction| (1..self.length).fold(cells, |run, _| run & run >> direction) != 0)
    }

    /// These cells under one of the symmetries of the square.
    fn turned(&'static self, cells: u64, symmetry: u8) -> u64 {
        Marks { rules: self, cells }.fold(0, |turned, Mark(cell)| {
            turned | self.bit(turned_cell(cell, self.width as u8, symmetry))
        })
    }
}

/// A mark in a cell, from 0 row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(pub(super) u8);

impl Move for Mark {
    const INDICES: u16 = (MOST * MOST) as u16;

    fn move_index(self) -> u16 {
        u16::from(self.0)
    }
}

/// The cells in a set, in ascending order.
#[derive(Clone)]
pub struct Marks {
    rules: &'static Rules,
    cells: u64,
}

impl Iterator for Marks {
    type Item = Mark;

    fn next(&mut self) -> Option<Mark> {
        let bit = self.cells.trailing_zeros();
        self.cells &= self.cells.wrapping_sub(1);
        (bit < u64::BITS).then(|| Mark(self.rules.cell(bit)))
    }
}

/// The cells of both sides and whose turn it is, by the rules of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MnkBoard {
    /// The cells of the side to move and of its opponent.
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) side: Side,
    /// The place of the rules among [`RULES`].
    variant: u8,
}

impl MnkBoard {
    /// The empty board of a variant.
    pub(super) fn empty(variant: u8) -> Self {
        Self { own: 0, other: 0, side: Side::First, variant }
    }

    /// A board whose marks are known to be possible.
    pub(super) fn from_cells(variant: u8, [first, second]: [u64; 2], side: Side) -> Self {
        let (own, other) = if side == Side::First { (first, second) } else { (second, first) };
        Self { own, other, side, variant }
    }

    /// The rules of the variant.
    pub(super) fn rules(&self) -> &'static Rules {
        &RULES[usize::from(self.variant)]
    }

    /// The empty cells.
    pub(super) fn empty_cells(&self) -> u64 {
        self.rules().full & !(self.own | self.other)
    }

    /// The cells of the first line that the opponent of the side to move has completed.
    pub(super) fn line(&self) -> Option<u64> {
        self.rules().lines().iter().copied().find(|&line| self.other & line == line)
    }

    /// Whose mark stands in a cell.
    pub(super) fn owner(&self, cell: u8) -> Option<Side> {
        match self.rules().bit(cell) {
            bit if self.own & bit != 0 => Some(self.side),
            bit if self.other & bit != 0 => Some(self.side.other()),
            _ => None,
        }
    }

    /// The board after a mark in an empty cell, which is a bit.
    pub(super) fn with_mark(&self, bit: u64) -> Self {
        Self { own: self.other, other: self.own | bit, side: self.side.other(), ..*self }
    }

    /// The board on which the opponent moves in place of the side to move: the marks change hands.
    pub(super) fn passed(&self) -> Self {
        Self { own: self.other, other: self.own, ..*self }
    }

    /// The cells of both sides and the side to move, where they fit in 64 bits; else the upper ones are spread over the
    /// others by an odd constant of Knuth.
    fn key_of(&self, own: u64, other: u64) -> u64 {
        const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15;
        let width = self.rules().width;
        let cells = u128::from(own) << (width * (width + 1)) | u128::from(other);
        let whole = cells << 1 | self.side as u128;
        (whole ^ ((whole >> 64) * SPREAD)) as u64
    }
}

impl Position for MnkBoard {
    type Move = Mark;
    type Moves = Marks;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let rules = self.rules();
        if rules.holds_line(self.other) {
            Some(if rules.is_misere { Outcome::Win } else { Outcome::Loss })
        } else {
            (self.empty_cells() == 0).then_some(Outcome::Draw)
        }
    }

    fn legal_moves(&self) -> Marks {
        Marks { rules: self.rules(), cells: self.empty_cells() }
    }

    fn play(&self, Mark(cell): Mark) -> Self {
        self.with_mark(self.rules().bit(cell))
    }

    fn key(&self) -> u64 {
        self.key_of(self.own, self.other)
    }

    /// The number of a symmetry holds the width too, since a cell alone does not tell it.
    fn canonical(&self) -> (u64, Symmetry) {
        let mut best = (self.key(), Symmetry(0));
        if (self.own | self.other).count_ones() > FOLDED {
            return best;
        }
        let rules = self.rules();
        for symmetry in 1..8 {
            let [own, other] = [self.own, self.other].map(|cells| rules.turned(cells, symmetry));
            let key = self.key_of(own, other);
            if key < best.0 {
                best = (key, Symmetry(rules.width as u8 * 8 + symmetry));
            }
        }
        best
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and columns with so many places for a line each, and two diagonal directions.
    #[test]
    fn a_board_has_as_many_lines_as_fit_on_it() {
        for rules in &RULES {
            let places = (rules.width - rules.length + 1) as usize;
            let lines = 2 * places * rules.width as usize + 2 * places * places;
            assert_eq!(rules.lines().len(), lines, "{}", rules.name);
            assert!(rules.lines().iter().all(|&line| rules.holds_line(line)), "{}", rules.name);
        }
    }
}
