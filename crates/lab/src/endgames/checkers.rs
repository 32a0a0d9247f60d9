//! The endgames of checkers, from those with the fewest pieces up.

use std::io::{self, Write};

use bestmove_engine::game::{Alert, Game, Position, Side, TableForm};
use bestmove_engine::games::checkers::endgame::{
    DRAW, MOST_PIECES, Placement, Plies, Slice, SliceLayout, is_loss,
};
use bestmove_engine::games::checkers::{
    Checkers, CheckersBoard, DISTANCE_FEATURES, distance_features,
};
use bestmove_engine::nn::Features;
use fastrand::Rng;

use super::format::{write_outcomes, write_packed, write_plain};
use super::game::{Endgames, Sampling};
use super::retrograde::{Endgame, MoveSummary, solve_endgame};

/// Positions whose end is more than so many plies away are rare ...
const FAR: u32 = 30;
/// ... so only one in so many of the nearer ones is taken.
const OF_NEAR: usize = 4;

pub(super) struct CheckersEndgames;

impl Endgames for CheckersEndgames {
    fn game(&self) -> &'static str {
        Checkers::INFO.name
    }

    fn write_table(&self, pieces: u32, form: TableForm, sink: &mut dyn Write) -> io::Result<()> {
        let values = values_up_to(pieces)?;
        match form {
            TableForm::Plain => write_plain(pieces, &values, sink),
            TableForm::Packed => write_packed(pieces, &values, sink),
            TableForm::Outcomes => write_outcomes(pieces, &digits(pieces as u8, &values), sink),
        }
    }

    fn sample(&self, sampling: Sampling, sink: &mut dyn FnMut(Features, u32)) -> io::Result<usize> {
        each_decided(sampling, &mut |board, winner, plies| {
            sink(distance_features(board, winner), plies);
        })?;
        Ok(DISTANCE_FEATURES)
    }
}

/// Draws random decided positions whose side to move can't capture. `sink` gets each with its winner and
/// the plies to its end.
fn each_decided(
    sampling: Sampling,
    sink: &mut dyn FnMut(&CheckersBoard, Side, u32),
) -> io::Result<()> {
    let values = values_up_to(sampling.pieces)?;
    let pieces = sampling.pieces as u8;
    let (layout, first) = (SliceLayout::up_to(pieces), SliceLayout::up_to(pieces - 1).values());
    let slices = Slice::of_pieces(pieces);
    let starts: Vec<_> = slices.iter().filter_map(|&slice| layout.start(slice)).collect();
    let mut random = Rng::with_seed(sampling.seed);
    let mut left = sampling.count;
    while left > 0 {
        let place = first + random.usize(..values.len() - first);
        let value = values[place];
        let plies = u32::from(value);
        if value == DRAW || plies <= FAR && random.usize(..OF_NEAR) > 0 {
            continue;
        }
        let slice = starts.partition_point(|&start| start <= place) - 1;
        let Some(placement) = slices[slice].placement(place - starts[slice]) else { continue };
        let board = placement.board();
        if is_quiet(&board) {
            let mover = board.side_to_move();
            sink(&board, if is_loss(value) { mover.other() } else { mover }, plies);
            left -= 1;
        }
    }
    Ok(())
}

/// Whether the side to move has nothing to capture.
fn is_quiet(board: &CheckersBoard) -> bool {
    Checkers::alert(board) != Some(Alert::MustCapture)
}

/// The outcomes of all positions with so many pieces: 0 for a draw, 1 for a win, 2 for a loss. A search plays captures
/// out; positions with one have the outcome before them, which packs best.
fn digits(pieces: u8, values: &[Plies]) -> Vec<u8> {
    let values = &values[SliceLayout::up_to(pieces - 1).values()..];
    let placements = Slice::of_pieces(pieces)
        .into_iter()
        .flat_map(|slice| (0..slice.positions()).map(move |number| slice.placement(number)));
    let mut last = 0;
    let digit = |(placement, &value): (Option<Placement>, &Plies)| {
        if placement.is_some_and(|placement| is_quiet(&placement.board())) {
            last = match value {
                DRAW => 0,
                plies if is_loss(plies) => 2,
                _ => 1,
            };
        }
        last
    };
    placements.zip(values).map(digit).collect()
}

/// The values of all positions of up to so many pieces, in the order of their [`SliceLayout`].
fn values_up_to(pieces: u32) -> io::Result<Vec<Plies>> {
    if !(2..=MOST_PIECES as u32).contains(&pieces) {
        let reason = format!("expected 2 to {MOST_PIECES} pieces but got {pieces}");
        return Err(crate::error::invalid(&reason));
    }
    let pieces = pieces as u8;
    let layout = SliceLayout::up_to(pieces);
    let values = vec![DRAW; layout.values()];
    let mut solution = Solution { layout, values };
    (2..=pieces).flat_map(Slice::of_pieces).for_each(|slice| solution.solve(slice));
    Ok(solution.values)
}

/// The values found so far.
struct Solution {
    layout: SliceLayout,
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
        placement.board().each_before_step(|earlier: CheckersBoard| {
            if let Some(position) = self.position(&Placement::from(&earlier)) {
                each(position);
            }
        });
    }
}

#[cfg(test)]
mod tests;
