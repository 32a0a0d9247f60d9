//! Moves in coordinates, as the Universal Chess Interface (UCI) writes them, and in standard
//! algebraic notation (SAN).

use std::iter::{Peekable, Rev};
use std::str::Chars;

use bestmove_endgames::chess::attacked;
use cozy_chess::{BitBoard, File, Move, Piece, Rank, Square, get_pawn_quiets, util};

use super::names::{name, noun};
use super::{Chess, ChessBoard, spelling};
use crate::game::{MoveError, Position};

/// A legal move in coordinates. In Chess960 castling is the king's move to the square of its rook.
pub(super) fn uci(board: &ChessBoard, mv: Move) -> String {
    match board.variant {
        Chess::Standard => Move { to: landing(&board.inner, mv), ..mv }.to_string(),
        Chess::Chess960 => mv.to_string(),
    }
}

/// A legal move in standard algebraic notation.
pub(super) fn san(inner: &cozy_chess::Board, mv: Move) -> String {
    util::display_san_move(inner, mv).to_string()
}

/// The square of the moved piece after the move. A king that castles does not go as far as its rook.
pub(super) fn landing(inner: &cozy_chess::Board, mv: Move) -> Square {
    if !inner.colors(inner.side_to_move()).has(mv.to) {
        return mv.to;
    }
    let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
    Square::new(file, mv.from.rank())
}

/// Reads a legal move in either notation.
pub(super) fn read(board: &ChessBoard, text: &str) -> Result<Move, MoveError> {
    let strict = read_as_written(board, text);
    if strict.is_ok() {
        return strict;
    }
    let plain = spelling::plain(text);
    if spelling::is_null_move(&plain) {
        return Err(MoveError("a null move: the rules of chess allow no pass".to_owned()));
    }
    let written = read_as_written(board, &plain);
    if written.is_ok() {
        return written;
    }
    let mut others: Vec<Move> = Vec::new();
    for other in spelling::other_readings(&plain) {
        if let Ok(mv) = read_as_written(board, &other)
            && !others.contains(&mv)
        {
            others.push(mv);
        }
    }
    match others[..] {
        [] => written,
        [mv] => Ok(mv),
        _ => Err(ambiguous(&board.inner, &others)),
    }
}

fn ambiguous(inner: &cozy_chess::Board, moves: &[Move]) -> MoveError {
    let written: Vec<String> = moves.iter().map(|&mv| san(inner, mv)).collect();
    MoveError(format!("ambiguous: write {}", written.join(" or ")))
}

/// Reads a legal move, with the case of letters that the notations demand.
fn read_as_written(board: &ChessBoard, text: &str) -> Result<Move, MoveError> {
    let inner = &board.inner;
    let Some(said) = Description::parse(text, board) else {
        return Err(MoveError(
            "expected a move such as e2e4, e7e8q, Nf3, exd5, e8=Q or O-O".to_owned(),
        ));
    };
    let (fitting, others): (Vec<Move>, Vec<Move>) = board
        .legal_moves()
        .filter(|&mv| said.fits(inner, mv))
        .partition(|mv| mv.promotion == said.promotion);
    // In Chess960 a king may go to the square on which castling would leave it.
    let to_the_square = fitting.iter().filter(|mv| mv.to == said.to).copied().collect();
    let fitting: Vec<Move> = if fitting.len() > 1 { to_the_square } else { fitting };
    match fitting.as_slice() {
        [] => Err(MoveError(match others.first() {
            Some(mv) if mv.promotion.is_some() => {
                "this pawn promotes: end the move with q, r, b or n".to_owned()
            }
            Some(_) => "this is no promotion: leave out the last letter".to_owned(),
            None => said.error(inner),
        })),
        [mv] if said.takes && !is_capture(inner, *mv) => {
            Err(MoveError(format!("there is nothing to take on {}: leave out the x", said.to)))
        }
        [mv] => Ok(*mv),
        several => Err(ambiguous(inner, several)),
    }
}

pub(super) fn is_capture(inner: &cozy_chess::Board, mv: Move) -> bool {
    let is_pawn = inner.pieces(Piece::Pawn).has(mv.from);
    inner.colors(!inner.side_to_move()).has(mv.to) || is_pawn && mv.from.file() != mv.to.file()
}

/// The parts of a move that a text names.
struct Description {
    /// The piece that moves; `None` in pure coordinates.
    piece: Option<Piece>,
    /// The file that the piece leaves, if it is named.
    file: Option<File>,
    rank: Option<Rank>,
    takes: bool,
    to: Square,
    promotion: Option<Piece>,
    /// Whether the move is written as castling.
    castles: bool,
}

/// The unread letters of a move, the last one first, since only the end of a move has one form in all notations.
type Letters<'t> = Peekable<Rev<Chars<'t>>>;

/// Reads one letter, if it names a `T`.
fn next<T: TryFrom<char>>(letters: &mut Letters) -> Option<T> {
    let value = T::try_from(*letters.peek()?).ok()?;
    letters.next();
    Some(value)
}

impl Description {
    fn parse(text: &str, board: &ChessBoard) -> Option<Self> {
        let text = text.trim().trim_end_matches(['+', '#', '!', '?']);
        match text.replace(['0', 'o'], "O").as_str() {
            "O-O" => Some(Self::castling(File::G, board)),
            "O-O-O" => Some(Self::castling(File::C, board)),
            _ => Self::spelled(text.chars().rev().peekable()),
        }
    }

