//! The motifs of a move of checkers.

use super::super::bits::Bits;
use super::board::{
    CheckersBoard, DIRECTIONS, KING_ROWS, SQUARES, is_forward, seen_from, square_at, step,
};
use super::{CheckersMove, drawing};
use crate::game::{Claim, Motif, Position, ReasonKind, Side, reason_kinds};

/// The motifs that are found, the most important first.
pub(super) const KINDS: &[ReasonKind] = reason_kinds! {
    "multiple-jump" "One move captures two or more pieces, and the search wins material."
        ["{move} captures several pieces in one move."]
    "king-row" "A man reaches the last row and becomes a king."
        ["{move} makes a king."]
    "breakthrough" "A man has passed all opposing pieces and has a free way to the king row, and the search loses no material."
        ["{0} has passed every opposing piece on its way to the king row."]
    "trapped-king" "An opposing king that could move can not any more, and the search loses no material."
        ["{0} can not move any more."]
};

/// The motifs of a legal move, the most important first.
pub(super) fn motifs(board: &CheckersBoard, mv: CheckersMove) -> Vec<Motif> {
    let drawn = drawing::drawn_move(board, mv);
    let landing = drawn.path.last().copied();
    let (after, side) = (board.play(mv), board.side_to_move());
    let mut motifs = Vec::new();
    if drawn.captures.len() > 1 {
        let squares = drawn.captures;
        motifs.push(Motif { kind: "multiple-jump", squares, claim: Claim::Gains });
    }
    if drawn.promotion.is_some() {
        let squares = landing.into_iter().collect();
        motifs.push(Motif { kind: "king-row", squares, claim: Claim::Shown });
    }
    if runs_free(&after, mv.to, side) && !runs_free(board, mv.from, side) {
        let squares = landing.into_iter().collect();
        motifs.push(Motif { kind: "breakthrough", squares, claim: Claim::Holds });
    }
    let trapped = immobile_kings(&after, side.other()) & !immobile_kings(board, side.other());
    for bit in Bits(trapped) {
        let squares = vec![drawing::drawn(square_at(bit))];
        motifs.push(Motif { kind: "trapped-king", squares, claim: Claim::Holds });
    }
    motifs
}

/// Whether the piece on the square `bit` is a man of `side` with no opposing piece beside or before it, no opposing
/// king anywhere, and a free way to its king row.
fn runs_free(board: &CheckersBoard, bit: u8, side: Side) -> bool {
    let (own, other) = (board.pieces(side), board.pieces(side.other()));
    let man = 1 << bit;
    let seen = seen_from(side, man).trailing_zeros();
    let row_start = seen / 9 * 9 + if seen % 9 < 4 { 0 } else { 4 };
    if man & board.kings != 0
        || other & board.kings != 0
        || seen_from(side, other) >> row_start != 0
    {
        return false;
    }
    let empty = SQUARES & !(own | other);
    let mut reached = man;
    // A man is seven rows from its king row at most.
    for _ in 0..7 {
        for direction in DIRECTIONS.into_iter().filter(|&it| is_forward(side, it)) {
            reached |= step(reached, direction) & empty;
        }
    }
    reached & KING_ROWS[side as usize] != 0
}

/// The kings of a side that can neither move nor capture.
fn immobile_kings(board: &CheckersBoard, side: Side) -> u64 {
    let (own, other) = (board.pieces(side), board.pieces(side.other()));
    let empty = SQUARES & !(own | other);
    let mut kings = own & board.kings;
    for direction in DIRECTIONS {
        // `back` is the direction from a target square to the king.
        let back = 3 - direction;
        let movers = step(empty, back);
        let jumpers = step(movers & other, back);
        kings &= !(movers | jumpers);
    }
    kings
}
