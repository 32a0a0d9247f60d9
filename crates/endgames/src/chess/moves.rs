//! Moves on placements, forwards and backwards.

use cozy_chess::{BitBoard, Color, Piece, Rank, Square, get_king_moves, get_pawn_quiets};

use super::placement::{ChessPlacement, attacked};
use super::slice::Man;
use crate::{DRAW, Plies};

/// What a pawn may become.
const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// The men beside the kings, each with its square.
type Men = [Option<(Man, Square)>; 2];

impl ChessPlacement {
    /// The position after each legal move.
    pub fn each_after(&self, mut each: impl FnMut(ChessPlacement)) {
        let [own, other] = self.kings();
        let men = self.places();
        let own_men: BitBoard = squares(&men, Color::White).collect();
        let mut play = |king: Square, men: Men, is_double_step: bool| {
            let after = ChessPlacement::new([king, other], men);
            if after.attacks(Color::Black, king) {
                return;
            }
            let after = after.reversed();
            let en_passant = if is_double_step { after.with_en_passant() } else { None };
            each(en_passant.unwrap_or(after));
        };
        for to in get_king_moves(own) - own_men - get_king_moves(other) {
            play(to, without(men, to), false);
        }
        for (place, man) in men.into_iter().enumerate() {
            let Some(((Color::White, piece), from)) = man else { continue };
            for to in targets(self, piece, from) - own_men {
                let is_pawn = piece == Piece::Pawn;
                let mut after = without(men, captured(self, is_pawn, from, to));
                let is_double_step = is_pawn && to as usize - from as usize == 16;
                let crowns = is_pawn && to.rank() == Rank::Eighth;
                let unchanged = [piece];
                for &kind in if crowns { &PROMOTIONS[..] } else { &unchanged } {
                    after[place] = Some(((Color::White, kind), to));
                    play(own, after, is_double_step);
                }
            }
        }
    }

    /// The positions after all legal moves.
    pub(super) fn after(&self) -> Vec<Self> {
        let mut after = Vec::new();
        self.each_after(|next| after.push(next));
        after
    }

    /// The positions from which a move that captures and promotes nothing leads to this one.
    pub fn each_before(&self, mut each: impl FnMut(ChessPlacement)) {
        let earlier = self.reversed();
        let ([king, other], men) = (earlier.kings(), earlier.places());
        let empty = !earlier.occupied();
        let mut took_back = |king: Square, men: Men| {
            let earlier = ChessPlacement::new([king, other], men);
            if earlier.is_legal() {
                each(earlier);
                earlier.with_en_passant().into_iter().for_each(&mut each);
            }
        };
        if !self.en_passant() {
            for from in get_king_moves(king) & empty {
                took_back(from, men);
            }
        }
        for (place, man) in men.into_iter().enumerate() {
            let Some(((Color::White, piece), to)) = man else { continue };
            for from in origins(self, piece, to, empty) {
                let mut before = men;
                before[place] = Some(((Color::White, piece), from));
                took_back(king, before);
            }
        }
    }

    /// The value of this position, which has no moves: mate or stalemate.
    #[must_use]
    pub fn value_without_moves(&self) -> Plies {
        let [king, _] = self.kings();
        if self.attacks(Color::Black, king) { 0 } else { DRAW }
    }
}

/// The squares of the men of a side.
fn squares(men: &Men, side: Color) -> impl Iterator<Item = Square> {
    men.iter().flatten().filter(move |((owner, _), _)| *owner == side).map(|&(_, square)| square)
}

/// The men that are left without the one on this square.
fn without(men: Men, square: Square) -> Men {
    men.map(|man| man.filter(|&(_, other)| other != square))
}

/// Where a man of the side to move may go, its own men left out.
fn targets(placement: &ChessPlacement, piece: Piece, from: Square) -> BitBoard {
    let occupied = placement.occupied();
    let attacked = attacked(Color::White, piece, from, occupied);
    let [own, other] = placement.kings();
    let targets = if piece == Piece::Pawn {
        let passed = passed_square(placement).map_or(BitBoard::EMPTY, Square::bitboard);
        get_pawn_quiets(from, Color::White, occupied) | attacked & (occupied | passed)
    } else {
        attacked
    };
    targets - own.bitboard() - other.bitboard()
}

/// The square that a pawn of the opponent has just passed, where the pawn may be captured en passant.
fn passed_square(placement: &ChessPlacement) -> Option<Square> {
    let pawn = squares(&placement.places(), Color::Black).next().filter(|_| placement.en_passant());
    pawn.map(|pawn| pawn.offset(0, 1))
}

/// The square of the man that a move would capture if there is one.
fn captured(placement: &ChessPlacement, is_pawn: bool, from: Square, to: Square) -> Square {
    let is_en_passant = is_pawn && from.file() != to.file() && passed_square(placement) == Some(to);
    if is_en_passant { to.offset(0, -1) } else { to }
}

/// The squares right below `squares`.
fn below(squares: BitBoard) -> BitBoard {
    BitBoard(squares.0 >> 8)
}

/// The squares from which a man that now stands on `to` may have come without a capture or a promotion.
fn origins(placement: &ChessPlacement, piece: Piece, to: Square, empty: BitBoard) -> BitBoard {
    if piece != Piece::Pawn {
        let is_other = placement.en_passant();
        let origins = attacked(Color::White, piece, to, !empty) & empty;
        return if is_other { BitBoard::EMPTY } else { origins };
    }
    let step = (below(to.bitboard()) & empty) - Rank::First.bitboard();
    let double = if to.rank() == Rank::Fourth { below(step) & empty } else { BitBoard::EMPTY };
    // A double step beside a pawn leads to the position in which it may be captured en passant.
    match (placement.en_passant(), placement.with_en_passant().is_some()) {
        (true, _) => double,
        (false, true) => step,
        (false, false) => step | double,
    }
}
