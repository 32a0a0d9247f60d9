//! Static evaluation of chess.
//!
//! [`ChessEvaluatorKind::Full`] is a network (see [`network_input`]), which was trained on games of the engine against
//! itself: `docs/experiments/chess-evaluation.md` has its training and its gain. The other evaluators are those of textbooks.

mod endings;
mod material;
mod network_input;
mod piece_square;

use std::sync::Arc;

use bestmove_endgames::chess::{ChessPlacement, ChessTables, MOST_MEN};
use cozy_chess::{Color, Move, Piece};

use self::material::{VALUES, piece_counts, worth};
use self::network_input::WORDS;
use super::super::endgame::score;
use super::super::knowledge::CarriedTable;
use super::{ChessBoard, tactics};
use crate::game::{
    Doubt, Evaluator, Known, Question, Scale, Score, SelectiveHooks, SelectiveParameters,
    SolverHooks,
};
use crate::network::{Accumulator, Network, NetworkSize, SparseInput};

/// An evaluator of chess with its knowledge. Its scores are centipawns.
#[derive(Clone)]
pub struct ChessEvaluator {
    pub(super) kind: ChessEvaluatorKind,
    pub(super) knowledge: Arc<ChessKnowledge>,
}

/// The dimensions of the network.
pub(super) const NETWORK_SIZE: NetworkSize = network_input::SIZE;

/// The static evaluations.
#[derive(Clone, Debug)]
pub(super) enum ChessEvaluatorKind {
    /// The pieces on the board: pawn 100, knight and bishop 300, rook 500, queen 900.
    Material,
    /// Each piece by its square, in the opening and in the ending.
    PieceSquare,
    /// The network.
    Full(Arc<Network>),
}

/// The knowledge files of chess.
#[derive(Default)]
pub struct ChessKnowledge {
    pub(super) network: Option<Arc<Network>>,
    /// Perfect play with few men.
    pub(super) tables: CarriedTable<ChessTables>,
}

impl ChessKnowledge {
    /// The value of an unfinished position with few men, or a bound of it which tells whether it reaches `beta`.
    fn of_few(&self, board: &ChessBoard, question: Question) -> Option<Score> {
        let placement = ChessPlacement::of(&board.inner)?;
        let tables = self.tables.get()?;
        match question {
            Question::Value => tables.value(&placement).map(score),
            Question::Reaches(beta) => {
                let [worst, best] = tables.bounds(&placement)?.map(score);
                if worst >= beta { Some(worst) } else { Some(best).filter(|&best| best < beta) }
            }
            Question::Least | Question::Outcome | Question::Move => None,
        }
    }
}

/// What turns a score for White into one for `side`, and back.
fn sign_of(side: Color) -> i32 {
    if side == Color::White { 1 } else { -1 }
}

/// One step in the order of captures, larger than all that histories of quiet moves can add up to.
const STEP: i32 = 1 << 16;

impl Evaluator<ChessBoard> for ChessEvaluator {
    type Accumulator = Accumulator<WORDS>;

    #[inline]
    fn score(&self, board: &ChessBoard) -> i32 {
        self.score_after(board, &mut Accumulator::default())
    }

    #[inline]
    fn score_after(&self, board: &ChessBoard, accumulator: &mut Accumulator<WORDS>) -> i32 {
        let inner = &board.inner;
        let score = match &self.kind {
            ChessEvaluatorKind::Material => {
                worth(&piece_counts(inner, Color::White))
                    - worth(&piece_counts(inner, Color::Black))
            }
            ChessEvaluatorKind::PieceSquare => piece_square::score(inner),
            ChessEvaluatorKind::Full(network) => {
                let sign = sign_of(inner.side_to_move());
                endings::lone_king(inner).unwrap_or_else(|| {
                    let input = network_input::input(inner);
                    let score = network.score(&input, accumulator, self.scale().half_value);
                    endings::without_false_wins(inner, sign * score)
                })
            }
        };
        sign_of(inner.side_to_move()) * score
    }

    /// A player who is two or three pawns up scores three quarters of the points.
    #[inline]
    fn scale(&self) -> Scale {
        let half_value = match self.kind {
            ChessEvaluatorKind::Material => 200,
            _ => 320,
        };
        Scale { unit: VALUES[Piece::Pawn as usize], ..Scale::of(half_value) }
    }

    #[inline]
    fn known(&self, board: &ChessBoard, question: Question) -> Option<Known<Move>> {
        let men = board.inner.occupied().len() as usize;
        if men > MOST_MEN {
            return None;
        }
        self.knowledge.of_few(board, question).map(Known::Score)
    }

    /// Captures and promotions first: the most valuable gain by the least valuable piece.
    fn ordering_hint(&self, board: &ChessBoard, mv: Move) -> i32 {
        let inner = &board.inner;
        let Some(gain) = tactics::gain(inner, mv) else { return 0 };
        let attacker = inner.piece_on(mv.from).map_or(0, |piece| piece as i32);
        (gain / 100 * Piece::NUM as i32 + Piece::NUM as i32 - attacker) * STEP
    }

    fn sparse_input(&self, board: &ChessBoard) -> Option<SparseInput> {
        Some(SparseInput::from(&network_input::input(&board.inner)))
    }
}

impl SelectiveHooks<ChessBoard> for ChessEvaluator {
    const HISTORY_INDICES: u16 = tactics::HISTORY_INDICES;

    /// Found by games of the engine against itself: `docs/experiments/selective-search.md`.
    const PARAMETERS: SelectiveParameters = SelectiveParameters {
        reduction: [850, 4800],
        not_improving_reduction: 870,
        open_window_reduction: 768,
        killer_reduction: 512,
        aspiration: 128,
        futility: [512, 608],
        quiet_loss: 307,
        prunes_by_reduced_depth: true,
        deeper: Some(615),
        correction: 1310,
        ..SelectiveParameters::DEFAULT
    };

    /// A check forces.
    #[inline]
    fn doubts(&self, board: &ChessBoard, doubt: Doubt) -> bool {
        match doubt {
            Doubt::Forced => !board.inner.checkers().is_empty(),
            Doubt::Threatened => false,
            Doubt::Zugzwang => tactics::risks_zugzwang(&board.inner),
        }
    }

    #[inline]
    fn gain(&self, board: &ChessBoard, mv: Move) -> Option<i32> {
        tactics::gain(&board.inner, mv)
    }

    #[inline]
    fn noisy_moves(&self, board: &ChessBoard, sink: impl FnMut(Move, i32)) {
        tactics::noisy_moves(&board.inner, sink);
    }

    #[inline]
    fn exchange_at_least(&self, board: &ChessBoard, mv: Move, threshold: i32) -> bool {
        tactics::exchange_at_least(&board.inner, mv, threshold)
    }

    #[inline]
    fn history_index(&self, board: &ChessBoard, mv: Move) -> u16 {
        tactics::history_index(&board.inner, mv)
    }
}

impl SolverHooks<ChessBoard> for ChessEvaluator {}
