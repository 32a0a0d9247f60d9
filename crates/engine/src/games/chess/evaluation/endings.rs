//! Endgames with a lone king, for positions with more men than the tables have, or whose end lies beyond the depth of a
//! search; and endgames that a side cannot win by theory.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

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

/// A score for White, at most a draw for a side that cannot win.
#[inline]
pub(super) fn without_false_wins(board: &Board, score: i32) -> i32 {
    let [white, black] = Color::ALL.map(|side| has_wrong_bishop(board, side));
    let score = if white { score.min(0) } else { score };
    if black { score.max(0) } else { score }
}

/// Whether a side has pawns on one rook's file and no pieces but bishops of the other colour than the corner where its pawns
/// promote, and the other king holds the corner. The king always has the corner to go to, and no pawn leaves its file.
fn has_wrong_bishop(board: &Board, side: Color) -> bool {
    let own = board.colors(side);
    let [pawns, bishops] = [Piece::Pawn, Piece::Bishop].map(|piece| board.pieces(piece));
    if !own.is_subset(pawns | bishops | board.pieces(Piece::King)) {
        return false;
    }
    let mut files = [File::A, File::H].into_iter();
    let Some(file) = files.find(|file| (own & pawns).is_subset(file.bitboard())) else {
        return false;
    };
    let corner = Square::new(file, Rank::Eighth.relative_to(side));
    let theirs = board.colors(!side) & pawns;
    !(own & pawns).is_empty()
        && (own & bishops).is_disjoint(colour_of(corner))
        && theirs.is_disjoint(file.adjacent())
        && distance(board.king(!side), corner) <= 1
        && !may_sacrifice(own & pawns, theirs & (file.bitboard() - colour_of(corner)), side)
}

/// Whether a pawn of `side` may recapture on the next file once a bishop has been taken there: by a pawn of the same file, two
/// ranks or more ahead of it, on the colour of the bishop.
fn may_sacrifice(own: BitBoard, theirs: BitBoard, side: Color) -> bool {
    let [last, first] = [ranks(own, side).min(), ranks(theirs, side).max()];
    last.zip(first).is_some_and(|(last, first)| last + 2 <= first)
}

/// The ranks of pawns, counted by `side`.
fn ranks(pawns: BitBoard, side: Color) -> impl Iterator<Item = usize> {
    pawns.iter().map(move |pawn| pawn.rank().relative_to(side) as usize)
}

/// The squares with the colour of this one.
fn colour_of(square: Square) -> BitBoard {
    let dark = BitBoard::DARK_SQUARES;
    if dark.has(square) { dark } else { BitBoard::LIGHT_SQUARES }
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
