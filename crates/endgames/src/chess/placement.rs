//! Placements: where the men of a slice stand.

use cozy_chess::{
    BitBoard, Board, BoardBuilder, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use super::slice::{ABSENT, ChessSlice, MOST_MEN, MOST_OTHERS, Man, code};

/// Where the men stand, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessPlacement {
    pub(super) slice: ChessSlice,
    pub(super) kings: [Square; 2],
    /// The squares of the men of the slice.
    pub(super) squares: [Square; MOST_OTHERS],
    /// Whether the opponent's pawn has just passed a square that a pawn of the side to move attacks.
    pub(super) en_passant: bool,
}

impl ChessPlacement {
    /// The placement of these kings and men.
    #[must_use]
    pub fn new(kings: [Square; 2], mut men: [Option<(Man, Square)>; MOST_OTHERS]) -> Self {
        men.sort_by_key(|man| man.map_or(ABSENT, |(man, _)| code(man)));
        let slice = ChessSlice { men: men.map(|man| man.map(|(man, _)| man)) };
        let squares = men.map(|man| man.map_or(Square::A1, |(_, square)| square));
        Self { slice, kings, squares, en_passant: false }
    }

    /// The placement of the men of a board; `None` where there are too many men, or castling rights.
    #[must_use]
    pub fn of(board: &Board) -> Option<Self> {
        let mover = board.side_to_move();
        let may_castle = Color::ALL.into_iter().any(|side| {
            let rights = board.castle_rights(side);
            rights.short.is_some() || rights.long.is_some()
        });
        if may_castle || board.occupied().len() as usize > MOST_MEN {
            return None;
        }
        let kings = [mover, !mover].map(|side| board.king(side).relative_to(mover));
        let mut men = [None; MOST_OTHERS];
        let squares = board.occupied() - board.pieces(Piece::King);
        for (place, square) in men.iter_mut().zip(squares) {
            let side = if board.colors(mover).has(square) { Color::White } else { Color::Black };
            *place = Some(((side, board.piece_on(square)?), square.relative_to(mover)));
        }
        let placement = Self::new(kings, men);
        let passed = board.en_passant().and_then(|_| placement.with_en_passant());
        Some(passed.unwrap_or(placement))
    }

    /// The board on which White is to move; none of a position that no game can reach.
    #[must_use]
    pub fn board(&self) -> Option<Board> {
        let mut setup = BoardBuilder::empty();
        let kings = Color::ALL.into_iter().zip(self.kings);
        let kings = kings.map(|(side, square)| ((side, Piece::King), square));
        for ((side, piece), square) in kings.chain(self.men()) {
            *setup.square_mut(square) = Some((piece, side));
            if self.en_passant && (side, piece) == (Color::Black, Piece::Pawn) {
                setup.en_passant = Some(square.offset(0, 1));
            }
        }
        setup.build().ok()
    }

    /// The squares of the kings, that of the side to move first.
    #[must_use]
    pub fn kings(&self) -> [Square; 2] {
        self.kings
    }

    /// The men beside the kings, each with its square.
    #[must_use]
    pub fn places(&self) -> [Option<(Man, Square)>; MOST_OTHERS] {
        [0, 1].map(|place| Some((self.slice.men[place]?, self.squares[place])))
    }

    /// The men on the board beside the kings, each with its square.
    pub fn men(&self) -> impl Iterator<Item = (Man, Square)> {
        self.places().into_iter().flatten()
    }

    /// The men beside the kings.
    #[must_use]
    pub fn slice(&self) -> ChessSlice {
        self.slice
    }

    /// Whether the opponent's pawn may be captured en passant, as far as no king stands in the way.
    #[must_use]
    pub fn en_passant(&self) -> bool {
        self.en_passant
    }

    /// The squares with men.
    #[must_use]
    pub fn occupied(&self) -> BitBoard {
        let men = self.men().map(|(_, square)| square);
        men.chain(self.kings).collect()
    }

