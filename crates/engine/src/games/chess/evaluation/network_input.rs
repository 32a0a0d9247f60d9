//! The input of the network of chess: for each side the pieces of both sides by kind and square, and what they attack.
//!
//! A side sees the board from its end, mirrored so that its king stands on the files e to h. So positions that differ by
//! the side alone, or by left and right, share their weights.

use bestmove_endgames::chess::attacked;
use cozy_chess::{
    BitBoard, Board, Color, File, Piece, get_bishop_moves, get_knight_moves, get_rook_moves,
};

use super::super::tactics::in_front;
use crate::network::{Input, NetworkSize};

/// What a side has and attacks: the places of its pieces, one word for each kind, or its [`relations`].
type SideWords = [u64; Piece::NUM];

/// Words of a view: the places of both sides' pieces and their relations. The places determine the relations, but a network of
/// this size does not learn how.
pub(super) const WORDS: usize = 4 * Piece::NUM;

/// The dimensions of the network. At most 32 pieces are on the board, 30 of them are en prise, 16 are passed pawns, either
/// king has 8 squares around it, which count twice, no square is controlled by both sides, and checks come from 35 squares.
pub(super) const SIZE: NetworkSize =
    NetworkSize { features: 64 * WORDS, present: 32 + 30 + 16 + 32 + 64 + 70, buckets: 8 };

/// The input of the network for a position.
#[inline]
pub(super) fn input(board: &Board) -> Input<WORDS> {
    let pieces = Color::ALL.map(|side| Piece::ALL.map(|piece| board.colored_pieces(side, piece).0));
    let attacks = Color::ALL.map(|side| attacks(board, side));
    let relations = Color::ALL.map(|side| relations(board, side, &attacks));
    let view = |own: usize, other: usize| {
        let mut words = [0; WORDS];
        let parts: [SideWords; 4] = [pieces[own], pieces[other], relations[own], relations[other]];
        words.copy_from_slice(parts.as_flattened());
        words
    };
    Input {
        views: [view(0, 1), view(1, 0)],
        turns: Color::ALL.map(|side| turn(board, side)),
        patterns: [[]; 2],
        mover: board.side_to_move() as usize,
        bucket: (board.occupied().len() as usize - 1) / 4,
    }
}

/// How `side` sees the board: from its end, with its king on the right.
#[inline]
fn turn(board: &Board, side: Color) -> u8 {
    let is_mirrored = board.king(side).file() < File::E;
    56 * u8::from(side == Color::Black) + 7 * u8::from(is_mirrored)
}

/// The squares that the pieces of a side attack, by kind of piece.
type Attacks = [BitBoard; Piece::NUM];

/// How the pieces of a side and the attacks of both sides relate to each other: its pieces en prise; the squares around its
/// king that the opponent attacks; its passed pawns; the squares that it attacks and the opponent does not; the squares
/// from which the opponent may check it and is not taken; the squares around its king that the opponent attacks and the king
/// alone defends.
#[inline]
fn relations(board: &Board, side: Color, attacks: &[Attacks; 2]) -> SideWords {
    let [by_pawns, by_knights, by_bishops, by_rooks, by_queens, _] = attacks[!side as usize];
    let [by_own_kinds @ .., by_own_king] = attacks[side as usize];
    let (by_own_pieces, by_other) = (union(by_own_kinds), union(attacks[!side as usize]));
    let by_own = by_own_pieces | by_own_king;
    let own = board.colors(side);
    let [pawns, _, _, rooks, queens, _] = Piece::ALL.map(|piece| board.pieces(piece) & own);
    let king = board.king(side);
    let by_lesser =
        (own - pawns) & by_pawns | (rooks | queens) & (by_knights | by_bishops) | queens & by_rooks;
    let near_king = by_own_king & by_other;
    let checks = get_knight_moves(king) & by_knights
        | get_bishop_moves(king, board.occupied()) & (by_bishops | by_queens)
        | get_rook_moves(king, board.occupied()) & (by_rooks | by_queens);
    [
        (by_lesser | own & (by_other - by_own)) - king.bitboard(),
        near_king,
        pawns - in_front(board.colored_pieces(!side, Piece::Pawn), !side),
        by_own - by_other,
        checks - by_own - board.colors(!side),
        near_king - by_own_pieces,
    ]
    .map(|squares| squares.0)
}

#[inline]
fn attacks(board: &Board, side: Color) -> Attacks {
    Piece::ALL.map(|piece| {
        let pieces = board.colored_pieces(side, piece).into_iter();
        union(pieces.map(|square| attacked(side, piece, square, board.occupied())))
    })
}

#[inline]
fn union(parts: impl IntoIterator<Item = BitBoard>) -> BitBoard {
    parts.into_iter().fold(BitBoard::EMPTY, |all, squares| all | squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What White has to fear or to hope for, each as its squares in ascending order.
    fn shown(fen: &str) -> [String; Piece::NUM] {
        let board = fen.parse().expect(fen);
        let attacks = Color::ALL.map(|side| attacks(&board, side));
        let squares =
            |word: u64| BitBoard(word).iter().map(|it| it.to_string()).collect::<Vec<_>>();
        relations(&board, Color::White, &attacks).map(|it| squares(it).join(" "))
    }

    #[test]
    fn pieces_are_en_prise_without_defence_or_to_lesser_ones() {
        let en_prise = |fen| shown(fen)[0].clone();
        assert_eq!(en_prise("4r1k1/1p3ppp/8/3n4/2B1N3/8/P4PPP/6K1 w - - 0 1"), "e4");
        assert_eq!(en_prise("4r1k1/1p3ppp/8/3n4/2B1N3/3P4/P4PPP/6K1 w - - 0 1"), "");
        assert_eq!(en_prise("4r1k1/5ppp/8/1p1n4/2B1N3/3P4/P4PPP/6K1 w - - 0 1"), "c4");
        assert_eq!(en_prise("6k1/5ppp/8/5b2/4Q3/3P1P2/6PP/6K1 w - - 0 1"), "e4");
    }

    #[test]
    fn attacks_around_the_king_and_safe_checks_are_shown() {
        let [_, near_king, _, _, checks, weak] = shown("3r2k1/8/8/8/7q/8/5PP1/6K1 w - - 0 1");
        assert_eq!([near_king, checks, weak], ["h1 f2 h2", "d1", "h1 f2 h2"]);
        let [_, near_king, _, _, checks, weak] = shown("3r2k1/8/8/8/B6q/5N2/5PP1/6K1 w - - 0 1");
        assert_eq!([near_king, checks, weak], ["h1 f2 h2", "", "h1 f2"]);
    }

    #[test]
    fn passed_pawns_and_controlled_squares_are_shown() {
        assert_eq!(shown("6k1/p7/8/3P4/8/8/1P6/6K1 w - - 0 1")[2], "d5");
        let controlled = "a1 b1 c1 d1 e1 f1 g1 a2 b2 h2 h3 h4 h5 h6 h8";
        assert_eq!(shown("7k/8/8/8/8/8/8/K6R b - - 0 1")[3], controlled);
    }
}
