//! The numbers of the positions with few pieces.

/// The positions with the same pieces, seen by the side to move: its pieces first, then its opponent's. Each has a number
/// from 0.
pub trait Slice: Copy + Eq {
    /// Where the pieces stand.
    type Placement;

    /// The slices with this number of pieces, in an order in which captures and promotions lead to earlier slices.
    fn of_pieces(pieces: u8) -> Vec<Self>;

    /// The same pieces with the opponent to move.
    #[must_use]
    fn reversed(self) -> Self;

    /// The number of this slice among all slices.
    fn index(self) -> usize;

    /// The number of numbers. Some may stand for no position.
    fn positions(self) -> usize;

    /// The position of a number; `None` where the number stands for no position.
    fn placement(self, number: usize) -> Option<Self::Placement>;

    /// The slice of a position, and its number there.
    fn place(placement: &Self::Placement) -> (Self, usize);
}

/// Where the values of each slice begin in one row of values.
#[derive(Debug)]
pub struct Layout {
    /// By the index of the slice.
    starts: Vec<Option<usize>>,
    values: usize,
}

impl Layout {
    /// All slices of a game of up to `pieces` pieces, those with fewer pieces first.
    #[must_use]
    pub fn up_to<S: Slice>(pieces: u8) -> Self {
        Self::of((2..=pieces).flat_map(S::of_pieces))
    }

    /// These slices, one after the other.
    pub(crate) fn of<S: Slice>(slices: impl Iterator<Item = S>) -> Self {
        let (mut starts, mut values) = (Vec::new(), 0);
        for slice in slices {
            let index = slice.index();
            starts.resize(starts.len().max(index + 1), None);
            starts[index] = Some(values);
            values += slice.positions();
        }
        Self { starts, values }
    }

    /// The number of all values.
    #[must_use]
    pub fn values(&self) -> usize {
        self.values
    }

    /// The place of the first value of a slice; `None` for a slice without values.
    pub fn start<S: Slice>(&self, slice: S) -> Option<usize> {
        *self.starts.get(slice.index())?
    }

    /// The place of the value of a position; `None` for a position without a value.
    pub fn place<S: Slice>(&self, placement: &S::Placement) -> Option<usize> {
        let (slice, number) = S::place(placement);
        Some(self.start(slice)? + number)
    }
}
