//! The values of all positions with few pieces, from those with the fewest up.

use super::super::super::retrograde::{DRAW, Endgame, MoveSummary, Plies, solve_endgame};
use super::super::board::Board;
use super::slice::{Layout, Placement, Slice};
use crate::game::Position;

/// The values of all positions of up to so many pieces, in the order of their [`Layout`].
pub(super) fn values_up_to(pieces: u8) -> Vec<Plies> {
    let layout = Layout::up_to(pieces);
    let values = vec![DRAW; layout.values()];
    let mut solution = Solution { layout, values };
    (2..=pieces).flat_map(Slice::of_pieces).for_each(|slice| solution.solve(slice));
    solution.values
}

/// The values found so far.
struct Solution {
    layout: Layout,
    values: Vec<Plies>,
}

impl Solution {
    /// Solves a slice and the one that its quiet moves lead to, unless that came first.
    fn solve(&mut self, slice: Slice) {
        let reversed = slice.reversed();
        if self.layout.start(reversed) < self.layout.start(slice) {
            return;
        }
        let middle = slice.positions();
        let values = solve_endgame(&Pair { slices: [slice, reversed], middle, solution: self });
        let halves = values.split_at(middle);
        for (slice, values) in [(slice, halves.0), (reversed, halves.1)] {
            let start = self.layout.start(slice).unwrap_or_default();
            self.values[start..start + values.len()].copy_from_slice(values);
        }
    }

    /// The value of a position with fewer pieces or fewer men than those now being solved.
    fn value(&self, placement: &Placement) -> Plies {
        const OVER: Plies = 0;
        self.layout.place(placement).map_or(OVER, |place| self.values[place])
    }
}

/// The positions of two slices that quiet moves lead back and forth between; where both are the
/// same, of that one.
struct Pair<'a> {
    slices: [Slice; 2],
    /// The number of the first position of the second slice.
    middle: usize,
    solution: &'a Solution,
}

impl Pair<'_> {
    fn placement(&self, position: usize) -> Option<Placement> {
        match position.checked_sub(self.middle) {
            None => self.slices[0].placement(position),
            Some(number) => self.slices[1].placement(number),
        }
    }

    /// The number of a position; none where it lies outside.
    fn position(&self, placement: &Placement) -> Option<usize> {
        let slice = placement.slice();
        if slice == self.slices[0] {
            Some(placement.number())
        } else if slice == self.slices[1] {
            Some(self.middle + placement.number())
        } else {
            None
        }
    }
}

impl Endgame for Pair<'_> {
    fn positions(&self) -> usize {
        let [first, second] = self.slices;
        if first == second { self.middle } else { self.middle + second.positions() }
    }

    fn summary(&self, position: usize) -> Option<MoveSummary> {
        let board = self.placement(position)?.board();
        let mut summary = MoveSummary::default();
        for mv in board.legal_moves() {
            let after = Placement::from(&board.play(mv));
            if self.slices.contains(&after.slice()) {
                summary.add_inside();
            } else {
                summary.add_outside(self.solution.value(&after));
            }
        }
        Some(summary)
    }

    fn predecessors(&self, position: usize, mut each: impl FnMut(usize)) {
        let Some(placement) = self.placement(position) else { return };
        placement.board().each_before_step(|earlier: Board| {
            if let Some(position) = self.position(&Placement::from(&earlier)) {
                each(position);
            }
        });
    }
}
