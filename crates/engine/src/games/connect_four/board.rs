//! The rules of Connect Four on bitboards.
//!
//! Seven bits a column, from the bottom up; the topmost is always empty, so that a shift never
//! carries a stone into the next column:
//!
//! ```text
//!  6 13 20 27 34 41 48   always empty
//!  5 12 19 26 33 40 47   top row
//!  4 11 18 25 32 39 46
//!  3 10 17 24 31 38 45
//!  2  9 16 23 30 37 44
//!  1  8 15 22 29 36 43
//!  0  7 14 21 28 35 42   bottom row
//! ```

use crate::game::{Move, Outcome, Position, Side, Symmetry};

/// Columns and rows of the board.
pub(super) const COLUMNS: u32 = 7;
pub(super) const ROWS: u32 = 6;
/// Bits from one column to the next.
pub(super) const STRIDE: u32 = ROWS + 1;

/// The lowest cell of every column.
pub(super) const BOTTOM: u64 = 0x0000_0408_1020_4081 | 1 << 42;
/// All cells.
pub(super) const CELLS: u64 = BOTTOM * ((1 << ROWS) - 1);

/// From a cell to the next one of a line: up, right, down right, up right.
pub(super) const DIRECTIONS: [u32; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];

/// With up to this many stones mirrored positions are folded. Later, a position and its mirror image
/// hardly ever stand in one search, and folding costs more than it saves.
const FOLDED: u32 = 12;

/// The columns in the game's order: from the centre.
pub(super) const CENTRE_FIRST: [u8; 7] = [3, 2, 4, 1, 5, 0, 6];

/// A column, from 0 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column(pub(super) u8);

impl Move for Column {
    const INDICES: u16 = 7;

    fn move_index(self) -> u16 {
        u16::from(self.0)
    }
}

/// The columns with room for a stone, from the centre.
#[derive(Clone, Debug)]
pub struct Columns {
    stones: u64,
    next: usize,
}

impl Iterator for Columns {
    type Item = Column;

    #[inline]
    fn next(&mut self) -> Option<Column> {
        while let Some(&column) = CENTRE_FIRST.get(self.next) {
            self.next += 1;
            if self.stones & top_cell(column) == 0 {
                return Some(Column(column));
            }
        }
        None
    }
}

/// The stones of both sides and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFourBoard {
    /// The stones of the side to move.
    own: u64,
    /// All stones.
    stones: u64,
    side: Side,
}

/// The bit of a cell: `row` counts from the bottom.
pub(super) const fn cell(column: u32, row: u32) -> u64 {
    1 << (column * STRIDE + row)
}

/// All cells of a column.
pub(super) const fn column_cells(column: u8) -> u64 {
    ((1 << ROWS) - 1) << (column as u32 * STRIDE)
}

/// All cells of the column of this cell.
pub(super) const fn column_around(cell: u64) -> u64 {
    column_cells((cell.trailing_zeros() / STRIDE) as u8)
}

/// These cells one by one.
fn cells_of(cells: u64) -> impl Iterator<Item = u64> {
    let rest = std::iter::successors(Some(cells), |&rest| Some(rest & rest.wrapping_sub(1)));
    rest.take_while(|&rest| rest != 0).map(|rest| rest & rest.wrapping_neg())
}

fn top_cell(column: u8) -> u64 {
    cell(u32::from(column), ROWS - 1)
}

/// The lowest cells of all lines of four that these stones hold.
pub(super) fn fours(stones: u64, direction: u32) -> u64 {
    let pairs = stones & stones >> direction;
    pairs & pairs >> (2 * direction)
}

/// Whether these stones hold four in a line.
#[inline]
pub(super) fn holds_four(stones: u64) -> bool {
    DIRECTIONS.iter().any(|&direction| fours(stones, direction) != 0)
}

impl ConnectFourBoard {
    /// The empty board, X to move.
    pub(super) const EMPTY: Self = Self { own: 0, stones: 0, side: Side::First };

    /// A board whose stones are known to be possible.
    pub(super) fn from_stones([first, second]: [u64; 2], side: Side) -> Self {
        let own = if side == Side::First { first } else { second };
        Self { own, stones: first | second, side }
    }

