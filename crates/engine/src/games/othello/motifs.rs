//! The motifs of a move of Othello.

use super::super::grid;
use super::board::{Disc, OthelloBoard, connected};
use super::endgame::stable;
use crate::game::{Claim, Motif, Position, ReasonKind, Square, reason_kinds};

/// The motifs that are found, the most important first.
pub(super) const KINDS: &[ReasonKind] = reason_kinds! {
    "corner" "The move takes a corner, which nobody can turn over."
        ["{move} takes a corner, which nobody can turn over."]
    "pass" "The move leaves the other side without a move, so it must pass."
        ["{move} leaves the other side without a move: it must pass."]
    "stable-edge" "The disc lies on the edge, and nobody can turn it over any more."
        ["{move} lies on the edge, and nobody can turn it over."]
    "parity" "The move goes into the one region with an odd number of empty squares, so that its side can play last in every region."
        ["{move} goes into the one region with an odd number of empty squares, so its side can play last everywhere."]
    "gives-corner" "After the move the other side can take a corner that it could not take before."
        ["{move} lets the other side take the corner {0}."]
};

/// The motifs of a legal move, the most important first.
pub(super) fn motifs(board: &OthelloBoard, disc: Disc) -> Vec<Motif> {
    let mut motifs = Vec::new();
    let mut add = |kind, squares| motifs.push(Motif { kind, squares, claim: Claim::Shown });
    if disc == Disc::PASS {
        return motifs;
    }
    let (after, geometry) = (board.play(disc), board.geometry());
    let (width, square) = (geometry.width, Square { row: disc.0 / 8, column: disc.0 % 8 });
    let is_on_edge = [square.row, square.column].iter().any(|&it| it == 0 || it + 1 == width);
    if 1 << disc.0 & geometry.corners != 0 {
        add("corner", vec![square]);
    } else if is_on_edge
        && 1 << disc.0 & stable(after.other, after.own | after.other, geometry) != 0
    {
        add("stable-edge", vec![square]);
    }
    if after.outcome().is_none() && after.must_pass() {
        add("pass", Vec::new());
    }
    let given = after.mobility & geometry.corners & !board.replies();
    if has_parity(board.empty(), disc) {
        add("parity", vec![square]);
    }
    for corner in grid::squares(width, width, |row, column| given >> (row * 8 + column) & 1 != 0) {
        add("gives-corner", vec![corner]);
    }
    motifs
}

/// Whether a disc goes into the one region of empty squares that is odd, near the end and beside other regions.
fn has_parity(empty: u64, disc: Disc) -> bool {
    /// The empty squares from which on players count regions.
    const MOST_EMPTY: u32 = 20;
    let own = connected(empty, 1 << disc.0);
    let mut others = empty & !own;
    if empty.count_ones() > MOST_EMPTY || own.count_ones().is_multiple_of(2) || others == 0 {
        return false;
    }
    while others != 0 {
        let next = connected(others, others & others.wrapping_neg());
        if !next.count_ones().is_multiple_of(2) {
            return false;
        }
        others &= !next;
    }
    true
}
