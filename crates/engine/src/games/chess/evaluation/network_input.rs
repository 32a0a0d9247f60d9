//! The input of the network of chess: for each side the pieces of both sides by kind and square.
//!
//! A side sees the board from its end, mirrored so that its king stands on the files e to h. So positions that differ by
//! the side alone, or by left and right, share their weights.

use cozy_chess::{Board, Color, File, Piece};

use crate::network::{Input, NetworkSize};

/// Words of a view: one for each kind of own piece, then one for each kind of the opponent's pieces.
pub(super) const WORDS: usize = 2 * Piece::NUM;

/// The dimensions of the network.
pub(super) const SIZE: NetworkSize = NetworkSize { features: 64 * WORDS, buckets: 8 };

/// The input of the network for a position.
#[inline]
pub(super) fn input(board: &Board) -> Input<WORDS> {
    let pieces = board.occupied().len() as usize;
    Input {
        views: [view(board, Color::White), view(board, Color::Black)],
        patterns: [[]; 2],
        mover: board.side_to_move() as usize,
        bucket: (pieces - 1) / 4,
    }
}

/// The features that `side` sees.
#[inline]
fn view(board: &Board, side: Color) -> [u64; WORDS] {
    let is_mirrored = board.king(side).file() < File::E;
    std::array::from_fn(|word| {
        let owner = if word < Piece::NUM { side } else { !side };
        let squares = board.colored_pieces(owner, Piece::index(word % Piece::NUM)).0;
        let upright = if side == Color::White { squares } else { squares.swap_bytes() };
        if is_mirrored { mirrored(upright) } else { upright }
    })
}

/// The squares with left and right exchanged: the bits of each byte reversed.
#[inline]
const fn mirrored(squares: u64) -> u64 {
    squares.reverse_bits().swap_bytes()
}
