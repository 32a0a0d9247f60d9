//! Whether a game can lead to a board.
//!
//! The stones are taken back one by one, last mover first: each time a stone of the side whose turn it
//! was that lies on top of its column. A game leads to the board if some order leads back to the empty
//! board, and no line of four is left once the last stone is gone. (Fewer stones have no more lines.)
//!
//! What is left follows from the heights of the columns, and each set of stones is looked at once. A board that games
//! lead to takes some hundreds of sets, a hard one up to 290 000 of the 7^7 that there are. The search ends after
//! [`MOST_SETS`], some tens of microseconds, and then the board is accepted: a few boards that no game leads to are
//! searched like others, and nobody can keep a processor busy with boards alone.

use super::board::{COLUMNS, cell, column_cells, holds_four};
use crate::game::Side;

const WIDTH: usize = COLUMNS as usize;

/// The sets of stones after which a board is accepted.
const MOST_SETS: u32 = 1_000;

/// Whether a game that ends with a move of `last` can lead to these stones, none above a gap.
pub(super) fn is_reachable(by_side: [u64; 2], last: Side) -> bool {
    let mut sets = 1;
    let heights = std::array::from_fn(|column| {
        ((by_side[0] | by_side[1]) & column_cells(column as u8)).count_ones() as usize
    });
    let weights = heights.map(|height| {
        let weight = sets;
        sets *= height + 1;
        weight
    });
    let mut search =
        Retraction { by_side, weights, failed: vec![0; sets.div_ceil(64)], looked_at: 0 };
    (0..WIDTH).any(|column| {
        search.taken(heights, column, last).is_some_and(|(rest, cell)| {
            !by_side.iter().any(|&own| holds_four(own & !cell))
                && search.leads_back(rest, last.other())
        })
    }) || heights == [0; WIDTH]
}

/// The search for an order in which to take the stones back.
struct Retraction {
    by_side: [u64; 2],
    /// What a stone of each column adds to the number of a set of stones.
    weights: [usize; WIDTH],
    /// A bit for each set of stones that leads nowhere.
    failed: Vec<u64>,
    /// How many sets of stones have been looked at.
    looked_at: u32,
}

impl Retraction {
    /// Whether what is left, `last` having moved last, leads back to the empty board, as far as
    /// [`MOST_SETS`] tell.
    fn leads_back(&mut self, heights: [usize; WIDTH], last: Side) -> bool {
        let number: usize =
            heights.iter().zip(self.weights).map(|(&height, weight)| height * weight).sum();
        if number == 0 || self.looked_at == MOST_SETS {
            return true;
        }
        let (word, bit) = (number / 64, 1 << (number % 64));
        if self.failed[word] & bit != 0 {
            return false;
        }
        self.looked_at += 1;
        let leads_back = (0..WIDTH).any(|column| {
            self.taken(heights, column, last)
                .is_some_and(|(rest, _)| self.leads_back(rest, last.other()))
        });
        if !leads_back {
            self.failed[word] |= bit;
        }
        leads_back
    }

    /// What is left without the top stone of a column, and its cell; none where `last` has no stone
    /// there.
    fn taken(
        &self,
        mut heights: [usize; WIDTH],
        column: usize,
        last: Side,
    ) -> Option<([usize; WIDTH], u64)> {
        heights[column] = heights[column].checked_sub(1)?;
        let top = cell(column as u32, heights[column] as u32);
        (self.by_side[last as usize] & top != 0).then_some((heights, top))
    }
}
