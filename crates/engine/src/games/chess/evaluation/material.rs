//! Material: values of the pieces, and the scale factor where the material is drawish.

use cozy_chess::{BitBoard, Board, Color, Piece};

/// What a piece is worth, from the pawn to the king, who is never captured.
pub(super) const VALUES: [i32; Piece::NUM] = [100, 300, 300, 500, 900, 0];

pub(super) fn piece_counts(board: &Board, side: Color) -> [i32; Piece::NUM] {
    Piece::ALL.map(|piece| board.colored_pieces(side, piece).len() as i32)
}

/// What so many pieces of each kind are worth.
pub(super) fn worth(counts: &[i32; Piece::NUM]) -> i32 {
    counts.iter().zip(VALUES).map(|(counts, value)| counts * value).sum()
}

/// The full [`scale_factor`].
pub(super) const FULL_SCALE: i32 = 64;

/// The scale factor of the score, of [`FULL_SCALE`], where the side with the `own` pieces is ahead of the one with
/// the `other` ones: less where the material is drawish.
#[inline]
pub(super) fn scale_factor(
    board: &Board,
    own: &[i32; Piece::NUM],
    other: &[i32; Piece::NUM],
) -> i32 {
    let pawns = own[Piece::Pawn as usize];
    let factor = if pawns == 0 {
        without_pawns(own, other)
    } else if !has_opposite_bishops(board) {
        48 + 4 * pawns
    } else if [Piece::Knight, Piece::Rook, Piece::Queen].iter().all(|&p| board.pieces(p).is_empty())
    {
        16 + 6 * pawns
    } else {
        40 + 4 * pawns
    };
    factor.min(FULL_SCALE)
}

/// Without pawns, a minor piece more wins nothing.
fn without_pawns(own: &[i32; Piece::NUM], other: &[i32; Piece::NUM]) -> i32 {
    let pawn = VALUES[Piece::Pawn as usize];
    let own = worth(own);
    let other = worth(other) - pawn * other[Piece::Pawn as usize];
    if own < VALUES[Piece::Rook as usize] {
        0
    } else if own - other <= VALUES[Piece::Bishop as usize] {
        6
    } else {
        FULL_SCALE
    }
}

/// Whether each side has one bishop, on squares of different colours.
fn has_opposite_bishops(board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|side| board.colored_pieces(side, Piece::Bishop));
    let light = (white | black) & BitBoard::LIGHT_SQUARES;
    white.len() == 1 && black.len() == 1 && light.len() == 1
}
