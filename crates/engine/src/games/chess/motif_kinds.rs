//! The kinds of motifs of chess moves, and their sentences.

use crate::game::{ReasonKind, reason_kinds};

/// The motifs that are found, the most important first.
pub(super) const KINDS: &[ReasonKind] = reason_kinds! {
    "double-check" "Two pieces give check at once, so the king must move."
        ["{move} gives check with two pieces at once: {0} and {rest}."]
    "back-rank" "A piece mates a king on its first rank, whose own men take all squares in front of it."
        ["{move} mates on the back rank: the king has no square in front of it."]
    "fork" "One piece attacks two or more targets at once, and the search wins one of them."
        ["{0} forks {rest}."]
    "discovered-check" "The move opens the line of another piece, which gives check."
        ["{move} opens a line: {0} gives check."]
    "discovered-attack" "The move opens the line of another piece to a target, and the search wins it."
        ["{move} opens the line of {0} to {rest}."]
    "skewer" "A line piece attacks a piece that must move, and the search wins the one behind it."
        ["{0} skewers {1}; behind it stands {2}."]
    "pin" "A line piece holds a piece that shields a better one, and the search wins the pinned piece."
        ["{0} pins {1} against {2}."]
    "pinned-defender" "A piece of the other side is pinned and can't take or block, and the search wins material."
        ["{1} is pinned by {2} and powerless against {0}."]
    "deflection" "The move draws a piece away from one that it alone defends, and the search wins that one."
        ["{move} draws {0} away from {1}."]
    "trapped-piece" "A piece is attacked and has no safe square, and the search wins it."
        ["{0} is attacked and has no safe square."]
    "removed-defender" "The move captures a piece that defends another one, and the search wins that one."
        ["{move} captures the defender of {0}."]
    "hanging-piece" "The move captures a piece that nothing defends."
        ["{move} captures a piece that nothing defends."]
    "promotion" "A pawn is promoted."
        ["{move} promotes the pawn."]
    "en-passant" "The move captures en passant."
        ["{move} captures en passant."]
    "stalemate" "The move leaves the other side without a legal move, and not in check."
        ["{move} is stalemate: the game is drawn."]
    "passed-pawn" "A pawn that no pawn can stop goes to the sixth or seventh rank."
        ["{0} is a passed pawn near its promotion."]
};
