//! Static evaluation of chess.
//!
//! [`ChessEvaluatorKind::Full`] is a tapered sum of features with tuned weights, a file for each group: piece-square
//! tables and mobility, pawn structure, pieces, king safety, threats, endings. What each group gains:
//! `docs/experiments/chess-evaluation.md`.

mod attack_info;
mod endings;
mod features;
mod king;
mod layout;
mod material;
mod pawns;
mod pieces;
mod threats;
mod training;

use std::io;
use std::sync::Arc;

use cozy_chess::{Color, Move, Piece, Square};

use self::material::{FULL_SCALE, VALUES, piece_counts, scale_factor, worth};
use super::endgame::EndgameTables;
use super::{ChessBoard, tactics};
use crate::game::linear::{Accumulator, Sum, Tapered, read_weights};
use crate::game::{Evaluator, Score, SelectiveHooks, SolverHooks};

/// An evaluator of chess with what it knows. Its scores are centipawns.
#[derive(Clone, Debug)]
pub struct ChessEvaluator {
    pub(super) kind: ChessEvaluatorKind,
    pub(super) knowledge: Arc<ChessKnowledge>,
}

/// The static evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChessEvaluatorKind {
    /// The pieces on the board: pawn 100, knight and bishop 300, rook 500, queen 900.
    Material,
    /// Each piece by its square, in the opening and in the ending.
    PieceSquare,
    /// All that is known.
    Full,
}

/// The knowledge files of chess.
#[derive(Debug, Default)]
pub struct ChessKnowledge {
    endgames: EndgameTables,
}

impl ChessKnowledge {
    /// The files that are part of the program.
    pub(super) fn read() -> io::Result<Self> {
        Ok(Self { endgames: EndgameTables::read()? })
    }
}

/// One step in the order of captures, large enough that what a search learns about quiet moves
/// never outweighs it.
const STEP: i32 = 1 << 16;

/// The tuner's weights.
static SQUARES: [Tapered; layout::SQUARES.len()] =
    read_weights(include_str!("../../../../../../knowledge/chess-squares.txt"));
static FULL: [Tapered; layout::FULL.len()] =
    read_weights(include_str!("../../../../../../knowledge/chess-full.txt"));

impl Evaluator<ChessBoard> for ChessEvaluator {
    /// Tables of chess take longer to ask than those of other games.
    const MOST_EXPANDED: usize = 1_000;

    #[inline]
    fn score(&self, board: &ChessBoard) -> i32 {
        let inner = board.inner();
        let score = match self.kind {
            ChessEvaluatorKind::Material => {
                worth(&piece_counts(inner, Color::White))
                    - worth(&piece_counts(inner, Color::Black))
            }
            ChessEvaluatorKind::PieceSquare => {
                let mut sum = Sum::of(&SQUARES);
                count_squares(inner, &mut sum);
                taper(sum.total, Shares::without_endings(inner))
            }
            ChessEvaluatorKind::Full => endings::lone_king(inner).unwrap_or_else(|| {
                let mut sum = Sum::of(&FULL);
                features::extract(inner, &mut sum);
                taper(sum.total, Shares::of(inner))
            }),
        };
        if inner.side_to_move() == Color::White { score } else { -score }
    }

    /// A player who is two or three pawns up scores three quarters of the points. The tuner's scale:
    /// a pawn comes to less than 100 in the opening and to more in the ending.
    fn half_value(&self) -> i32 {
        match self.kind {
            ChessEvaluatorKind::Material => 200,
            ChessEvaluatorKind::PieceSquare | ChessEvaluatorKind::Full => 320,
        }
    }

    #[inline]
    fn known(&self, board: &ChessBoard) -> Option<Score> {
        self.knowledge.endgames.value(board)
    }

    /// Captures and promotions first: the most valuable gain by the least valuable piece.
    fn ordering_hint(&self, board: &ChessBoard, mv: Move) -> i32 {
        let inner = board.inner();
        let own = inner.colors(inner.side_to_move());
        let victim = inner.piece_on(mv.to).filter(|_| !own.has(mv.to));
        if victim.is_none() && mv.promotion.is_none() {
            return 0;
        }
        let value = |piece: Option<Piece>| piece.map_or(0, |piece| VALUES[piece as usize] / 100);
        let attacker = inner.piece_on(mv.from).map_or(0, |piece| piece as i32);
        let gain = value(victim) + value(mv.promotion);
        (gain * Piece::NUM as i32 + Piece::NUM as i32 - attacker) * STEP
    }
}

