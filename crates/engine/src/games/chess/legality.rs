//! Checks whether a game could reach a position, as far as its pieces tell.

use cozy_chess::{BitBoard, Board, BoardBuilder, Color, File, Piece, Rank, Square, get_king_moves};

use super::names::name;
use super::position::en_passant;
use crate::game::PositionError;

/// Refuses pieces that no game leads to, whichever side is to move.
pub(super) fn check_pieces(setup: &BoardBuilder) -> Result<(), PositionError> {
    Color::ALL.into_iter().try_for_each(|color| check_counts(setup, color))?;
    let [white, black] = Color::ALL.map(|color| pieces(setup, color, Piece::King).next_square());
    match (white, black) {
        (Some(white), Some(black)) if get_king_moves(white).has(black) => {
            refused(format!("the kings on {white} and {black} touch: move one of them away"))
        }
        _ => Ok(()),
    }
}

/// The king, or the rook of the file `rook`, that castling needs and that is missing on its home square.
pub(super) fn missing_for_castling(
    setup: &BoardBuilder,
    color: Color,
    rook: File,
) -> Option<(Piece, Square)> {
    let rank = Rank::First.relative_to(color);
    let home = [(Piece::King, File::E), (Piece::Rook, rook)];
    let mut home = home.into_iter().map(|(piece, file)| (piece, Square::new(file, rank)));
    home.find(|&(piece, square)| setup.square(square) != Some((piece, color)))
}

/// The board as it is set up, with the en passant square only where it can be used. The pieces and the
/// castling rights have been checked.
pub(super) fn checked(mut setup: BoardBuilder) -> Result<Board, PositionError> {
    let en_passant = setup.en_passant.take();
    let side = setup.side_to_move;
    let Ok(board) = setup.build() else {
        return refused(format!(
            "{} is in check but {} is to move: end the check, or let {} move",
            name(!side),
            name(side),
            name(!side)
        ));
    };
    let checks = board.checkers().len();
    if checks > 2 {
        return refused(format!(
            "{} is in check from {checks} pieces: one move gives two checks at most",
            name(side)
        ));
    }
    match en_passant {
        Some(square) => with_en_passant(setup, board, square),
        None => Ok(board),
    }
}

fn refused<T>(why: String) -> Result<T, PositionError> {
    Err(PositionError(why))
}

/// The pieces of a kind.
fn pieces(setup: &BoardBuilder, color: Color, piece: Piece) -> BitBoard {
    let squares = Square::ALL.into_iter();
    squares.filter(|&square| setup.square(square) == Some((piece, color))).collect()
}

/// Refuses numbers of pieces that no game leads to: every piece beyond those of the start was a pawn.
fn check_counts(setup: &BoardBuilder, color: Color) -> Result<(), PositionError> {
    let side = name(color);
    let kings = pieces(setup, color, Piece::King).len();
    if kings != 1 {
        return refused(format!("{side} has {kings} kings: each side has exactly one"));
    }
    let pawns = pieces(setup, color, Piece::Pawn);
    let ends = Rank::First.bitboard() | Rank::Eighth.bitboard();
    if let Some(square) = (pawns & ends).next_square() {
        return refused(format!(
            "{side} has a pawn on {square}: no pawn stands on the first or the last rank"
        ));
    }
    let (pawns, promoted) = (pawns.len(), promoted(setup, color));
    if pawns > 8 {
        return refused(format!("{side} has {pawns} pawns: a side has 8 at most"));
    }
    if pawns + promoted > 8 {
        return refused(format!(
            "{side} has too many pieces: besides {pawns} pawns, {promoted} of the pieces must have \
             been pawns, and a side begins with 8"
        ));
    }
    Ok(())
}

/// The least number of pieces that must have been promoted.
fn promoted(setup: &BoardBuilder, color: Color) -> u32 {
    let [knights, bishops, rooks, queens] =
        [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .map(|piece| pieces(setup, color, piece));
    let kinds = [
        (knights, 2),
        (bishops & BitBoard::LIGHT_SQUARES, 1),
        (bishops & BitBoard::DARK_SQUARES, 1),
        (rooks, 2),
        (queens, 1),
    ];
    kinds.into_iter().map(|(pieces, at_start)| pieces.len().saturating_sub(at_start)).sum()
}

/// The board with the en passant square added, if a capture there is legal.
fn with_en_passant(
    mut setup: BoardBuilder,
    board: Board,
    square: Square,
) -> Result<Board, PositionError> {
    let side = setup.side_to_move;
    let refused = |why| refused(format!("the en passant square {square}: {why}, or write -"));
    let sixth = Rank::Sixth.relative_to(side);
    if square.rank() != sixth {
        return refused(format!("with {} to move it must lie on rank {sixth}", name(side)));
    }
    let [from, to] =
        [Rank::Seventh, Rank::Fifth].map(|rank| Square::new(square.file(), rank.relative_to(side)));
    if setup.square(to) != Some((Piece::Pawn, !side)) {
        return refused(format!("there must be a pawn of {} on {to}", name(!side)));
    }
    if let Some(taken) = [square, from].into_iter().find(|&at| setup.square(at).is_some()) {
        return refused(format!("{taken} must be empty after a double step from {from} to {to}"));
    }
    setup.en_passant = Some(square);
    let Ok(with_square) = setup.build() else {
        return refused(format!("no double step to {to} leads to this check: change it"));
    };
    Ok(if en_passant(&with_square).is_some() { with_square } else { board })
}
