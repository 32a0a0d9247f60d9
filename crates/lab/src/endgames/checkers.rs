//! The endgames of checkers, from those with the fewest pieces up.

use std::io::{self, Write};

use bestmove_engine::game::{Alert, Game, Position, Side, TableForm};
use bestmove_engine::games::checkers::endgame::{CheckersPlacement, CheckersSlice, MOST_PIECES};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard, distance};
use bestmove_engine::games::endgame::{DRAW, Plies, Slice, SliceLayout, is_loss};
use bestmove_engine::network::{NetworkSize, SparseInput};
use fastrand::Rng;

use super::format::{write_outcomes, write_packed, write_plain};
use super::game::{Endgames, Sampling};
use super::solution::{self, Moves};

/// Positions whose end is more than `FAR` plies away are rare. All of them are taken, and one of [`OF_NEAR`] others.
const FAR: u32 = 30;
const OF_NEAR: usize = 4;

pub(super) struct CheckersEndgames;

impl Endgames for CheckersEndgames {
    fn game(&self) -> &'static str {
        Checkers.game_info().name
    }

    fn write_table(&self, pieces: u32, form: TableForm, sink: &mut dyn Write) -> io::Result<()> {
        let values = values_up_to(pieces)?;
        match form {
            TableForm::Plain => write_plain(pieces, &values, sink),
            TableForm::Packed => write_packed(pieces, &values, sink),
            TableForm::Outcomes => write_outcomes(pieces, &digits(pieces as u8, &values), sink),
        }
    }

    fn sample(
        &self,
        sampling: Sampling,
        sink: &mut dyn FnMut(&SparseInput, f64),
    ) -> io::Result<NetworkSize> {
        each_decided(sampling, &mut |board, winner, plies| {
            let input = SparseInput::from(&distance::input(board, winner));
            sink(&input, target(plies));
        })?;
        Ok(distance::SIZE)
    }
}

/// The target of a network for a position `plies` from the end: the nearer the end, the larger.
fn target(plies: u32) -> f64 {
    let beyond = f64::from(plies) - f64::from(distance::HALF_WAY);
    1.0 / (1.0 + (beyond / f64::from(distance::PLIES_OF_LOGIT)).exp())
}

/// Draws random decided positions whose side to move can't capture. `sink` gets each with its winner and the plies to the
/// end.
fn each_decided(
    sampling: Sampling,
    sink: &mut dyn FnMut(&CheckersBoard, Side, u32),
) -> io::Result<()> {
    let values = values_up_to(sampling.pieces)?;
    let pieces = sampling.pieces as u8;
    let layout = SliceLayout::<CheckersSlice>::up_to(pieces);
    let first = SliceLayout::<CheckersSlice>::up_to(pieces - 1).values();
    let slices = CheckersSlice::of_pieces(pieces);
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

/// Whether the side to move has no capture.
fn is_quiet(board: &CheckersBoard) -> bool {
    Checkers::alert(board) != Some(Alert::MustCapture)
}

/// The outcomes of all positions with `pieces`: 0 for a draw, 1 for a win, 2 for a loss. A search plays captures out, so
/// the outcome of a position with a capture is of no use: it repeats the outcome before it, which packs best.
fn digits(pieces: u8, values: &[Plies]) -> Vec<u8> {
    let values = &values[SliceLayout::<CheckersSlice>::up_to(pieces - 1).values()..];
    let placements = CheckersSlice::of_pieces(pieces)
        .into_iter()
        .flat_map(|slice| (0..slice.positions()).map(move |number| slice.placement(number)));
    let mut last = 0;
    let digit = |(placement, &value): (Option<CheckersPlacement>, &Plies)| {
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

/// The values of all positions of up to `pieces`, in the order of their [`SliceLayout`].
fn values_up_to(pieces: u32) -> io::Result<Vec<Plies>> {
    if !(2..=MOST_PIECES as u32).contains(&pieces) {
        let reason = format!("expected 2 to {MOST_PIECES} pieces but got {pieces}");
        return Err(crate::error::invalid(&reason));
    }
    Ok(solution::values_up_to::<CheckersSlice>(pieces as u8))
}

impl Moves for CheckersSlice {
    fn each_after(placement: &CheckersPlacement, mut each: impl FnMut(CheckersPlacement)) {
        let board = placement.board();
        for mv in board.legal_moves() {
            each(CheckersPlacement::from(&board.play(mv)));
        }
    }

    fn each_before(placement: &CheckersPlacement, mut each: impl FnMut(CheckersPlacement)) {
        let board = placement.board();
        board.each_before_step(|earlier: CheckersBoard| each(CheckersPlacement::from(&earlier)));
    }

    fn value_without_moves(_: &CheckersPlacement) -> Plies {
        0
    }
}

#[cfg(test)]
mod tests;
