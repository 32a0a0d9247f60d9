//! The legal moves of a position, in ascending order of squares.

use cozy_chess::{BitBoard, Move, Piece, Rank, Square};

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
#[derive(Clone, Debug)]
pub struct ChessMoves {
    /// The squares of the pieces that have moves left.
    from: BitBoard,
    /// The target squares of the piece on each square.
    to: [BitBoard; Square::NUM],
    /// The squares of the pawns that promote.
    promoting: BitBoard,
    /// The next of the [`PROMOTIONS`] on the present square.
    promotion: usize,
}

impl ChessMoves {
    /// The legal moves on `board`.
    pub(super) fn of(board: &cozy_chess::Board) -> Self {
        let side = board.side_to_move();
        let seventh = Rank::Seventh.relative_to(side).bitboard();
        let promoting = board.colored_pieces(side, Piece::Pawn) & seventh;
        let (from, to) = (BitBoard::EMPTY, [BitBoard::EMPTY; Square::NUM]);
        let mut moves = Self { from, to, promoting, promotion: 0 };
        board.generate_moves(|entry| {
            // Captures en passant come apart from a pawn's other moves.
            moves.from |= entry.from.bitboard();
            moves.to[entry.from as usize] |= entry.to;
            false
        });
        moves
    }

    /// The next promotion of the pawn on `from`, and whether another one follows on the present target square.
    fn next_promotion(&mut self, from: Square) -> (Option<Piece>, bool) {
        if !self.promoting.has(from) {
            return (None, false);
        }
        let piece = PROMOTIONS[self.promotion];
        self.promotion = (self.promotion + 1) % PROMOTIONS.len();
        (Some(piece), self.promotion != 0)
    }
}

impl Iterator for ChessMoves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let from = self.from.next_square()?;
        let to = self.to[from as usize].next_square()?;
        let (promotion, again) = self.next_promotion(from);
        if !again {
            let left = &mut self.to[from as usize];
            *left ^= to.bitboard();
            if left.is_empty() {
                self.from ^= from.bitboard();
            }
        }
        Some(Move { from, to, promotion })
    }
}
