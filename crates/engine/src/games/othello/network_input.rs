//! What the network of Othello sees: for each side own and opponent's discs, and where either side may play.
//!
//! Each square has one feature at most: an own disc, a disc of the opponent's, or an empty square where both, this side
//! alone or the other side alone may place one.

use super::board::OthelloBoard;
use crate::game::{Position, Side};
use crate::network::{Input, NetworkSize};

/// Words of a view.
pub(super) const WORDS: usize = 5;

/// The dimensions of the network.
pub(super) const SIZE: NetworkSize = NetworkSize { features: 64 * WORDS, buckets: 8 };

/// The position as the network sees it.
#[inline]
pub(super) fn input(board: &OthelloBoard) -> Input<WORDS> {
    let replies = board.replies();
    let own = view(board.own, board.other, board.mobility, replies);
    let other = view(board.other, board.own, replies, board.mobility);
    let discs = (board.own | board.other).count_ones() as usize;
    let mover = usize::from(board.side_to_move() == Side::Second);
    let views = if mover == 0 { [own, other] } else { [other, own] };
    Input { views, mover, bucket: (discs - 1) / 8 }
}

/// The features that a side sees: discs, and where it and the other side may play.
#[inline]
fn view(own: u64, other: u64, moves: u64, replies: u64) -> [u64; WORDS] {
    [own, other, moves & replies, moves & !replies, replies & !moves]
}
