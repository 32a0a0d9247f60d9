//! The numbers of the positions with few pieces.

use std::marker::PhantomData;

/// The positions with the same pieces, seen by the side to move: those of the side to move first, then its
/// opponent's. Each has a number from 0.
pub trait Slice: Copy + Eq {
    /// Where the pieces stand.
    type Placement;

    /// All [indices](Self::index) are below this.
    const INDICES: usize;

    /// The slices of so many pieces, in an order in which captures and promotions lead to earlier ones.
    fn of_pieces(pieces: u8) -> Vec<Self>;

    /// The same pieces with the opponent to move.
    #[must_use]
    fn reversed(self) -> Self;

    /// The number of this slice among all slices.
    fn index(self) -> usize;

    /// How many numbers its positions have. Some may stand for none.
    fn positions(self) -> usize;

    /// The position of that number; none where the number stands for none.
    fn placement(self, number: usize) -> Option<Self::Placement>;

    /// The slice of a position, and its number there.
    fn place(placement: &Self::Placement) -> (Self, usize);
}

/// Where the values of each slice begin in one long row of values.
#[derive(Debug)]
pub struct SliceLayout<S> {
    /// By the index of the slice.
    starts: Vec<Option<usize>>,
    values: usize,
    slices: PhantomData<S>,
}

impl<S: Slice> SliceLayout<S> {
    /// All slices of up to so many pieces, those with fewer pieces first.
    #[must_use]
    pub fn up_to(pieces: u8) -> Self {
        let (mut starts, mut values) = (vec![None; S::INDICES], 0);
        for slice in (2..=pieces).flat_map(S::of_pieces) {
            starts[slice.index()] = Some(values);
            values += slice.positions();
        }
        Self { starts, values, slices: PhantomData }
    }

    /// The number of all values.
    #[must_use]
    pub fn values(&self) -> usize {
        self.values
    }

    /// The place of the first value of a slice; none where it has no values.
    #[must_use]
    pub fn start(&self, slice: S) -> Option<usize> {
        *self.starts.get(slice.index())?
    }

    /// The place of the value of a position; none where it has no value.
    #[must_use]
    pub fn place(&self, placement: &S::Placement) -> Option<usize> {
        let (slice, number) = S::place(placement);
        Some(self.start(slice)? + number)
    }
}
