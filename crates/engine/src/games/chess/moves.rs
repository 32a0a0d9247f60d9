//! The legal moves of a position, in ascending order of squares.

use cozy_chess::{BitBoard, Move, Piece, Rank, Square};

use crate::game;

/// What a pawn may become, in the order in which the moves are listed.
const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// A move from square to square. Castling takes the king to the square of its rook.
impl game::Move for Move {
    const INDICES: u16 = 1 << 12;

    /// Six bits for each of the two squares. A pawn that promotes can go to no other rank, so there
    /// the rank tells what it becomes: the true one stands for a queen.
    fn move_index(self) -> u16 {
        let choice = PROMOTIONS.iter().position(|&piece| self.promotion == Some(piece));
        let to = self.to as u16 ^ (choice.unwrap_or(0) as u16) << 3;
        to << 6 | self.from as u16
    }
}

/// The legal moves: by the square that a piece leaves, then by the one that it goes to, and a queen
/// before a rook, a bishop and a knight.
#[derive(Clone, Debug)]
pub struct ChessMoves {
    /// The squares of the pieces that have moves left.
    from: BitBoard,
    /// Which of the pieces in `to` stands on a square.
    place: [u8; 64],
    /// Where each piece may go: a side has sixteen at most.
    to: [BitBoard; 16],
    /// How many pieces have moves.
    count: u8,
    /// The squares of the pawns that promote.
    promoting: BitBoard,
    /// The next of the [`PROMOTIONS`] on the present square.
    promotion: usize,
}

impl ChessMoves {
    /// The legal moves on `board`.
    #[inline]
    pub(super) fn of(board: &cozy_chess::Board) -> Self {
        let side = board.side_to_move();
        let seventh = Rank::Seventh.relative_to(side).bitboard();
        let promoting = board.colored_pieces(side, Piece::Pawn) & seventh;
        let mut moves = Self {
            from: BitBoard::EMPTY,
            place: [0; 64],
            to: [BitBoard::EMPTY; 16],
            count: 0,
            promoting,
            promotion: 0,
        };
        board.generate_moves(|entry| {
            // Captures en passant come apart from a pawn's other moves.
            if !moves.from.has(entry.from) {
                moves.from |= entry.from.bitboard();
                moves.place[entry.from as usize] = moves.count;
                moves.count += 1;
            }
            *moves.targets_from(entry.from) |= entry.to;
            false
        });
        moves
    }

    /// Where the piece on `from` may go.
    #[inline]
    fn targets_from(&mut self, from: Square) -> &mut BitBoard {
        &mut self.to[usize::from(self.place[from as usize]) % 16]
    }

    /// What the pawn on `from` becomes next, and whether it goes to the same square again.
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
        let to = self.targets_from(from).next_square()?;
        let (promotion, again) = self.next_promotion(from);
        if !again {
            let left = self.targets_from(from);
            *left ^= to.bitboard();
            if left.is_empty() {
                self.from ^= from.bitboard();
            }
        }
        Some(Move { from, to, promotion })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }

    fn count(self) -> usize {
        self.len()
    }
}

impl ExactSizeIterator for ChessMoves {
    fn len(&self) -> usize {
        let promoting = self.from & self.promoting;
        let promotions = promoting.iter().map(|from| {
            let others = PROMOTIONS.len() as u32 - 1;
            others * self.to[usize::from(self.place[from as usize]) % 16].len()
        });
        let targets = self.to.iter().take(usize::from(self.count)).map(|to| to.len());
        (targets.sum::<u32>() + promotions.sum::<u32>()) as usize - self.promotion
    }
}
