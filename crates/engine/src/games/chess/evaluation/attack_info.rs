//! One side's pieces as a player sees them: from the own end of the board, moving up.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves,
};

/// The pieces of one side and the squares that they attack.
#[derive(Clone, Debug)]
pub(super) struct AttackInfo {
    /// The pieces of each kind.
    pub by_kind: [BitBoard; Piece::NUM],
    /// All pieces.
    pub all: BitBoard,
    /// The square of the king.
    pub king: Square,
    /// The squares that the pieces of each kind attack.
    pub attacks: [BitBoard; Piece::NUM],
    /// The squares that any piece attacks.
    pub attacked: BitBoard,
    /// The squares that two pieces or more attack.
    pub twice: BitBoard,
}

impl AttackInfo {
    /// The side of this colour, seen from its own end. Of the attacks, only those of the pawns and
    /// of the king are known yet.
    #[expect(clippy::inline_always, reason = "as a call it costs a hundredth of a search")]
    #[inline(always)]
    pub(super) fn of(board: &Board, color: Color) -> Self {
        let turned = |squares: BitBoard| match color {
            Color::White => squares,
            Color::Black => squares.flip_ranks(),
        };
        let by_kind = Piece::ALL.map(|piece| turned(board.colored_pieces(color, piece)));
        let king = board.king(color).relative_to(color);
        let mut info = Self {
            by_kind,
            all: turned(board.colors(color)),
            king,
            attacks: [BitBoard::EMPTY; Piece::NUM],
            attacked: BitBoard::EMPTY,
            twice: BitBoard::EMPTY,
        };
        info.attack_by_pawns();
        info.attack(Piece::King, get_king_moves(king));
        info
    }

    /// The same side as its opponent sees it, moving down.
    #[inline]
    pub(super) fn across(&self) -> Self {
        Self {
            by_kind: self.by_kind.map(BitBoard::flip_ranks),
            all: self.all.flip_ranks(),
            king: self.king.flip_rank(),
            attacks: self.attacks.map(BitBoard::flip_ranks),
            attacked: self.attacked.flip_ranks(),
            twice: self.twice.flip_ranks(),
        }
    }

    pub(super) fn pawns(&self) -> BitBoard {
        self.by_kind[Piece::Pawn as usize]
    }

    pub(super) fn pawn_attacks(&self) -> BitBoard {
        self.attacks[Piece::Pawn as usize]
    }

    /// The pieces without king and pawns.
    pub(super) fn pieces(&self) -> BitBoard {
        self.all - self.pawns() - self.king.bitboard()
    }

    fn attack_by_pawns(&mut self) {
        let ahead = up(self.pawns());
        let (left, right) = (left(ahead), right(ahead));
        self.attacks[Piece::Pawn as usize] = left | right;
        self.attacked = left | right;
        self.twice = left & right;
    }

    /// Adds the squares that one piece attacks.
    #[inline]
    pub(super) fn attack(&mut self, piece: Piece, squares: BitBoard) {
        self.attacks[piece as usize] |= squares;
        self.twice |= self.attacked & squares;
        self.attacked |= squares;
    }

    /// The squares that a piece other than a pawn attacks from `square` among `blockers`.
    #[inline]
    pub(super) fn reach(piece: Piece, square: Square, blockers: BitBoard) -> BitBoard {
        match piece {
            Piece::Pawn => BitBoard::EMPTY,
            Piece::Knight => get_knight_moves(square),
            Piece::Bishop => get_bishop_moves(square, blockers),
            Piece::Rook => get_rook_moves(square, blockers),
            Piece::Queen => get_bishop_moves(square, blockers) | get_rook_moves(square, blockers),
            Piece::King => get_king_moves(square),
        }
    }
}

/// The squares one rank up.
pub(super) const fn up(squares: BitBoard) -> BitBoard {
    BitBoard(squares.0 << 8)
}

/// The squares one rank down.
pub(super) const fn down(squares: BitBoard) -> BitBoard {
    BitBoard(squares.0 >> 8)
}

/// The squares one file towards the file a.
pub(super) const fn left(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & !File::A.bitboard().0) >> 1)
}

/// The squares one file towards the file h.
pub(super) const fn right(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & !File::H.bitboard().0) << 1)
}

/// These squares and all above them.
pub(super) const fn upwards(squares: BitBoard) -> BitBoard {
    let one = squares.0 | squares.0 << 8;
    let three = one | one << 16;
    BitBoard(three | three << 32)
}

/// These squares and all below them.
pub(super) const fn downwards(squares: BitBoard) -> BitBoard {
    let one = squares.0 | squares.0 >> 8;
    let three = one | one >> 16;
    BitBoard(three | three >> 32)
}

/// All squares of the files of these squares.
pub(super) const fn files(squares: BitBoard) -> BitBoard {
    BitBoard(upwards(squares).0 | downwards(squares).0)
}

/// The number of king's moves between two squares.
pub(super) fn distance(one: Square, other: Square) -> usize {
    let files = (one.file() as usize).abs_diff(other.file() as usize);
    let ranks = (one.rank() as usize).abs_diff(other.rank() as usize);
    files.max(ranks)
}

/// The ranks on which an outpost stands.
pub(super) const OUTPOSTS: BitBoard =
    BitBoard(Rank::Fourth.bitboard().0 | Rank::Fifth.bitboard().0 | Rank::Sixth.bitboard().0);
