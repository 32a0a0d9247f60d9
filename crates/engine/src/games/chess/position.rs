//! The rules of chess.

use cozy_chess::{Color, Move, Piece, Rank, Square, get_pawn_attacks};

use super::Chess;
use super::draws;
use super::moves::{ChessMoves, legal_moves};
use crate::game::{Outcome, Position, Properties, Side};

/// A chess position with its counters.
#[derive(Clone, Debug)]
pub struct ChessBoard {
    /// The pieces, the castling rights and the counters.
    pub(super) inner: cozy_chess::Board,
    /// The plies since the last capture or pawn move. The clock of `inner` stops at 100.
    pub(super) clock: u8,
    /// The variant, which tells how castling is written.
    pub(super) variant: Chess,
}

impl ChessBoard {
    /// The position of these pieces.
    pub(super) fn new(inner: cozy_chess::Board, variant: Chess) -> Self {
        let clock = inner.halfmove_clock();
        Self { inner, clock, variant }
    }

    /// The position with another clock of plies without a capture or a pawn move. The clock stops where it draws the game.
    pub(super) fn with_clock(self, clock: u16) -> Self {
        let clock = clock.min(u16::from(draws::SEVENTY_FIVE_MOVES)) as u8;
        Self { clock, ..self }
    }
}

/// The square on which a pawn can be captured en passant, by a legal move.
#[inline]
pub(super) fn en_passant(inner: &cozy_chess::Board) -> Option<Square> {
    let side = inner.side_to_move();
    let square = Square::new(inner.en_passant()?, Rank::Sixth.relative_to(side));
    let capturers = get_pawn_attacks(square, !side) & inner.colored_pieces(side, Piece::Pawn);
    let is_legal =
        !capturers.is_empty() && inner.generate_moves_for(capturers, |moves| moves.to.has(square));
    is_legal.then_some(square)
}

/// Boards are equal if they allow the same continuations and have equal counters. An en passant square that no pawn can use
/// makes no difference. (For `same_position` of cozy-chess it may: that takes any piece which can go there for a
/// pawn.)
impl PartialEq for ChessBoard {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.inner, &other.inner);
        Piece::ALL.into_iter().all(|piece| a.pieces(piece) == b.pieces(piece))
            && Color::ALL.into_iter().all(|color| a.colors(color) == b.colors(color))
            && Color::ALL.into_iter().all(|color| a.castle_rights(color) == b.castle_rights(color))
            && a.side_to_move() == b.side_to_move()
            && en_passant(a) == en_passant(b)
            && self.clock == other.clock
            && a.fullmove_number() == b.fullmove_number()
    }
}

impl Eq for ChessBoard {}

impl Position for ChessBoard {
    type Move = Move;
    type Moves = ChessMoves;

    const PROPERTIES: Properties = Properties { repeats: true, ..Properties::DEFAULT };

    fn side_to_move(&self) -> Side {
        match self.inner.side_to_move() {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if draws::is_dead(&self.inner) {
            Some(Outcome::Draw)
        } else if self.inner.generate_moves(|_| true) {
            None
        } else if self.inner.checkers().is_empty() {
            Some(Outcome::Draw)
        } else {
            Some(Outcome::Loss)
        }
    }

    #[inline]
    fn legal_moves(&self) -> ChessMoves {
        legal_moves(&self.inner)
    }

    #[inline]
    fn play(&self, mv: Move) -> Self {
        let mut after = self.clone();
        after.inner.play_unchecked(mv);
        let is_reset = after.inner.halfmove_clock() == 0;
        after.clock = if is_reset { 0 } else { (self.clock + 1).min(draws::SEVENTY_FIVE_MOVES) };
        after
    }

    #[inline]
    fn key(&self) -> u64 {
        if en_passant(&self.inner).is_some() {
            self.inner.hash()
        } else {
            self.inner.hash_without_ep()
        }
    }

    fn plies_played(&self) -> Option<u32> {
        let moves = u32::from(self.inner.fullmove_number()).saturating_sub(1);
        Some(2 * moves + self.inner.side_to_move() as u32)
    }

    #[inline]
    fn reversible_plies(&self) -> u32 {
        u32::from(self.clock)
    }

    #[inline]
    fn plies_to_draw(&self) -> Option<u32> {
        Some(u32::from(draws::FIFTY_MOVES.saturating_sub(self.clock)))
    }

    fn plies_to_forced_draw(&self) -> Option<u32> {
        Some(u32::from(draws::SEVENTY_FIVE_MOVES.saturating_sub(self.clock)))
    }
}
