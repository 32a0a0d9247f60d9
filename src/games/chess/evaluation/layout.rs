//! What a tuner finds weights for.

use crate::game::linear::{Group, Layout};

/// The weights of [`PieceSquare`](super::Opinion::PieceSquare): each man on each square, from a1,
/// seen from the end of the board that it moves away from.
pub(super) const SQUARES: Layout = Layout(&[
    value("value of a pawn", 100),
    value("value of a knight", 300),
    value("value of a bishop", 300),
    value("value of a rook", 500),
    value("value of a queen", 900),
    table("pawn"),
    table("knight"),
    table("bishop"),
    table("rook"),
    table("queen"),
    table("king"),
]);

/// The weights of [`Full`](super::Opinion::Full). In its tables of squares the board is mirrored so that
/// the own king stands on the files e to h.
pub(super) const FULL: Layout = Layout(&[
    value("value of a pawn", 100),
    value("value of a knight", 300),
    value("value of a bishop", 300),
    value("value of a rook", 500),
    value("value of a queen", 900),
    table("pawn"),
    table("knight"),
    table("bishop"),
    table("rook"),
    table("queen"),
    table("king"),
    group("tempo", 1),
    group("isolated pawn, on a half-open file", 2),
    group("backward pawn, on a half-open file", 2),
    group("doubled pawn", 1),
    group("supported pawn by rank", 8),
    group("pawn beside a pawn by rank", 8),
    group("passed pawn by rank", 8),
    group("passed pawn that is blocked by rank", 8),
    group("passed pawn whose next square is safe by rank", 8),
    group("passed pawn whose way is free by rank", 8),
    group("own king's distance to a passed pawn, by rank above the third", 8),
    group("other king's distance to a passed pawn, by rank above the third", 8),
    group("rook behind a passed pawn", 1),
    group("passed pawn that outruns the king", 1),
    group("knight mobility", 9),
    group("bishop mobility", 14),
    group("rook mobility", 15),
    group("queen mobility", 28),
    group("bishop pair", 1),
    group("pawns on a bishop's colour", 1),
    group("knight outpost, bishop outpost", 2),
    group("minor piece behind a pawn", 1),
    group("rook on a half-open file, on an open one", 2),
    group("pawn before the king by rank, beside its file", 8),
    group("pawn before the king by rank, on its file", 8),
    group("pawn against the king by rank", 8),
    group("pawn against the king by rank, blocked", 8),
    group("attack on the king by weight, without a queen", 24),
    group("attack on the king by weight, with a queen", 24),
    group("safe check by a knight, bishop, rook, queen", 4),
    group("pawn's threat to a pawn, knight, bishop, rook, queen", 5),
    group("minor piece's threat to the defended", 5),
    group("minor piece's threat to the weak", 5),
    group("rook's threat to the defended", 5),
    group("rook's threat to the weak", 5),
    group("queen's threat to the weak", 5),
    group("king's threat to the weak", 5),
    group("threat by a pawn's advance", 1),
]);

const fn group(name: &'static str, len: usize) -> Group {
    Group { name, len, guess: 0 }
}

const fn table(name: &'static str) -> Group {
    group(name, 64)
}

const fn value(name: &'static str, guess: i32) -> Group {
    Group { name, len: 1, guess }
}
