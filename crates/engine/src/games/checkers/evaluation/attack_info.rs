//! The squares that the pieces of one side reach and threaten.

use super::super::board::{CheckersBoard, DIRECTIONS, step};
use crate::game::Side;

/// The pieces of one side by where they go, as the first side sees them.
pub(super) struct AttackInfo {
    /// The pieces that go in the first two directions.
    down: u64,
    /// The pieces that go in the last two directions.
    up: u64,
}

impl AttackInfo {
    /// The pieces of `owner`.
    #[inline]
    pub(super) fn new(board: &CheckersBoard, owner: Side) -> Self {
        let (all, kings) = (board.pieces(owner), board.pieces(owner) & board.kings);
        match owner {
            Side::First => Self { down: kings, up: all },
            Side::Second => Self { down: all, up: kings },
        }
    }

    #[inline]
    fn going(&self, direction: usize) -> u64 {
        if direction < 2 { self.down } else { self.up }
    }

    /// The empty squares to which a piece can step.
    #[inline]
    pub(super) fn steps(&self, empty: u64) -> u64 {
        DIRECTIONS.iter().fold(0, |steps, &way| steps | step(self.going(way), way)) & empty
    }

    /// The squares on which a piece of the other side may be captured.
    #[inline]
    pub(super) fn covered(&self, empty: u64) -> u64 {
        DIRECTIONS
            .iter()
            .fold(0, |covered, &way| covered | step(self.going(way), way) & step(empty, 3 - way))
    }

    /// The pieces that may capture one of the `attacked`.
    #[inline]
    pub(super) fn attackers(&self, attacked: u64, empty: u64) -> u64 {
        DIRECTIONS.iter().fold(0, |attackers, &way| {
            attackers | self.going(way) & step(attacked & step(empty, 3 - way), 3 - way)
        })
    }
}
