//! The rules of Connect Four on bitboards.

use num_traits::{One, PrimInt, Zero};

use super::super::bits::folded;
use super::ConnectFourOn;
use super::size::{BoardSize, CellSet, Size, StandardSize, lowest};
use crate::game::{KnowledgeKind, Move, Outcome, Position, Properties, Side, Symmetry};

/// With up to this many stones mirrored positions are folded. Later, a position and its mirror image
/// hardly ever stand in one search, and folding costs more than it saves.
const FOLDED: u32 = 12;

/// A column, from 0 to 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column(pub(super) u8);

impl Move for Column {
    const INDICES: u16 = 10;

    fn move_index(self) -> u16 {
        u16::from(self.0)
    }
}

/// The columns with room for a stone, from the centre.
#[derive(Clone, Debug)]
pub struct Columns<S: BoardSize> {
    game: ConnectFourOn<S>,
    stones: S::Cells,
    next: usize,
}

impl<S: BoardSize> Iterator for Columns<S> {
    type Item = Column;

    #[inline]
    fn next(&mut self) -> Option<Column> {
        while let Some(&column) = self.game.centre_first().get(self.next) {
            self.next += 1;
            let top = self.game.cell(usize::from(column), self.game.rows() - 1);
            if self.stones & top == S::Cells::zero() {
                return Some(Column(column));
            }
        }
        None
    }
}

/// The stones of both sides and whose turn it is, on a board of some size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardOf<S: BoardSize> {
    pub(super) game: ConnectFourOn<S>,
    /// The stones of the side to move.
    pub(super) own: S::Cells,
    /// All stones.
    pub(super) stones: S::Cells,
    side: Side,
}

/// The standard board.
pub type ConnectFourBoard = BoardOf<StandardSize>;

/// A board of another size.
pub type SizedConnectFourBoard = BoardOf<Size<u128>>;

/// The cells of a set one by one.
fn cells_of<C: CellSet>(cells: C) -> impl Iterator<Item = C> {
    let mut rest = cells;
    std::iter::from_fn(move || {
        let cell = (rest != C::zero()).then(|| lowest(rest))?;
        rest = rest ^ cell;
        Some(cell)
    })
}

/// The lowest cells of all lines of four among the stones.
#[inline]
pub(super) fn fours<C: CellSet>(stones: C, direction: usize) -> C {
    let pairs = stones & stones >> direction;
    pairs & pairs >> (2 * direction)
}

/// Whether the stones hold a line of four.
#[inline]
pub(super) fn holds_four<S: BoardSize>(game: ConnectFourOn<S>, stones: S::Cells) -> bool {
    game.directions().iter().any(|&direction| fours(stones, direction) != S::Cells::zero())
}

impl<S: BoardSize> BoardOf<S> {
    /// The empty board, X to move.
    pub(super) fn empty(game: ConnectFourOn<S>) -> Self {
        Self { game, own: S::Cells::zero(), stones: S::Cells::zero(), side: Side::First }
    }

    /// A board whose stones are known to be possible.
    pub(super) fn from_stones(
        game: ConnectFourOn<S>,
        [first, second]: [S::Cells; 2],
        to_move: Side,
    ) -> Self {
        let own = if to_move == Side::First { first } else { second };
        Self { game, own, stones: first | second, side: to_move }
    }

    /// The board on which the opponent moves in place of the side to move. The pieces change hands and the side stays,
    /// so that the number of pieces still fits the side to move.
    pub(super) fn passed(&self) -> Self {
        Self { own: self.other(), ..*self }
    }

    /// The stones of the opponent.
    pub(super) fn other(&self) -> S::Cells {
        self.own ^ self.stones
    }

    /// The stones of X and of O.
    pub(super) fn by_side(&self) -> [S::Cells; 2] {
        match self.side {
            Side::First => [self.own, self.other()],
            Side::Second => [self.other(), self.own],
        }
    }

    /// The board after a stone on this cell, a landing cell.
    #[inline]
    pub(super) fn with_stone(&self, cell: S::Cells) -> Self {
        let side = self.side.other();
        Self { game: self.game, own: self.other(), stones: self.stones | cell, side }
    }

    /// The boards one ply before, whether or not a game leads to a board.
    pub(super) fn predecessors(&self) -> impl Iterator<Item = Self> {
        let tops = self.stones & !(self.stones >> 1);
        let last = cells_of(self.other() & tops);
        last.map(|cell| Self {
            game: self.game,
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
    pub(super) fn landing_cell(&self, Column(column): Column) -> S::Cells {
        let column = usize::from(column);
        let bottom = self.game.cell(column, 0);
        (self.stones + bottom) & !self.stones & (self.game.column_cells(column) << 1 | bottom)
    }

    /// The sum of the own stones and all stones tells every column's height and its stones (Tromp, the
    /// fhourstones benchmark).
    #[inline]
    fn key_of(&self, own: S::Cells, stones: S::Cells) -> u64 {
        let side = if self.side == Side::First { S::Cells::zero() } else { S::Cells::one() };
        folded(((own + stones) << 1 | side).into())
    }

    /// The stones as seen from behind the board.
    #[inline]
    fn mirrored(&self, stones: S::Cells) -> S::Cells {
        let (columns, stride) = (self.game.columns(), self.game.stride());
        let column = self.game.column_cells(0);
        let centre = match columns % 2 {
            0 => S::Cells::zero(),
            _ => stones & column << (columns / 2 * stride),
        };
        (0..columns / 2).fold(centre, |board, left| {
            let distance = (columns - 1 - 2 * left) * stride;
            let right = column << ((columns - 1 - left) * stride);
            board | (stones & right) >> distance | (stones & right >> distance) << distance
        })
    }
}

impl<S: BoardSize> Position for BoardOf<S> {
    type Move = Column;
    type Moves = Columns<S>;

    const PROPERTIES: Properties =
        Properties { knowledge: KnowledgeKind::Book, ..Properties::DEFAULT };

    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if holds_four(self.game, self.other()) {
            Some(Outcome::Loss)
        } else {
            (self.stones == self.game.all_cells()).then_some(Outcome::Draw)
        }
    }

    #[inline]
    fn legal_moves(&self) -> Columns<S> {
        Columns { game: self.game, stones: self.stones, next: 0 }
    }

    #[inline]
    fn play(&self, column: Column) -> Self {
        let stones = self.stones | (self.stones + self.game.cell(usize::from(column.0), 0));
        Self { game: self.game, own: self.other(), stones, side: self.side.other() }
    }

    fn key(&self) -> u64 {
        self.key_of(self.own, self.stones)
    }

    #[inline]
    fn canonical(&self) -> (u64, Symmetry) {
        let seen = self.key();
        if self.stones.count_ones() > FOLDED {
            return (seen, Symmetry(0));
        }
        let mirrored = self.key_of(self.mirrored(self.own), self.mirrored(self.stones));
        let last_column = self.game.columns() as u8 - 1;
        if mirrored < seen { (mirrored, Symmetry(last_column)) } else { (seen, Symmetry(0)) }
    }

    /// The number of a mirror image is that of the last column, since a column alone does not tell it.
    fn transformed(column: Column, symmetry: Symmetry) -> Column {
        if symmetry.0 == 0 { column } else { Column(symmetry.0 - column.0) }
    }

    #[inline]
    fn plies_left(&self) -> Option<u32> {
        let cells = self.game.columns() * self.game.rows();
        Some(cells as u32 - self.stones.count_ones())
    }
}
