//! Opinions about chess positions.

use cozy_chess::{Move, Piece};

use super::{Board, tactics};
use crate::game::Evaluator;

/// The evaluators of chess, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// The men on the board: pawn 100, knight and bishop 300, rook 500, queen 900.
    Material,
}

/// What a man is worth, from the pawn to the king, who is never captured.
const VALUES: [i32; Piece::NUM] = [100, 300, 300, 500, 900, 0];

/// One step in the order of captures, large enough that what a search learns about quiet moves
/// never outweighs it.
const STEP: i32 = 1 << 16;

impl Evaluator<Board> for Opinion {
    const SLOTS: u16 = tactics::SLOTS;

    fn score(&self, board: &Board) -> i32 {
        match self {
            Self::Material => material(board.men()),
        }
    }

    /// A player who is two pawns up scores three quarters of the points.
    fn half_value(&self) -> i32 {
        200
    }

    /// Captures and promotions first: the most valuable gain by the least valuable man.
    fn promise(&self, board: &Board, mv: Move) -> i32 {
        let men = board.men();
        let own = men.colors(men.side_to_move());
        let victim = men.piece_on(mv.to).filter(|_| !own.has(mv.to));
        if victim.is_none() && mv.promotion.is_none() {
            return 0;
        }
        let value = |piece: Option<Piece>| piece.map_or(0, |piece| VALUES[piece as usize] / 100);
        let attacker = men.piece_on(mv.from).map_or(0, |piece| piece as i32);
        let gain = value(victim) + value(mv.promotion);
        (gain * Piece::NUM as i32 + Piece::NUM as i32 - attacker) * STEP
    }

    /// A pawn.
    fn unit(&self) -> i32 {
        VALUES[Piece::Pawn as usize]
    }

    /// A check.
    #[inline]
    fn is_forced(&self, board: &Board) -> bool {
        !board.men().checkers().is_empty()
    }

    #[inline]
    fn gain(&self, board: &Board, mv: Move) -> Option<i32> {
        tactics::gain(board.men(), mv)
    }

    #[inline]
    fn noisy_moves(&self, board: &Board, sink: impl FnMut(Move, i32)) {
        tactics::noisy_moves(board.men(), sink);
    }

    #[inline]
    fn exchange_at_least(&self, board: &Board, mv: Move, threshold: i32) -> bool {
        tactics::exchange_at_least(board.men(), mv, threshold)
    }

    #[inline]
    fn null_move(&self, board: &Board) -> Option<Board> {
        tactics::null_move(board.men()).map(Board::new)
    }

    #[inline]
    fn slot(&self, board: &Board, mv: Move) -> u16 {
        tactics::slot(board.men(), mv)
    }
}

/// The men of the side to move less the opponent's.
fn material(men: &cozy_chess::Board) -> i32 {
    let own = men.colors(men.side_to_move());
    let balance = |piece: Piece| {
        let men = men.pieces(piece);
        (men & own).len() as i32 - (men - own).len() as i32
    };
    Piece::ALL.into_iter().map(|piece| VALUES[piece as usize] * balance(piece)).sum()
}
