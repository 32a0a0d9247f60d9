//! The chessboard as drawn, White at the bottom: row 0 is the eighth rank.

use cozy_chess::{File, Move, Piece, Rank};

use super::notation::{is_capture, landing};
use super::{Chess, ChessBoard, fen};
use crate::game::{self, BoardStyle, Cells, MoveDrawing, PositionError, Side, Square, Surface};

/// The pieces by their letters in FEN: White's, then Black's, each in the order of
/// [`Piece::ALL`].
pub(super) const PIECES: [game::Piece; 12] = [
    game::Piece::new("P", Side::First, "♙", "pawn"),
    game::Piece::new("N", Side::First, "♘", "knight"),
    game::Piece::new("B", Side::First, "♗", "bishop"),
    game::Piece::new("R", Side::First, "♖", "rook"),
    game::Piece::new("Q", Side::First, "♕", "queen"),
    game::Piece::new("K", Side::First, "♔", "king"),
    game::Piece::new("p", Side::Second, "♟", "pawn"),
    game::Piece::new("n", Side::Second, "♞", "knight"),
    game::Piece::new("b", Side::Second, "♝", "bishop"),
    game::Piece::new("r", Side::Second, "♜", "rook"),
    game::Piece::new("q", Side::Second, "♛", "queen"),
    game::Piece::new("k", Side::Second, "♚", "king"),
];

/// The board with its files and ranks.
pub(super) const BOARD: BoardStyle = BoardStyle {
    surface: Surface::Checkered,
    columns: &["a", "b", "c", "d", "e", "f", "g", "h"],
    rows: &["8", "7", "6", "5", "4", "3", "2", "1"],
    first_number: None,
};

fn name(piece: Piece, color: cozy_chess::Color) -> &'static str {
    PIECES[piece as usize + Piece::NUM * color as usize].name
}

/// The pieces, rank by rank from the eighth.
pub(super) fn cells(board: &cozy_chess::Board) -> Cells {
    let ranks = Rank::ALL.into_iter().rev();
    ranks.map(|rank| File::ALL.map(|file| cell(board, file, rank)).to_vec()).collect()
}

fn cell(board: &cozy_chess::Board, file: File, rank: Rank) -> &'static str {
    let square = cozy_chess::Square::new(file, rank);
    let piece = board.piece_on(square).zip(board.color_on(square));
    piece.map_or("", |(piece, color)| name(piece, color))
}

/// The position of these pieces, without castling or en passant rights.
pub(super) fn read(cells: &Cells, side: Side, variant: Chess) -> Result<ChessBoard, PositionError> {
    let ranks: Vec<String> = cells
        .iter()
        .map(|row| row.iter().map(|&cell| if cell.is_empty() { "1" } else { cell }).collect())
        .collect();
    let side = if side == Side::First { 'w' } else { 'b' };
    fen::read(&format!("{} {side} - -", ranks.join("/")), variant)
}

/// Where a square is drawn.
pub(super) fn square(square: cozy_chess::Square) -> Square {
    Square { row: 7 - square.rank() as u8, column: square.file() as u8 }
}

/// What a legal move does to the cells.
pub(super) fn drawn_move(board: &cozy_chess::Board, mv: Move) -> MoveDrawing {
    let side = board.side_to_move();
    let to = landing(board, mv);
    // Castling is the king's move to the square of its own rook.
    let is_castling = board.colors(side).has(mv.to);
    let (mut captures, mut also) = (Vec::new(), Vec::new());
    if is_castling {
        let file = if to.file() == File::G { File::F } else { File::D };
        also = vec![square(mv.to), square(cozy_chess::Square::new(file, to.rank()))];
    } else if is_capture(board, mv) {
        let is_en_passant = !board.occupied().has(to);
        let rank = if is_en_passant { mv.from.rank() } else { to.rank() };
        captures.push(square(cozy_chess::Square::new(to.file(), rank)));
    }
    MoveDrawing {
        flips: Vec::new(),
        path: vec![square(mv.from), square(to)],
        captures,
        promotion: mv.promotion.map(|piece| name(piece, side)),
        also,
    }
}
