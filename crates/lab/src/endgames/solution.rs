//! The values of all positions up to a number of pieces, slice by slice.

use std::io;

use bestmove_endgames::{DRAW, Layout, Plies, Slice};

use super::retrograde::{Endgame, MoveSummary, solve_endgame};

/// The moves of a game on the placements of its slices.
pub(super) trait Moves: Slice {
    /// Calls `each` with the position after each move.
    fn each_after(placement: &Self::Placement, each: impl FnMut(Self::Placement));

    /// Calls `each` with the positions from which a quiet move, without capture or promotion, leads to `placement`, once for
    /// each such move.
    fn each_before(placement: &Self::Placement, each: impl FnMut(Self::Placement));

    /// The value of a position without moves.
    fn value_without_moves(placement: &Self::Placement) -> Plies;
}

/// The values of all positions of up to `pieces` pieces, in the order of their [`Layout`]. Refuses more than `most` pieces.
pub(super) fn values_up_to<S: Moves>(pieces: u32, most: usize) -> io::Result<Vec<Plies>> {
    if !(2..=most as u32).contains(&pieces) {
        let reason = format!("expected 2 to {most} pieces but got {pieces}");
        return Err(crate::error::invalid(&reason));
    }
    let layout = Layout::up_to::<S>(pieces as u8);
    let values = vec![DRAW; layout.values()];
    let mut solution = Solution { layout, values };
    (2..=pieces as u8).flat_map(S::of_pieces).for_each(|slice| solution.solve(slice));
    Ok(solution.values)
}

/// The values found so far.
struct Solution {
    layout: Layout,
    values: Vec<Plies>,
}

impl Solution {
    /// Solves a slice, together with the slice that its quiet moves lead to, unless it is solved already.
    fn solve<S: Moves>(&mut self, slice: S) {
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
}

/// Two slices between which quiet moves lead back and forth. Both may be one slice.
struct Pair<'a, S> {
    slices: [S; 2],
    /// The number of the first position of the second slice.
    middle: usize,
    solution: &'a Solution,
}

impl<S: Moves> Pair<'_, S> {
    fn placement(&self, position: usize) -> Option<S::Placement> {
        match position.checked_sub(self.middle) {
            None => self.slices[0].placement(position),
            Some(number) => self.slices[1].placement(number),
        }
    }

    /// The number of a position in the pair; `None` where its slice lies outside.
    fn position(&self, (slice, number): (S, usize)) -> Option<usize> {
        if slice == self.slices[0] {
            Some(number)
        } else if slice == self.slices[1] {
            Some(self.middle + number)
        } else {
            None
        }
    }

    /// The value of a position of a solved slice; 0 where a side has no piece left.
    fn value_outside(&self, (slice, number): (S, usize)) -> Plies {
        let start = self.solution.layout.start(slice);
        start.map_or(0, |start| self.solution.values[start + number])
    }
}

impl<S: Moves> Endgame for Pair<'_, S> {
    fn positions(&self) -> usize {
        let [first, second] = self.slices;
        if first == second { self.middle } else { self.middle + second.positions() }
    }

    fn summary(&self, position: usize) -> Option<MoveSummary> {
        let placement = self.placement(position)?;
        let (mut summary, mut has_moves) = (MoveSummary::default(), false);
        S::each_after(&placement, |after| {
            has_moves = true;
            let place = S::place(&after);
            match self.position(place) {
                Some(_) => summary.add_inside(),
                None => summary.add_outside(self.value_outside(place)),
            }
        });
        if !has_moves && S::value_without_moves(&placement) == DRAW {
            summary.add_outside(DRAW);
        }
        Some(summary)
    }

    fn predecessors(&self, position: usize, mut each: impl FnMut(usize)) {
        let Some(placement) = self.placement(position) else { return };
        S::each_before(&placement, |earlier| {
            if let Some(position) = self.position(S::place(&earlier)) {
                each(position);
            }
        });
    }
}
