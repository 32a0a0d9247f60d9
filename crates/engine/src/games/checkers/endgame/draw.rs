//! Decided positions drawn by lot, for a trainer.

use std::io;

use super::super::super::retrograde::{DRAW, is_loss};
use super::super::board::Board;
use super::slice::{Layout, Slice};
use crate::game::{Lot, Position, Side};
use fastrand::Rng;

/// Ends that are further off than this ...
const FAR: u32 = 30;
/// ... are rare, and hard to find the way to: of those that are nearer, one in so many is shown.
const OF_NEAR: usize = 4;

/// Shows decided positions whose side to move can't capture, who wins and in how many plies.
///
/// # Errors
/// Where there are too few or too many pieces.
pub(in super::super) fn draw(lot: Lot, sink: &mut dyn FnMut(&Board, Side, u32)) -> io::Result<()> {
    let values = super::values_up_to(lot.pieces)?;
    let pieces = lot.pieces as u8;
    let (layout, first) = (Layout::up_to(pieces), Layout::up_to(pieces - 1).values());
    let slices = Slice::of_pieces(pieces);
    let starts: Vec<_> = slices.iter().filter_map(|&slice| layout.start(slice)).collect();
    let mut random = Rng::with_seed(lot.seed);
    let mut left = lot.count;
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
