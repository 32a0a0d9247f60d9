//! Draws that the position itself decides: dead material and the counts of moves.

use cozy_chess::{BitBoard, Board, Piece};

/// The plies without a capture or a pawn move after which a draw may be claimed (FIDE 9.3).
pub(super) const FIFTY_MOVES: u8 = 100;

/// The plies without a capture or a pawn move after which the game is drawn (FIDE 9.6.2).
pub(super) const SEVENTY_FIVE_MOVES: u8 = 150;

/// Whether neither side has the pieces to mate, even with the opponent's help: bare kings, a single
/// knight, or bishops on squares of one colour only.
#[inline]
pub(super) fn is_dead(board: &Board) -> bool {
    let mating = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    mating.is_empty() && minor_pieces_are_dead(board)
}

fn minor_pieces_are_dead(board: &Board) -> bool {
    let (bishops, knights) = (board.pieces(Piece::Bishop), board.pieces(Piece::Knight));
    if knights.is_empty() {
        bishops.is_disjoint(BitBoard::LIGHT_SQUARES) || bishops.is_disjoint(BitBoard::DARK_SQUARES)
    } else {
        knights.len() == 1 && bishops.is_empty()
    }
}

/// The reason for the end of the game, in a position that is mate or drawn.
pub(super) fn reason(board: &Board) -> &'static str {
    if is_dead(board) {
        "insufficient material"
    } else if board.generate_moves(|_| true) {
        "seventy-five moves"
    } else if board.checkers().is_empty() {
        "stalemate"
    } else {
        "checkmate"
    }
}
