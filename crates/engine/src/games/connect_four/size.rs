//! The sizes of boards, and what follows from a size.
//!
//! A board has one bit more a column than it has rows, from the bottom up; the topmost is always empty, so that a shift
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
use std::ops::{Add, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr, Sub};

/// A set of cells, a bit each.
pub trait CellSet:
    Copy
    + Debug
    + Eq
    + Hash
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Sub<Output = Self>
{
    /// No cell.
    const NONE: Self;
    /// The cell of the lowest bit.
    const FIRST: Self;

    /// How many cells there are.
    fn count(self) -> u32;

    /// The number of the lowest bit; the width of the type where there is none.
    fn lowest_bit(self) -> u32;

    /// The set as 64 bits: itself where it fits, else with the other bits mixed in.
    fn fold(self) -> u64;

    /// Whether this is one cell.
    #[inline]
    fn is_one(self) -> bool {
        self != Self::NONE && self & (self - Self::FIRST) == Self::NONE
    }

    /// The cell of the lowest bit of a set that is not empty.
    #[inline]
    fn lowest(self) -> Self {
        self & !(self - Self::FIRST)
    }
}

impl CellSet for u64 {
    const NONE: Self = 0;
    const FIRST: Self = 1;

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn lowest_bit(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn fold(self) -> u64 {
        self
    }
}

impl CellSet for u128 {
    const NONE: Self = 0;
    const FIRST: Self = 1;

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn lowest_bit(self) -> u32 {
        self.trailing_zeros()
    }

    /// An odd constant of Knuth spreads the few upper bits over all.
    #[inline]
    fn fold(self) -> u64 {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        self as u64 ^ ((self >> 64) as u64).wrapping_mul(SPREAD)
    }
}

/// The size of a board.
pub trait BoardSize: Copy + Debug + Eq + Send + Sync + 'static {
    /// What holds the cells of a board.
    type Cells: CellSet;

    /// A value for each column.
    type PerColumn<T: Copy>: AsMut<[T]> + AsRef<[T]> + Copy;

    /// What follows from the size.
    fn geometry(self) -> &'static Geometry<Self::Cells>;

    /// The same value for each column.
    fn per_column<T: Copy>(value: T) -> Self::PerColumn<T>;

    /// How many columns there are.
    #[inline]
    fn columns(self) -> u32 {
        self.geometry().columns
    }

    /// How many rows there are.
    #[inline]
    fn rows(self) -> u32 {
        self.geometry().rows
    }

    /// The lowest cell of every column.
    #[inline]
    fn bottom(self) -> Self::Cells {
        self.geometry().bottom
    }

    /// All cells.
    #[inline]
    fn cells(self) -> Self::Cells {
        self.geometry().cells
    }

    /// The cells of rows 1, 3, 5 and so on.
    #[inline]
    fn odd_rows(self) -> Self::Cells {
        self.geometry().odd_rows
    }

    /// The columns in the game's order: from the centre.
    #[inline]
    fn centre_first(self) -> &'static [u8] {
        let Geometry { columns, centre_first, .. } = self.geometry();
        &centre_first[..*columns as usize]
    }

    /// Bits from one column to the next.
    #[inline]
    fn stride(self) -> u32 {
        self.rows() + 1
    }

    /// From a cell to the next one of a line: up, right, down right, up right.
    #[inline]
    fn directions(self) -> [u32; 4] {
        [1, self.stride(), self.stride() - 1, self.stride() + 1]
    }

    /// The bit of a cell: `row` counts from the bottom.
    #[inline]
    fn cell(self, column: u32, row: u32) -> Self::Cells {
        Self::Cells::FIRST << (column * self.stride() + row)
    }

    /// All cells of a column.
    #[inline]
    fn column_cells(self, column: u8) -> Self::Cells {
        let first = Self::Cells::FIRST;
        ((first << self.rows()) - first) << (u32::from(column) * self.stride())
    }

    /// The cells of rows 2, 4, 6 and so on, as far as the topmost bit of a column.
    #[inline]
    fn even_rows(self) -> Self::Cells {
        self.odd_rows() << 1
    }
}

