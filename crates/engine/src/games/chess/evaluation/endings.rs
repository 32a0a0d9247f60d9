//! Endgames with a lone king, for positions with more men than the tables have, or whose end lies beyond the depth of a
//! search.

use cozy_chess::{Board, Color, Piece, Square};

use super::material::worth;

/// A won ending with a lone king, beside the pieces of the winner: it outweighs every other advantage, so
/// that the search steers for it.
const WON: i32 = 2_000;
/// The bonus for each step that the lone king has been driven from the middle.
const STEP: i32 = 60;
/// The bonus for each step that the kings have come closer to each other.
const CLOSER: i32 = 20;

/// The score for White where a lone king faces pieces that can mate without pawns: the nearer the lone king is to the edge
/// and the kings to each other, the better. `None` in other endings.
#[inline]
pub(super) fn lone_king(board: &Board) -> Option<i32> {
    let kings = board.pieces(Piece::King);
    let lone = Color::ALL.into_iter().find(|&side| board.colors(side).is_subset(kings))?;
    if !board.pieces(Piece::Pawn).is_empty() {
        return None;
    }
    let sign = if lone == Color::Black { 1 } else { -1 };
    Some(sign * against(board, board.king(lone), board.king(!lone)))
}

/// The score against the lone king on `loser`.
fn against(board: &Board, loser: Square, winner: Square) -> i32 {
    let [_, knights, bishops, rooks, queens, _] = Piece::ALL.map(|piece| board.pieces(piece));
    let is_mating = !(rooks | queens).is_empty() || !bishops.is_empty() || knights.len() > 2;
    if !is_mating {
        return 0;
    }
    let near = CLOSER * (7 - distance(loser, winner) as i32);
    let board = worth(&Piece::ALL.map(|piece| board.pieces(piece).len() as i32));
    WON + board + near + STEP * from_middle(loser)
}

/// The steps along files and ranks from the middle of the board: 0 on d4, 6 on a1.
fn from_middle(king: Square) -> i32 {
    let lines = [king.file() as i32, king.rank() as i32];
    lines.map(|line| if line < 4 { 3 - line } else { line - 4 }).iter().sum()
}

/// The number of king's moves between two squares.
fn distance(one: Square, other: Square) -> usize {
    let files = (one.file() as usize).abs_diff(other.file() as usize);
    let ranks = (one.rank() as usize).abs_diff(other.rank() as usize);
    files.max(ranks)
}
