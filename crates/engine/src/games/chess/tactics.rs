//! Tactics: the gain of moves, static exchange evaluation, the risk of zugzwang, and passed pawns.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// The values of pieces in an exchange, in centipawns. No exchange ends with the capture of a king.
const VALUES: [i32; Piece::NUM] = [100, 300, 300, 500, 900, 20_000];

/// The kinds of pieces by the squares to which they go.
pub(super) const HISTORY_INDICES: u16 = 6 << 6;

/// The piece that moves and the square to which it goes.
#[inline]
pub(super) fn history_index(board: &Board, mv: Move) -> u16 {
    let piece = board.piece_on(mv.from).map_or(0, |piece| piece as u16);
    piece << 6 | mv.to as u16
}

/// The value of a piece in an exchange.
#[inline]
fn value(piece: Piece) -> i32 {
    VALUES[piece as usize]
}

#[inline]
fn victim(board: &Board, mv: Move) -> Option<Piece> {
    let theirs = board.colors(!board.side_to_move());
    if theirs.has(mv.to) {
        board.piece_on(mv.to)
    } else {
        is_en_passant(board, mv).then_some(Piece::Pawn)
    }
}

/// Whether `mv` captures en passant: the only way for a pawn to change its file to an empty square.
#[inline]
fn is_en_passant(board: &Board, mv: Move) -> bool {
    mv.from.file() != mv.to.file()
        && board.pieces(Piece::Pawn).has(mv.from)
        && !board.occupied().has(mv.to)
}

/// Whether `mv` castles, which is written as the king's move to its own rook.
#[inline]
fn is_castling(board: &Board, mv: Move) -> bool {
    board.colors(board.side_to_move()).has(mv.to)
}

/// The gain of `mv` if nothing is taken back; `None` for a quiet move. A promotion without capture to less than a queen
/// counts as quiet.
#[inline]
pub(super) fn gain(board: &Board, mv: Move) -> Option<i32> {
    let victim = victim(board, mv);
    let promotion = mv.promotion.filter(|&piece| victim.is_some() || piece == Piece::Queen);
    if victim.is_none() && promotion.is_none() {
        return None;
    }
    let promoted = promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
    Some(victim.map_or(0, value) + promoted)
}

/// Calls `sink` with each capture and promotion and its gain.
pub(super) fn noisy_moves(board: &Board, mut sink: impl FnMut(Move, i32)) {
    let side = board.side_to_move();
    let theirs = board.colors(!side);
    let last_rank = Rank::Eighth.relative_to(side).bitboard();
    let en_passant = board.en_passant().map_or(BitBoard::EMPTY, |file| {
        Square::new(file, Rank::Sixth.relative_to(side)).bitboard()
    });
    board.generate_moves(|mut moves| {
        moves.to &=
            if moves.piece == Piece::Pawn { theirs | en_passant | last_rank } else { theirs };
        for mv in moves {
            if let Some(gain) = gain(board, mv) {
                sink(mv, gain);
            }
        }
        false
    });
}

/// Whether the side to move has at most one minor piece beside king and pawns. In such positions zugzwang is common.
pub(super) fn risks_zugzwang(board: &Board) -> bool {
    let pawns_and_king = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
    let pieces = board.colors(board.side_to_move()) - pawns_and_king;
    let minors = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    pieces.len() < 2 && pieces.is_subset(minors)
}

/// The squares in front of the pawns of `side` and of their neighbours: a pawn of the other side on any other square is passed.
#[inline]
pub(super) fn in_front(pawns: BitBoard, side: Color) -> BitBoard {
    let ahead = |squares: u64, ranks: u32| match side {
        Color::White => squares << (8 * ranks),
        Color::Black => squares >> (8 * ranks),
    };
    let squares =
        [1, 2, 4].into_iter().fold(ahead(pawns.0, 1), |all, ranks| all | ahead(all, ranks));
    let left = squares & !File::A.bitboard().0;
    let right = squares & !File::H.bitboard().0;
    BitBoard(squares | left >> 1 | right << 1)
}