const MOST_COLUMNS: usize = 10;

/// What follows from the size of a board: its columns and rows, and sets of its cells.
pub struct Geometry<C> {
    columns: u32,
    rows: u32,
    bottom: C,
    cells: C,
    odd_rows: C,
    centre_first: [u8; MOST_COLUMNS],
}

impl Geometry<u128> {
    const fn new(columns: u32, rows: u32) -> Self {
        let (mut bottom, mut odd_rows, mut centre_first) = (0, 0, [0; MOST_COLUMNS]);
        let centre = (columns as u8 - 1) / 2;
        let mut column = 0;
        while column < columns {
            bottom |= 1 << (column * (rows + 1));
            // Left of the centre and right of it by turns, in a board of even width the right one first.
            let distance = (column as u8).div_ceil(2);
            let is_left = (column % 2 == 1) == (columns % 2 == 1);
            centre_first[column as usize] =
                if is_left { centre - distance } else { centre + distance };
            column += 1;
        }
        let mut row = 0;
        while row < rows {
            odd_rows |= bottom << row;
            row += 2;
        }
        let cells = bottom * ((1 << rows) - 1);
        Self { columns, rows, bottom, cells, odd_rows, centre_first }
    }

    /// The same in 64 bits, of a board of as many cells.
    const fn narrow(self) -> Geometry<u64> {
        Geometry {
            columns: self.columns,
            rows: self.rows,
            bottom: self.bottom as u64,
            cells: self.cells as u64,
            odd_rows: self.odd_rows as u64,
            centre_first: self.centre_first,
        }
    }
}

/// Seven columns and six rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandardSize;

impl BoardSize for StandardSize {
    type Cells = u64;
    type PerColumn<T: Copy> = [T; 7];

    #[inline]
    fn geometry(self) -> &'static Geometry<u64> {
        const { &Geometry::new(7, 6).narrow() }
    }

    #[inline]
    fn per_column<T: Copy>(value: T) -> [T; 7] {
        [value; 7]
    }
}

/// A size that is known when the program runs: its place in `SIZES`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherSize(u8);

/// How many sizes there are beside the standard one: widths 4 to 9 by heights 4 to 7, and two more.
const COUNT: usize = 6 * 4 - 1 + 2;

/// All sizes but the standard one.
static SIZES: [Geometry<u128>; COUNT] = {
    let mut sizes = [const { Geometry::new(8, 8) }; COUNT];
    let (mut place, mut columns) = (0, 4);
    while columns <= 9 {
        let mut rows = 4;
        while rows <= 7 {
            if columns != 7 || rows != 6 {
                sizes[place] = Geometry::new(columns, rows);
                place += 1;
            }
            rows += 1;
        }
        columns += 1;
    }
    sizes[COUNT - 1] = Geometry::new(10, 6);
    sizes
};

impl OtherSize {
    /// All of them, by widths and then by heights.
    pub(super) const ALL: [Self; COUNT] = {
        let mut all = [Self(0); COUNT];
        let mut place = 0;
        while place < COUNT {
            all[place] = Self(place as u8);
            place += 1;
        }
        all
    };

    /// Its place among [`ALL`](Self::ALL).
    pub(super) fn place(self) -> usize {
        usize::from(self.0)
    }
}

impl BoardSize for OtherSize {
    type Cells = u128;
    type PerColumn<T: Copy> = [T; MOST_COLUMNS];

    #[inline]
    fn geometry(self) -> &'static Geometry<u128> {
        &SIZES[self.place()]
    }

    #[inline]
    fn per_column<T: Copy>(value: T) -> [T; MOST_COLUMNS] {
        [value; MOST_COLUMNS]
    }
}