    /// The stones of the side to move.
    pub(super) fn own(&self) -> u64 {
        self.own
    }

    /// The board on which the opponent moves in place of the side to move. The pieces change hands and the side stays,
    /// so that the number of pieces still fits the side to move.
    pub(super) fn passed(&self) -> Self {
        Self { own: self.other(), ..*self }
    }

    /// The stones of the opponent.
    pub(super) fn other(&self) -> u64 {
        self.own ^ self.stones
    }

    /// All stones.
    pub(super) fn stones(&self) -> u64 {
        self.stones
    }

    /// The stones of X and of O.
    pub(super) fn by_side(&self) -> [u64; 2] {
        match self.side {
            Side::First => [self.own, self.other()],
            Side::Second => [self.other(), self.own],
        }
    }

    /// The board after a stone on this cell, a landing cell.
    #[inline]
    pub(super) fn with_stone(&self, cell: u64) -> Self {
        Self { own: self.other(), stones: self.stones | cell, side: self.side.other() }
    }

    /// The boards one ply before this one, whether or not a game leads to them.
    pub(super) fn predecessors(&self) -> impl Iterator<Item = Self> {
        let tops = self.stones & !(self.stones >> 1);
        let last = cells_of(self.other() & tops);
        last.map(|cell| Self {
            own: self.other() ^ cell,
            stones: self.stones ^ cell,
            side: self.side.other(),
        })
    }

    /// The same game with the names of the sides exchanged where the second one began.
    pub(super) fn as_if_first_began(&self) -> Self {
        let is_even = self.stones.count_ones().is_multiple_of(2);
        Self { side: if is_even { Side::First } else { Side::Second }, ..*self }
    }

    /// The cell on which a stone in this column comes to lie.
    pub(super) fn landing_cell(&self, column: Column) -> u64 {
        let bottom = cell(u32::from(column.0), 0);
        (self.stones + bottom) & !self.stones & (bottom * ((1 << STRIDE) - 1))
    }
}

impl Position for ConnectFourBoard {
    type Move = Column;
    type Moves = Columns;

    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if holds_four(self.other()) {
            Some(Outcome::Loss)
        } else {
            (self.stones == CELLS).then_some(Outcome::Draw)
        }
    }

    #[inline]
    fn legal_moves(&self) -> Columns {
        Columns { stones: self.stones, next: 0 }
    }

    #[inline]
    fn play(&self, column: Column) -> Self {
        let stones = self.stones | (self.stones + cell(u32::from(column.0), 0));
        Self { own: self.other(), stones, side: self.side.other() }
    }

    fn key(&self) -> u64 {
        key(self.own, self.stones, self.side)
    }

    #[inline]
    fn canonical(&self) -> (u64, Symmetry) {
        let seen = self.key();
        if self.stones.count_ones() > FOLDED {
            return (seen, Symmetry(0));
        }
        let mirrored = key(mirrored(self.own), mirrored(self.stones), self.side);
        if mirrored < seen { (mirrored, Symmetry(1)) } else { (seen, Symmetry(0)) }
    }

    fn transformed(column: Column, symmetry: Symmetry) -> Column {
        if symmetry.0 == 0 { column } else { Column(COLUMNS as u8 - 1 - column.0) }
    }

    #[inline]
    fn plies_left(&self) -> Option<u32> {
        Some(COLUMNS * ROWS - self.stones.count_ones())
    }
}

/// The sum of the own stones and all stones tells every column's height and its stones (Tromp, the
/// fhourstones benchmark).
fn key(own: u64, stones: u64, side: Side) -> u64 {
    (own + stones) << 1 | side as u64
}

/// The same stones seen from behind the board.
fn mirrored(stones: u64) -> u64 {
    const COLUMN: u64 = (1 << STRIDE) - 1;
    let centre = stones & COLUMN << (3 * STRIDE);
    (0..3).fold(centre, |board, left| {
        let distance = 2 * (3 - left) * STRIDE;
        let right = COLUMN << ((6 - left) * STRIDE);
        board | (stones & right) >> distance | (stones & right >> distance) << distance
    })
}
