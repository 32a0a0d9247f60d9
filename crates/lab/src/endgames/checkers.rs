//! The endgames of checkers, from those with the fewest pieces up.

use std::io::{self, Write};

use bestmove_endgames::checkers::{self, CheckersPlacement, CheckersSlice, MOST_PIECES};
use bestmove_endgames::{DRAW, Form, Layout, Plies, Slice, is_loss};
use bestmove_engine::game::{Alert, Drawing, Game, Position, Side};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard, distance};
use bestmove_engine::network::{NetworkSize, SparseInput};
use fastrand::Rng;

use super::solution::{self, Moves};

/// Positions whose end is more than `FAR` plies away are rare. All of them are taken, and one of [`OF_NEAR`] others.
const FAR: u32 = 30;
const OF_NEAR: usize = 4;

/// Which endgames to sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampling {
    /// The pieces of each position.
    pub pieces: u32,
    /// The number of positions.
    pub count: usize,
    /// The seed of the draw.
    pub seed: u64,
}

/// Writes the table of all positions of up to `pieces` pieces.
pub(super) fn write_table(pieces: u32, form: Form, sink: &mut dyn Write) -> io::Result<()> {
    let values = values_up_to(pieces)?;
    let can_capture = |placement: &_| !is_quiet(&CheckersBoard::from(placement));
    checkers::write(pieces as u8, form, &values, can_capture, sink)
}

/// Draws random decided positions. `sink` gets the input of the distance network and the target, from 0 to 1.
/// Returns the dimensions of that network. Fails where the game has none, or where there are too few or too many pieces.
pub(crate) fn sample(
    game: &str,
    sampling: Sampling,
    sink: &mut dyn FnMut(&SparseInput, f64),
) -> io::Result<NetworkSize> {
    if game != Checkers.game_info().name {
        return Err(crate::error::invalid(&format!("{game} has no distance network")));
    }
    each_decided(sampling, &mut |board, winner, plies| {
        let input = SparseInput::from(&distance::input(board, winner));
        sink(&input, target(plies));
    })?;
    Ok(distance::SIZE)
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
    let layout = Layout::up_to::<CheckersSlice>(pieces);
    let first = Layout::up_to::<CheckersSlice>(pieces - 1).values();
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
        let board = CheckersBoard::from(&placement);
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

/// The values of all positions of up to `pieces` pieces.
fn values_up_to(pieces: u32) -> io::Result<Vec<Plies>> {
    solution::values_up_to::<CheckersSlice>(pieces, MOST_PIECES)
}

impl Moves for CheckersSlice {
    fn each_after(placement: &CheckersPlacement, mut each: impl FnMut(CheckersPlacement)) {
        let board = CheckersBoard::from(placement);
        for mv in board.legal_moves() {
            each(CheckersPlacement::from(&board.play(mv)));
        }
    }

    fn each_before(placement: &CheckersPlacement, mut each: impl FnMut(CheckersPlacement)) {
        let board = CheckersBoard::from(placement);
        board.each_before_step(|earlier: CheckersBoard| each(CheckersPlacement::from(&earlier)));
    }

    fn value_without_moves(_: &CheckersPlacement) -> Plies {
        0
    }
}

#[cfg(test)]
mod tests;
