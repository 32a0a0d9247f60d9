//! What a tuner finds weights for.

use crate::game::linear::{Group, Layout};

/// The weights of [`Full`](super::Opinion::Full). Squares are told by their bits, as the side that
/// the piece belongs to sees them.
pub(super) const FULL: Layout = Layout(&[
    value("value of a man", 100),
    value("value of a king", 140),
    group("man by square", 35),
    group("king by square", 35),
    group("king where the opponent has none", 1),
    group("king in the double corner of the side that is behind", 1),
    group("men on the king row, by the squares they guard", 16),
    group("step of a man", 1),
    group("step of a king", 1),
    group("man that is blocked", 1),
    group("king that is trapped", 1),
    group("man that is backed up", 1),
    group("piece that is attacked", 1),
    group("man whose way to the king row is free, by its steps", 7),
    group("side to move", 1),
    group("the move, by the pieces of each side", 13),
]);

const fn group(name: &'static str, len: usize) -> Group {
    Group { name, len, guess: 0 }
}

const fn value(name: &'static str, guess: i32) -> Group {
    Group { name, len: 1, guess }
}