/// Whether `mv` wins at least `threshold` once all captures on its square are played out, each side
/// taking with its least valuable piece and stopping when that is better: the swap algorithm. Pins
/// are not seen.
pub(super) fn exchange_at_least(board: &Board, mv: Move, threshold: i32) -> bool {
    let Some(moved) = mv.promotion.or_else(|| board.piece_on(mv.from)) else { return false };
    let promoted = mv.promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
    // The gain of the mover beyond the threshold: first if nothing is taken back, then if the moved piece is taken.
    let mut balance = victim(board, mv).map_or(0, value) + promoted - threshold;
    if balance < 0 || is_castling(board, mv) {
        return balance >= 0;
    }
    balance -= value(moved);
    let side = board.side_to_move();
    balance >= 0 || CaptureSequence::after(board, mv).winner(balance, !side) == side
}

/// The pieces that fight for one square.
struct CaptureSequence<'a> {
    board: &'a Board,
    target: Square,
    occupied: BitBoard,
    /// The pieces that attack the square and are not hidden behind others.
    attackers: BitBoard,
}

impl<'a> CaptureSequence<'a> {
    fn after(board: &'a Board, mv: Move) -> Self {
        let target = mv.to;
        let mut occupied = (board.occupied() - mv.from.bitboard()) | target.bitboard();
        if is_en_passant(board, mv) {
            occupied -= Square::new(target.file(), mv.from.rank()).bitboard();
        }
        let [white_pawns, black_pawns] =
            [Color::White, Color::Black].map(|color| board.colored_pieces(color, Piece::Pawn));
        let steps = get_knight_moves(target) & board.pieces(Piece::Knight)
            | get_king_moves(target) & board.pieces(Piece::King)
            | get_pawn_attacks(target, Color::White) & black_pawns
            | get_pawn_attacks(target, Color::Black) & white_pawns;
        let mut exchange = Self { board, target, occupied, attackers: steps };
        exchange.attackers |= exchange.diagonal() | exchange.straight();
        exchange
    }

    /// The bishops and queens with a free way to the square.
    fn diagonal(&self) -> BitBoard {
        let sliders = self.board.pieces(Piece::Bishop) | self.board.pieces(Piece::Queen);
        get_bishop_moves(self.target, self.occupied) & sliders
    }

    /// The rooks and queens with a free way to the square.
    fn straight(&self) -> BitBoard {
        let sliders = self.board.pieces(Piece::Rook) | self.board.pieces(Piece::Queen);
        get_rook_moves(self.target, self.occupied) & sliders
    }

    /// The side that is ahead after the last capture. `side` takes next, and `balance`, below zero, is the other side's gain
    /// beyond its aim if its piece is taken.
    fn winner(mut self, mut balance: i32, mut side: Color) -> Color {
        while let Some(piece) = self.take(side) {
            side = !side;
            balance = -balance - 1 - value(piece);
            if balance >= 0 {
                // The side is ahead even if its piece is taken too, but a king must not be taken.
                let is_illegal = piece == Piece::King && !self.of(side).is_empty();
                return if is_illegal { side } else { !side };
            }
        }
        !side
    }

    /// The attackers of a side.
    fn of(&self, side: Color) -> BitBoard {
        self.attackers & self.occupied & self.board.colors(side)
    }

    /// Lets the least valuable piece of `side` take, which may uncover others.
    fn take(&mut self, side: Color) -> Option<Piece> {
        let attackers = self.of(side);
        let mut pieces = Piece::ALL.into_iter();
        let piece = pieces.find(|&piece| !attackers.is_disjoint(self.board.pieces(piece)))?;
        let from = (attackers & self.board.pieces(piece)).next_square()?;
        self.occupied ^= from.bitboard();
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            self.attackers |= self.diagonal();
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            self.attackers |= self.straight();
        }
        Some(piece)
    }
}
