//! What a tuner finds weights for.

use crate::game::linear::{Group, Layout};

/// The weights of [`Full`](super::EvaluatorKind::Full). Squares are told by their bits, as the side that
/// the piece belongs to sees them.
pub(super) const FULL: Layout = Layout(&[
    Group::guessed("value of a man", 100),
    Group::guessed("value of a king", 140),
    Group::new("man by square", 35),
    Group::new("king by square", 35),
    Group::new("king where the opponent has none", 1),
    Group::new("king in the double corner of the side that is behind", 1),
    Group::new("men on the king row, by the squares they guard", 16),
    Group::new("step of a man", 1),
    Group::new("step of a king", 1),
    Group::new("man that is blocked", 1),
    Group::new("king that is trapped", 1),
    Group::new("man that is backed up", 1),
    Group::new("piece that is attacked", 1),
    Group::new("man whose way to the king row is free, by its steps", 7),
    Group::new("side to move", 1),
    Group::new("the move, by the pieces of each side", 13),
]);
