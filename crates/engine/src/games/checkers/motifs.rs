//! The motifs of a move of checkers.

use super::{CheckersBoard, CheckersMove, drawing};
use crate::game::{Claim, Motif, MotifKind};

/// The motifs that are found, the most important first.
pub(super) const KINDS: &[MotifKind] = &[
    MotifKind {
        name: "multiple-jump",
        description: "One move captures two or more pieces, and the search wins material.",
        sentence: "{move} captures several pieces in one move.",
    },
    MotifKind {
        name: "king-row",
        description: "A man reaches the last row and becomes a king.",
        sentence: "{move} makes a king.",
    },
];

/// The motifs of a legal move, the most important first.
pub(super) fn motifs(board: &CheckersBoard, mv: CheckersMove) -> Vec<Motif> {
    let drawn = drawing::drawn_move(board, mv);
    let landing = drawn.path.last().copied();
    let mut motifs = Vec::new();
    if drawn.captures.len() > 1 {
        let squares = drawn.captures;
        motifs.push(Motif { kind: "multiple-jump", squares, claim: Claim::Gains });
    }
    if drawn.promotion.is_some() {
        let squares = landing.into_iter().collect();
        motifs.push(Motif { kind: "king-row", squares, claim: Claim::Shown });
    }
    motifs
}