    /// Whether a man of this side, kings left out, attacks a square.
    #[must_use]
    pub fn attacks(&self, side: Color, target: Square) -> bool {
        self.attacked(side).has(target)
    }

    /// The squares that the men of this side attack, kings left out.
    pub(super) fn attacked(&self, side: Color) -> BitBoard {
        let occupied = self.occupied();
        let men = self.men().filter(|&((owner, _), _)| owner == side);
        let attacked = men.map(|((_, piece), square)| attacked(side, piece, square, occupied));
        attacked.fold(BitBoard::EMPTY, |all, some| all | some)
    }

    /// Whether every man has a square for itself, no pawn stands on the last ranks, and the king that is not to move
    /// is not attacked.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        let men = 2 + self.men().count();
        let is_free = self.occupied().len() as usize == men;
        let [own, other] = self.kings;
        is_free
            && !get_king_moves(own).has(other)
            && !self.attacks(Color::White, other)
            && (!self.en_passant || self.has_passed())
    }

    /// Whether the two squares behind the opponent's pawn are empty.
    fn has_passed(&self) -> bool {
        let pawn = self.squares[1] as usize;
        let behind = [pawn + 8, pawn + 16].map(Square::index);
        !behind.into_iter().any(|square| self.occupied().has(square))
    }

    /// The same position with the king of the side to move on the files a to d, and without pawns on the ranks 1 to 4.
    pub(super) fn folded(&self) -> Self {
        let [king, _] = self.kings;
        let files = if king.file() as usize >= 4 { 7 } else { 0 };
        let is_high = king.rank() as usize >= 4 && !self.slice.has_pawns();
        self.turned(files | if is_high { 56 } else { 0 })
    }

    /// Whether this folded position stands for its mirror image in the diagonal, which it has where there are no
    /// pawns.
    pub(super) fn is_canonical(&self) -> bool {
        self.slice.has_pawns() || is_below_diagonal(self.kings)
    }

    /// The position that stands for this one in a table: folded, and mirrored where the mirror image stands there.
    pub(super) fn canonical(&self) -> Self {
        let folded = self.folded();
        if folded.is_canonical() { folded } else { folded.mirrored() }
    }

    /// The mirror image in the diagonal from a1 to h8.
    fn mirrored(&self) -> Self {
        let mirrored =
            |square: Square| Square::index(square as usize % 8 * 8 + square as usize / 8);
        Self { kings: self.kings.map(mirrored), squares: self.squares.map(mirrored), ..*self }
    }

    /// The same position seen by the opponent, who is to move.
    #[must_use]
    pub fn reversed(&self) -> Self {
        const RANKS: usize = 56;
        let turned = self.turned(RANKS);
        let [own, other] = turned.kings;
        let men =
            turned.places().map(|man| man.map(|((side, piece), square)| ((!side, piece), square)));
        Self::new([other, own], men)
    }

    /// The same position after a double step of the opponent's pawn, where that allows a capture en passant.
    #[must_use]
    pub fn with_en_passant(self) -> Option<Self> {
        let [own, other] = self.squares;
        let is_beside = self.slice.has_en_passant()
            && [own, other].iter().all(|pawn| pawn.rank() == Rank::Fifth)
            && (own.file() as usize).abs_diff(other.file() as usize) == 1;
        (is_beside && self.has_passed()).then_some(Self { en_passant: true, ..self })
    }

    fn turned(&self, bits: usize) -> Self {
        let [kings, squares] = [self.kings, self.squares]
            .map(|squares| squares.map(|square| Square::index(square as usize ^ bits)));
        Self { kings, squares, ..*self }
    }
}

/// Whether the first of the kings that does not stand on the diagonal from a1 to h8, if any, stands below it.
pub(super) fn is_below_diagonal(kings: [Square; 2]) -> bool {
    let [own, other] = kings.map(|king| king.rank() as i32 - king.file() as i32);
    own < 0 || own == 0 && other <= 0
}

/// The squares that a man attacks.
#[inline]
#[must_use]
pub fn attacked(side: Color, piece: Piece, square: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(square, side),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    }
}
