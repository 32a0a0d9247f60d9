//! Material: the values of the pieces.

use cozy_chess::{Board, Color, Piece};

/// What a piece is worth, from the pawn to the king, who is never captured.
pub(super) const VALUES: [i32; Piece::NUM] = [100, 300, 300, 500, 900, 0];

pub(super) fn piece_counts(board: &Board, side: Color) -> [i32; Piece::NUM] {
    Piece::ALL.map(|piece| board.colored_pieces(side, piece).len() as i32)
}

/// What so many pieces of each kind are worth.
pub(super) fn worth(counts: &[i32; Piece::NUM]) -> i32 {
    counts.iter().zip(VALUES).map(|(counts, value)| counts * value).sum()
}
