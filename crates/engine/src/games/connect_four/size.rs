//! The sizes of boards, and the cells of a board.
//!
//! A column has a bit for each row, from the bottom up, and one more, which is always empty, so that a shift
//! never carries a stone into the next column. On the standard board:
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

use std::fmt::Debug;
use std::hash::Hash;

use num_traits::{One, PrimInt};

use super::ConnectFourOn;

/// A set of cells, a bit each.
pub trait CellSet: PrimInt + Into<u128> + Debug + Hash + Send + Sync + 'static {}

impl CellSet for u64 {}

impl CellSet for u128 {}

/// The size of a board: a constant, or fields.
pub trait BoardSize: Copy + Debug + Eq + Send + Sync + 'static {
    /// What holds the cells of a board.
    type Cells: CellSet;

    /// The games on boards of all sizes of this type.
    const VARIANTS: &'static [ConnectFourOn<Self>];

    /// The size as fields.
    fn fields(&self) -> &Size<Self::Cells>;
}

/// The most columns and rows.
pub(super) const MOST_COLUMNS: usize = 10;
const MOST_ROWS: usize = 8;

/// The fewest columns and rows.
const FEWEST: usize = 4;

/// Columns and rows, with the sets of cells that a search needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size<C> {
    columns: u8,
    rows: u8,
    /// The columns from the centre.
    centre_first: [u8; MOST_COLUMNS],
    bottom: C,
    odd_rows: C,
}

impl Size<u128> {
    const fn new(columns: usize, rows: usize) -> Self {
        let (mut bottom, mut odd_rows, mut centre_first) = (0, 0, [0; MOST_COLUMNS]);
        let centre = (columns as u8 - 1) / 2;
        let mut column = 0;
        while column < columns {
            bottom |= 1 << (column * (rows + 1));
            // Left of the centre and right of it by turns, in a board of even width the right one first.
            let distance = (column as u8).div_ceil(2);
            let is_left = (column % 2 == 1) == (columns % 2 == 1);
            centre_first[column] = if is_left { centre - distance } else { centre + distance };
            column += 1;
        }
        let mut row = 0;
        while row < rows {
            odd_rows |= bottom << row;
            row += 2;
        }
        Self { columns: columns as u8, rows: rows as u8, centre_first, bottom, odd_rows }
    }
}

/// Seven columns and six rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandardSize;

impl BoardSize for StandardSize {
    type Cells = u64;

    const VARIANTS: &'static [ConnectFourOn<Self>] = &[ConnectFourOn(Self)];

    #[inline]
    fn fields(&self) -> &Size<u64> {
        const {
            let Size { columns, rows, centre_first, bottom, odd_rows } = Size::new(7, 6);
            &Size { columns, rows, centre_first, bottom: bottom as u64, odd_rows: odd_rows as u64 }
        }
    }
}

/// The number of sizes beside the standard size.
const OTHER_SIZES: usize = (MOST_COLUMNS - FEWEST + 1) * (MOST_ROWS - FEWEST + 1) - 1;

impl BoardSize for Size<u128> {
    type Cells = u128;

    /// By columns and then by rows.
    const VARIANTS: &'static [ConnectFourOn<Self>] = &{
        let mut variants = [const { ConnectFourOn(Self::new(FEWEST, FEWEST)) }; OTHER_SIZES];
        let (mut place, mut columns) = (0, FEWEST);
        while columns <= MOST_COLUMNS {
            let mut rows = FEWEST;
            while rows <= MOST_ROWS {
                if columns != 7 || rows != 6 {
                    variants[place] = ConnectFourOn(Self::new(columns, rows));
                    place += 1;
                }
                rows += 1;
            }
            columns += 1;
        }
        variants
    };

    #[inline]
    fn fields(&self) -> &Self {
        self
    }
}

/// The cells of the board.
impl<S: BoardSize> ConnectFourOn<S> {
    pub(super) fn is_standard(&self) -> bool {
        (self.columns(), self.rows()) == (7, 6)
    }

    /// The number of columns.
    #[inline]
    pub(super) fn columns(&self) -> usize {
        usize::from(self.0.fields().columns)
    }

    /// The number of rows.
    #[inline]
    pub(super) fn rows(&self) -> usize {
        usize::from(self.0.fields().rows)
    }

    /// The columns in the game's order: from the centre.
    #[inline]
    pub(super) fn centre_first(&self) -> &[u8] {
        &self.0.fields().centre_first[..self.columns()]
    }

    /// The lowest cell of every column.
    #[inline]
    pub(super) fn bottom(&self) -> S::Cells {
        self.0.fields().bottom
    }

    /// The cells of rows 1, 3, 5 and so on.
    #[inline]
    pub(super) fn odd_rows(&self) -> S::Cells {
        self.0.fields().odd_rows
    }

    /// The cells of rows 2, 4, 6 and so on, as far as the topmost bit of a column.
    #[inline]
    pub(super) fn even_rows(&self) -> S::Cells {
        self.odd_rows() << 1
    }

    /// The bit above the top cell of every column.
    #[inline]
    pub(super) fn above_top(&self) -> S::Cells {
        self.bottom() << self.rows()
    }

    /// All cells.
    #[inline]
    pub(super) fn all_cells(&self) -> S::Cells {
        self.above_top() - self.bottom()
    }

    /// Bits from one column to the next.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.rows() + 1
    }

    /// From a cell to the next one of a line: up, right, down right, up right.
    #[inline]
    pub(super) fn directions(&self) -> [usize; 4] {
        [1, self.stride(), self.stride() - 1, self.stride() + 1]
    }

    /// The bit of a cell: `row` counts from the bottom.
    #[inline]
    pub(super) fn cell(&self, column: usize, row: usize) -> S::Cells {
        S::Cells::one() << (column * self.stride() + row)
    }

    /// The bit of a cell on a picture of the board: `row` counts from the top.
    pub(super) fn drawn_cell(&self, row: u8, column: u8) -> S::Cells {
        self.cell(usize::from(column), self.rows() - 1 - usize::from(row))
    }

    /// All cells of a column.
    #[inline]
    pub(super) fn column_cells(&self, column: usize) -> S::Cells {
        let first = S::Cells::one();
        ((first << self.rows()) - first) << (column * self.stride())
    }
}

/// Whether a set is one cell.
#[inline]
pub(super) fn is_one<C: CellSet>(cells: C) -> bool {
    cells != C::zero() && cells & (cells - C::one()) == C::zero()
}

/// The cell of the lowest bit of a set that is not empty.
#[inline]
pub(super) fn lowest<C: CellSet>(cells: C) -> C {
    cells & !(cells - C::one())
}
