//! Generates the tables, and random decided positions for the trainer.

use std::io::{self, Write};

use super::super::super::retrograde::{DRAW, Plies, is_loss};
use super::super::board::Board;
use super::slice::{Layout, MOST_PIECES, Slice};
use super::{outcomes, solver, tables};
use crate::game::{Position, SamplingSpec, Side, TableForm};
use fastrand::Rng;

/// Positions whose end is more than so many plies away are rare ...
const FAR: u32 = 30;
/// ... so only one in so many of the nearer ones is taken.
const OF_NEAR: usize = 4;

/// Writes the table of all positions of up to so many pieces.
pub(in super::super) fn write(
    pieces: u32,
    form: TableForm,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let values = values_up_to(pieces)?;
    match form {
        TableForm::Plain => tables::write_plain(pieces, &values, sink),
        TableForm::Packed => tables::write_packed(pieces, &values, sink),
        TableForm::Outcomes => outcomes::write(pieces, &values, sink),
    }
}

/// The values of all positions of up to so many pieces, in the order of their layout.
fn values_up_to(pieces: u32) -> io::Result<Vec<Plies>> {
    if !(2..=MOST_PIECES as u32).contains(&pieces) {
        let reason = format!("expected 2 to {MOST_PIECES} pieces but got {pieces}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    Ok(solver::values_up_to(pieces as u8))
}

/// Draws random decided positions whose side to move can't capture. `sink` gets each with its winner and
/// the plies to its end.
pub(in super::super) fn sample(
    sampling: SamplingSpec,
    sink: &mut dyn FnMut(&Board, Side, u32),
) -> io::Result<()> {
    let values = values_up_to(sampling.pieces)?;
    let pieces = sampling.pieces as u8;
    let (layout, first) = (Layout::up_to(pieces), Layout::up_to(pieces - 1).values());
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
        if board.jumpers() == 0 {
            let mover = board.side_to_move();
            sink(&board, if is_loss(value) { mover.other() } else { mover }, plies);
            left -= 1;
        }
    }
    Ok(())
}
