//! Static evaluation of chess.
//!
//! [`ChessEvaluatorKind::Full`] is a network (see [`network_input`]), which was trained on games of the engine against
//! itself: `docs/experiments/chess-evaluation.md` has its training and its gain. The other evaluators are those of textbooks.

mod endings;
mod material;
mod network_input;
mod piece_square;
mod training;

use std::io;
use std::sync::Arc;

use cozy_chess::{Color, Move, Piece};

use self::material::{VALUES, piece_counts, worth};
use self::network_input::WORDS;
use super::endgame::EndgameTables;
use super::{ChessBoard, tactics};
use crate::game::{Evaluator, Score, SelectiveHooks, SelectiveParameters, SolverHooks};
use crate::network::{Accumulator, Network};

/// An evaluator of chess with its knowledge. Its scores are centipawns.
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
    /// The network.
    Full,
}

/// The knowledge files of chess.
#[derive(Debug, Default)]
pub struct ChessKnowledge {
    pub(super) network: Option<Network>,
    endgames: EndgameTables,
}

impl ChessKnowledge {
    /// The files that are part of the program.
    pub(super) fn read() -> io::Result<Self> {
        let network = knowledge_file!("chess-network.bin").read(read_network)?;
        Ok(Self { network: Some(network), endgames: EndgameTables::read()? })
    }
}

/// The network of a file.
pub(super) fn read_network(bytes: &[u8]) -> io::Result<Network> {
    Network::read(bytes, network_input::SIZE)
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
        let inner = board.inner();
        let score = match self.kind {
            ChessEvaluatorKind::Material => {
                worth(&piece_counts(inner, Color::White))
                    - worth(&piece_counts(inner, Color::Black))
            }
            ChessEvaluatorKind::PieceSquare => piece_square::score(inner),
            ChessEvaluatorKind::Full => match endings::lone_king(inner) {
                Some(score) => score,
                None => return self.network_score(inner, accumulator),
            },
        };
        if inner.side_to_move() == Color::White { score } else { -score }
    }

    /// A player who is two or three pawns up scores three quarters of the points.
    fn half_value(&self) -> i32 {
        match self.kind {
            ChessEvaluatorKind::Material => 200,
            _ => 320,
        }
    }

    #[inline]
    fn known(&self, board: &ChessBoard) -> Option<Score> {
        self.knowledge.endgames.value(board)
    }

    #[inline]
    fn known_bound(&self, board: &ChessBoard, beta: Score) -> Option<Score> {
        self.knowledge.endgames.bound(board, beta)
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

impl ChessEvaluator {
    /// The score of the network for the side to move; 0 without a network.
    #[inline]
    fn network_score(
        &self,
        board: &cozy_chess::Board,
        accumulator: &mut Accumulator<WORDS>,
    ) -> i32 {
        let score = |network: &Network| {
            network.score(&network_input::input(board), accumulator, self.half_value())
        };
        self.knowledge.network.as_ref().map_or(0, score)
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
        razoring: Some(1640),
        ..SelectiveParameters::DEFAULT
    };

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
    fn history_index(&self, board: &ChessBoard, mv: Move) -> u16 {
        tactics::history_index(board.inner(), mv)
    }
}

impl SolverHooks<ChessBoard> for ChessEvaluator {}