impl SelectiveHooks<ChessBoard> for ChessEvaluator {
    const HISTORY_INDICES: u16 = tactics::HISTORY_INDICES;

    /// A pawn.
    fn unit(&self) -> i32 {
        VALUES[Piece::Pawn as usize]
    }

    /// A check.
    #[inline]
    fn is_forced(&self, board: &ChessBoard) -> bool {
        !board.inner().checkers().is_empty()
    }

    #[inline]
    fn gain(&self, board: &ChessBoard, mv: Move) -> Option<i32> {
        tactics::gain(board.inner(), mv)
    }

    #[inline]
    fn noisy_moves(&self, board: &ChessBoard, sink: impl FnMut(Move, i32)) {
        tactics::noisy_moves(board.inner(), sink);
    }

    #[inline]
    fn exchange_at_least(&self, board: &ChessBoard, mv: Move, threshold: i32) -> bool {
        tactics::exchange_at_least(board.inner(), mv, threshold)
    }

    #[inline]
    fn risks_zugzwang(&self, board: &ChessBoard) -> bool {
        tactics::risks_zugzwang(board.inner())
    }

    #[inline]
    fn null_move(&self, board: &ChessBoard) -> Option<ChessBoard> {
        tactics::null_move(board.inner()).map(ChessBoard::new)
    }

    #[inline]
    fn history_index(&self, board: &ChessBoard, mv: Move) -> u16 {
        tactics::history_index(board.inner(), mv)
    }
}

impl SolverHooks<ChessBoard> for ChessEvaluator {}

/// Counts every piece and its square, seen from the end of the board that it moves away from.
#[inline]
fn count_squares<T: Accumulator>(inner: &cozy_chess::Board, accumulator: &mut T) {
    const VALUE: usize = layout::SQUARES.first("value of a pawn");
    const TABLE: usize = layout::SQUARES.first("pawn");
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        for piece in Piece::ALL {
            if piece != Piece::King {
                let count = inner.colored_pieces(color, piece).len() as i32;
                accumulator.count(VALUE + piece as usize, sign * count);
            }
            for square in inner.colored_pieces(color, piece) {
                let square = square.relative_to(color) as usize;
                accumulator.count(TABLE + Square::NUM * piece as usize + square, sign);
            }
        }
    }
}

/// The whole of a score, in parts of which [`Shares`] are counted.
const ALL: i32 = WHOLE_PHASE * FULL_SCALE;

/// How much of a score the weights of the opening and of the ending make up.
#[derive(Clone, Copy, Debug)]
struct Shares {
    opening: i32,
    ending: i32,
}

/// How far each piece holds back the ending, and all of them together.
const PHASE: [i32; Piece::NUM] = [0, 1, 1, 2, 4, 0];
const WHOLE_PHASE: i32 = 24;

impl Shares {
    /// By the phase alone.
    #[inline]
    fn without_endings(inner: &cozy_chess::Board) -> Self {
        Self::in_phase(Piece::ALL.map(|piece| inner.pieces(piece).len() as i32))
    }

    /// Scaled down where the material of the stronger side is drawish.
    #[expect(clippy::inline_always, reason = "as a call it costs two hundredths of a search")]
    #[inline(always)]
    fn of(inner: &cozy_chess::Board) -> Self {
        let [white, black] = Color::ALL.map(|side| piece_counts(inner, side));
        let shares = Self::in_phase(std::array::from_fn(|piece| white[piece] + black[piece]));
        if shares.ending == 0 {
            return shares;
        }
        let factor = match worth(&white) - worth(&black) {
            0 => FULL_SCALE,
            balance if balance > 0 => scale_factor(inner, &white, &black),
            _ => scale_factor(inner, &black, &white),
        };
        shares.scaled(factor)
    }

    /// Scaled by this factor, of [`FULL_SCALE`].
    fn scaled(self, factor: i32) -> Self {
        let part = |share: i32| share / FULL_SCALE * factor;
        Self { opening: part(self.opening), ending: part(self.ending) }
    }

    /// With so many pieces of each kind on the board.
    fn in_phase(counts: [i32; Piece::NUM]) -> Self {
        let phase: i32 = counts.iter().zip(PHASE).map(|(counts, phase)| counts * phase).sum();
        let phase = phase.min(WHOLE_PHASE);
        Self { opening: phase * FULL_SCALE, ending: (WHOLE_PHASE - phase) * FULL_SCALE }
    }
}

/// The score of this sum.
#[inline]
fn taper(sum: Tapered, shares: Shares) -> i32 {
    (sum.opening() * shares.opening + sum.ending() * shares.ending) / ALL
}
