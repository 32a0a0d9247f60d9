//! What people call the sides and the pieces: the parts of all error texts.

use cozy_chess::{Color, Piece};

/// The names of both sides.
pub(super) const SIDES: [&str; 2] = ["white", "black"];

/// The name of a side.
pub(super) fn name(color: Color) -> &'static str {
    SIDES[color as usize]
}

/// What people call a piece.
pub(super) fn noun(piece: Piece) -> &'static str {
    ["pawn", "knight", "bishop", "rook", "queen", "king"][piece as usize]
}
