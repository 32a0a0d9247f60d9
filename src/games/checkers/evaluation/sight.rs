//! What the network is shown of a board.

use super::super::board::{Board, seen_from, take_lowest};
use crate::game::Side;
use crate::game::network::Features;

/// The bits of a board.
const BITS: u16 = 35;

/// The features of a board: each square with an own man, an own king, a man of the opponent's or a king
/// of its.
pub(super) const FEATURES: usize = 4 * BITS as usize;

/// The stages of a game: men alone, kings too, few pieces, and fewer. Each has a network of its own, since
/// what a piece is good for changes.
pub(super) const STAGES: usize = 4;

/// The most pieces of the last two stages.
const FEW: [u32; 2] = [8, 6];

/// The stage of a board.
#[inline]
pub(super) fn stage(board: &Board) -> usize {
    match (board.own() | board.other()).count_ones() {
        pieces if pieces <= FEW[1] => 3,
        pieces if pieces <= FEW[0] => 2,
        _ => usize::from(board.kings() != 0),
    }
}

/// Where the pieces stand, as a side sees them.
#[inline]
pub(super) fn features(board: &Board, side: Side) -> Features {
    let mut features = Features::new();
    let pieces = [board.pieces(side), board.pieces(side.other()), board.kings()];
    let [own, other, kings] = pieces.map(|squares| seen_from(side, squares));
    for (kind, mut pieces) in (0..).zip([own & !kings, own & kings, other & !kings, other & kings])
    {
        while pieces != 0 {
            features.add(kind * BITS + u16::from(take_lowest(&mut pieces)));
        }
    }
    features
}
