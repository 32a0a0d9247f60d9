//! What a tuner finds weights for.

use crate::game::linear::{Group, Layout};

/// The weights of [`PieceSquare`](super::ChessEvaluator::PieceSquare): each piece on each square, from a1,
/// seen from the end of the board that it moves away from.
pub(super) const SQUARES: Layout = Layout(&[
    Group::guessed("value of a pawn", 100),
    Group::guessed("value of a knight", 300),
    Group::guessed("value of a bishop", 300),
    Group::guessed("value of a rook", 500),
    Group::guessed("value of a queen", 900),
    table("pawn"),
    table("knight"),
    table("bishop"),
    table("rook"),
    table("queen"),
    table("king"),
]);

/// The weights of [`Full`](super::ChessEvaluator::Full). In its tables of squares the board is mirrored so that
/// the own king stands on the files e to h.
pub(super) const FULL: Layout = Layout(&[
    Group::guessed("value of a pawn", 100),
    Group::guessed("value of a knight", 300),
    Group::guessed("value of a bishop", 300),
    Group::guessed("value of a rook", 500),
    Group::guessed("value of a queen", 900),
    table("pawn"),
    table("knight"),
    table("bishop"),
    table("rook"),
    table("queen"),
    table("king"),
    Group::new("tempo", 1),
    Group::new("isolated pawn, on a half-open file", 2),
    Group::new("backward pawn, on a half-open file", 2),
    Group::new("doubled pawn", 1),
    Group::new("supported pawn by rank", 8),
    Group::new("pawn beside a pawn by rank", 8),
    Group::new("passed pawn by rank", 8),
    Group::new("passed pawn that is blocked by rank", 8),
    Group::new("passed pawn whose next square is safe by rank", 8),
    Group::new("passed pawn whose way is free by rank", 8),
    Group::new("own king's distance to a passed pawn, by rank above the third", 8),
    Group::new("other king's distance to a passed pawn, by rank above the third", 8),
    Group::new("rook behind a passed pawn", 1),
    Group::new("passed pawn that outruns the king", 1),
    Group::new("knight mobility", 9),
    Group::new("bishop mobility", 14),
    Group::new("rook mobility", 15),
    Group::new("queen mobility", 28),
    Group::new("bishop pair", 1),
    Group::new("pawns on a bishop's colour", 1),
    Group::new("knight outpost, bishop outpost", 2),
    Group::new("minor piece behind a pawn", 1),
    Group::new("rook on a half-open file, on an open one", 2),
    Group::new("pawn before the king by rank, beside its file", 8),
    Group::new("pawn before the king by rank, on its file", 8),
    Group::new("pawn against the king by rank", 8),
    Group::new("pawn against the king by rank, blocked", 8),
    Group::new("attack on the king by weight, without a queen", 24),
    Group::new("attack on the king by weight, with a queen", 24),
    Group::new("safe check by a knight, bishop, rook, queen", 4),
    Group::new("pawn's threat to a pawn, knight, bishop, rook, queen", 5),
    Group::new("minor piece's threat to the defended", 5),
    Group::new("minor piece's threat to the weak", 5),
    Group::new("rook's threat to the defended", 5),
    Group::new("rook's threat to the weak", 5),
    Group::new("queen's threat to the weak", 5),
    Group::new("king's threat to the weak", 5),
    Group::new("threat by a pawn's advance", 1),
]);

/// A weight for each square.
const fn table(name: &'static str) -> Group {
    Group::new(name, 64)
}
