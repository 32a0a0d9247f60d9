//! The legal moves of a position, in ascending order of squares.

use cozy_chess::{BitBoard, Move, Piece, Rank, Square};
use smallvec::SmallVec;

use crate::game;

/// The pieces that a pawn may become, in the order of the list of moves.
const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// A move from square to square. Castling takes the king to the square of its rook.
impl game::Move for Move {
    const INDICES: u16 = 1 << 12;

    /// Six bits for each of the two squares. A promoting pawn can reach one rank alone, so the bits of the rank name the piece:
    /// the true rank stands for a queen.
    fn move_index(self) -> u16 {
        let choice = PROMOTIONS.iter().position(|&piece| self.promotion == Some(piece));
        let to = self.to as u16 ^ (choice.unwrap_or(0) as u16) << 3;
        to << 6 | self.from as u16
    }
}

/// The legal moves: by the start square, then by the target square, then queen, rook, bishop and knight.
pub type ChessMoves = smallvec::IntoIter<[Move; 64]>;

/// The legal moves on `board`.
pub(super) fn legal_moves(board: &cozy_chess::Board) -> ChessMoves {
    let (mut from_squares, mut targets) = (BitBoard::EMPTY, [BitBoard::EMPTY; Square::NUM]);
    board.generate_moves(|entry| {
        // Captures en passant come apart from a pawn's other moves.
        from_squares |= entry.from.bitboard();
        targets[entry.from as usize] |= entry.to;
        false
    });
    let side = board.side_to_move();
    let seventh = Rank::Seventh.relative_to(side).bitboard();
    let promoting = board.colored_pieces(side, Piece::Pawn) & seventh;
    let mut moves = SmallVec::new();
    for from in from_squares {
        for to in targets[from as usize] {
            if promoting.has(from) {
                moves.extend(PROMOTIONS.map(|piece| Move { from, to, promotion: Some(piece) }));
            } else {
                moves.push(Move { from, to, promotion: None });
            }
        }
    }
    moves.into_iter()
}