    fn spelled(mut letters: Letters) -> Option<Self> {
        let promotion = match letters.next_if(char::is_ascii_alphabetic) {
            Some(letter) => {
                letters.next_if_eq(&'=');
                Some(Piece::try_from(letter.to_ascii_lowercase()).ok()?)
            }
            None => None,
        };
        let (rank, file) = (next(&mut letters)?, next(&mut letters)?);
        let to = Square::new(file, rank);
        let takes = letters.next_if(|&sign| sign == 'x' || sign == '-') == Some('x');
        let (rank, file) = (next(&mut letters), next(&mut letters));
        let piece = match letters.next() {
            Some(letter) if letter.is_ascii_uppercase() => {
                Some(Piece::try_from(letter.to_ascii_lowercase()).ok()?)
            }
            Some(_) => return None,
            None if rank.is_some() && file.is_some() => None,
            None => Some(Piece::Pawn),
        };
        let is_whole = letters.next().is_none();
        is_whole.then_some(Self { piece, file, rank, takes, to, promotion, castles: false })
    }

    /// The king's part of castling.
    fn castling(file: File, board: &ChessBoard) -> Self {
        let inner = &board.inner;
        let side = inner.side_to_move();
        let rank = Rank::First.relative_to(side);
        let king = match board.variant {
            Chess::Standard => File::E,
            Chess::Chess960 => inner.king(side).file(),
        };
        Self {
            piece: Some(Piece::King),
            file: Some(king),
            rank: Some(rank),
            takes: false,
            to: Square::new(file, rank),
            promotion: None,
            castles: true,
        }
    }

    /// The square that the piece leaves, if it is named.
    fn from(&self) -> Option<Square> {
        Some(Square::new(self.file?, self.rank?))
    }

    /// Whether `mv` fits the description, its promotion left out. In coordinates castling may also be written as in Chess960:
    /// the king takes its rook.
    fn fits(&self, inner: &cozy_chess::Board, mv: Move) -> bool {
        let castles = inner.colors(inner.side_to_move()).has(mv.to);
        self.movers(inner).has(mv.from)
            && (castles || !self.castles)
            && (landing(inner, mv) == self.to
                || self.from().is_some() && mv.to == self.to && !self.castles)
    }

    /// The pieces of the side to move that may be meant.
    fn movers(&self, inner: &cozy_chess::Board) -> BitBoard {
        let pieces = self.piece.map_or(BitBoard::FULL, |piece| inner.pieces(piece));
        let file = self.file.map_or(BitBoard::FULL, File::bitboard);
        let rank = self.rank.map_or(BitBoard::FULL, Rank::bitboard);
        inner.colors(inner.side_to_move()) & pieces & file & rank
    }

    /// The reason why no legal move fits.
    fn error(&self, inner: &cozy_chess::Board) -> String {
        let side = inner.side_to_move();
        let (movers, to) = (self.movers(inner), self.to);
        if let Some(from) = self.from().filter(|_| movers.is_empty()) {
            return absence(inner, from, self.piece);
        }
        if self.castles || movers.into_iter().any(|from| is_castling(inner, from, to)) {
            return refused_castling(inner, to.file());
        }
        if movers.into_iter().any(|from| reach(inner, from).has(to)) {
            return format!("this would leave the {} king in check", name(side));
        }
        match (self.from().and_then(|from| inner.piece_on(from)), self.from(), self.piece) {
            (Some(piece), Some(from), _) => {
                format!("the {} on {from} can't go to {to}", noun(piece))
            }
            (_, _, piece) => {
                format!("no {} {} can go to {to}", name(side), piece.map_or("piece", noun))
            }
        }
    }
}

/// The reason why no piece can move from a square.
fn absence(inner: &cozy_chess::Board, from: Square, piece: Option<Piece>) -> String {
    let side = inner.side_to_move();
    if inner.colors(!side).has(from) {
        format!("the piece on {from} is {}'s, but {} is to move", name(!side), name(side))
    } else if let (Some(piece), true) = (piece, inner.occupied().has(from)) {
        format!("there is no {} on {from}", noun(piece))
    } else {
        format!("there is no piece on {from}")
    }
}

/// Whether a king that went between these squares would castle.
fn is_castling(inner: &cozy_chess::Board, from: Square, to: Square) -> bool {
    inner.pieces(Piece::King).has(from)
        && from.rank() == to.rank()
        && from.file() == File::E
        && matches!(to.file(), File::C | File::G)
}

fn refused_castling(inner: &cozy_chess::Board, file: File) -> String {
    let side = inner.side_to_move();
    let rights = inner.castle_rights(side);
    let right = if file == File::G { rights.short } else { rights.long };
    match right {
        None => format!("{} has no right to castle to the {file}-file", name(side)),
        Some(_) => "castling needs empty squares between king and rook, and the king may not \
                    leave, cross or enter an attacked square"
            .to_owned(),
    }
}

/// The squares that the piece on `from` attacks or may go to, checks aside.
fn reach(inner: &cozy_chess::Board, from: Square) -> BitBoard {
    let (side, occupied) = (inner.side_to_move(), inner.occupied());
    let Some(piece) = inner.piece_on(from) else { return BitBoard::EMPTY };
    let attacked = attacked(side, piece, from, occupied);
    let squares = match piece {
        Piece::Pawn => get_pawn_quiets(from, side, occupied) | attacked & occupied,
        _ => attacked,
    };
    squares - inner.colors(side)
}
