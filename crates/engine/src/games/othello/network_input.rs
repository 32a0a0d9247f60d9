//! The input of the network of Othello: for each side the own and the opponent's discs, and the squares where either side may
//! play.
//!
//! Each square has at most one feature: an own disc, an opponent's disc, or an empty square where both sides, this side
//! alone, or the other side alone may place a disc.

use super::board::OthelloBoard;
use crate::game::{Position, Side};
use crate::network::{Input, NetworkSize};

/// Words of a view.
pub(super) const WORDS: usize = 5;

/// The dimensions of the network.
pub(super) const SIZE: NetworkSize = NetworkSize { features: 64 * WORDS, buckets: 8 };

/// The input of the network for a position.
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

/// The features of the view of a side: discs, and squares where either side may play.
#[inline]
fn view(own: u64, other: u64, moves: u64, replies: u64) -> [u64; WORDS] {
    [own, other, moves & replies, moves & !replies, replies & !moves]
}
