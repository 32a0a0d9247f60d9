//! Material: the values of the pieces.

use cozy_chess::{Board, Color, Piece};

/// The values of the pieces, from the pawn to the king, which is never captured.
pub(super) const VALUES: [i32; Piece::NUM] = [100, 300, 300, 500, 900, 0];

pub(super) fn piece_counts(board: &Board, side: Color) -> [i32; Piece::NUM] {
    Piece::ALL.map(|piece| board.colored_pieces(side, piece).len() as i32)
}

/// The value of the pieces by their numbers of each kind.
pub(super) fn worth(counts: &[i32; Piece::NUM]) -> i32 {
    counts.iter().zip(VALUES).map(|(counts, value)| counts * value).sum()
}
