//! The motifs of a move of Othello.

use super::super::grid;
use super::board::{Disc, OthelloBoard};
use crate::game::{Claim, Motif, MotifKind, Position, Square};

/// The motifs that are found, the most important first.
pub(super) const KINDS: &[MotifKind] = &[
    MotifKind {
        name: "corner",
        description: "The move takes a corner, which nobody can turn over.",
        sentence: "{move} takes a corner, which nobody can turn over.",
    },
    MotifKind {
        name: "pass",
        description: "The move leaves the other side without a move, so it must pass.",
        sentence: "{move} leaves the other side without a move: it must pass.",
    },
    MotifKind {
        name: "gives-corner",
        description: "After the move the other side can take a corner that it could not take before.",
        sentence: "{move} lets the other side take the corner {0}.",
    },
];

/// The motifs of a legal move, the most important first.
pub(super) fn motifs(board: &OthelloBoard, disc: Disc) -> Vec<Motif> {
    let mut motifs = Vec::new();
    let mut add = |kind, squares| motifs.push(Motif { kind, squares, claim: Claim::Shown });
    if disc == Disc::PASS {
        return motifs;
    }
    let (after, geometry) = (board.play(disc), board.geometry());
    if 1 << disc.0 & geometry.corners != 0 {
        add("corner", vec![Square { row: disc.0 / 8, column: disc.0 % 8 }]);
    }
    if after.outcome().is_none() && after.must_pass() {
        add("pass", Vec::new());
    }
    let given = after.mobility & geometry.corners & !board.replies();
    let width = geometry.width;
    for corner in grid::squares(width, width, |row, column| given >> (row * 8 + column) & 1 != 0) {
        add("gives-corner", vec![corner]);
    }
    motifs
}
