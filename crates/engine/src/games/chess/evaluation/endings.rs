//! Endgames with a lone king.

use cozy_chess::{BitBoard, Board, Color, Piece, Square};

use super::material::worth;

/// A won ending with a lone king, beside the pieces of the winner: it outweighs every other advantage, so
/// that the search steers for it.
const WON: i32 = 2_000;
/// For each step that the lone king has been driven from the middle, or towards its corner.
const STEP: i32 = 60;
/// For each step that the kings have come closer to each other.
const CLOSER: i32 = 20;

/// The score for White where a lone king faces pieces that can drive it into a mate without pawns: the
/// nearer it is to the edge and the kings to each other, the better. Nothing where the ending is
/// another one.
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
    let driven = if (rooks | queens).is_empty() && bishops.len() == 1 && knights.len() == 1 {
        towards_corner(loser, bishops)
    } else {
        from_middle(loser)
    };
    let board = worth(&Piece::ALL.map(|piece| board.pieces(piece).len() as i32));
    WON + board + near + STEP * driven
}

/// The steps along files and ranks from the middle of the board: 0 on d4, 6 on a1.
fn from_middle(king: Square) -> i32 {
    let from_middle = |line: usize| if line < 4 { 3 - line } else { line - 4 };
    (from_middle(king.file() as usize) + from_middle(king.rank() as usize)) as i32
}

/// How far the king has been driven towards the corners that the bishop attacks: bishop and knight
/// mate nowhere else.
fn towards_corner(king: Square, bishops: BitBoard) -> i32 {
    let is_light = !bishops.is_disjoint(BitBoard::LIGHT_SQUARES);
    let corners = if is_light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
    let steps = |corner: Square| {
        let files = (corner.file() as i32 - king.file() as i32).abs();
        let ranks = (corner.rank() as i32 - king.rank() as i32).abs();
        files + ranks
    };
    14 - corners.map(steps).into_iter().min().unwrap_or(14) + from_middle(king)
}

/// The number of king's moves between two squares.
fn distance(one: Square, other: Square) -> usize {
    let files = (one.file() as usize).abs_diff(other.file() as usize);
    let ranks = (one.rank() as usize).abs_diff(other.rank() as usize);
    files.max(ranks)
}
