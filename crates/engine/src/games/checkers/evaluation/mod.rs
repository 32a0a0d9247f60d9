//! Static evaluation of checkers.
//!
//! [`CheckersEvaluatorKind::Full`] is a network (see [`network_input`]). Positions of five pieces have a known outcome;
//! another network estimates their distance (see [`distance`]). How they were trained and what they gain:
//! `docs/experiments/checkers-evaluation.md`.

mod attack_info;
pub mod distance;
mod network_input;

use std::io;
use std::sync::Arc;

use self::network_input::{WORDS, before_king_row};
use super::board::{CheckersBoard, KING_ROWS};
use super::endgame::EndgameTables;
use super::moves::CheckersMove;
use crate::game::{
    Doubt, Evaluator, KnowledgeFiles, Known, Outcome, Position, Question, Scale, SelectiveHooks,
    SelectiveParameters, SolverHooks,
};
use crate::network::{Accumulator, Network, NetworkSize, SparseInput};

/// An evaluator of checkers with its knowledge. Its scores are hundredths of a man.
#[derive(Clone)]
pub struct CheckersEvaluator {
    pub(super) kind: CheckersEvaluatorKind,
    pub(super) knowledge: Arc<CheckersKnowledge>,
}

/// The dimensions of the network.
pub(super) const NETWORK_SIZE: NetworkSize = network_input::SIZE;

/// The static evaluations.
#[derive(Clone)]
pub(super) enum CheckersEvaluatorKind {
    /// A man counts 100 and a king 140, less the opponent's.
    Material,
    /// The networks.
    Full(Networks),
}

/// The networks of checkers.
#[derive(Clone)]
pub(super) struct Networks {
    /// The static evaluation.
    score: Arc<Network>,
    /// The estimated distance of decided positions.
    distance: Arc<Network>,
}

/// The knowledge files of checkers.
#[derive(Default)]
pub struct CheckersKnowledge {
    pub(super) networks: Option<Networks>,
    endgames: EndgameTables,
}

impl CheckersKnowledge {
    /// The files that are part of the program, but for `files`.
    pub(super) fn read(files: KnowledgeFiles) -> io::Result<Self> {
        let networks = Networks {
            score: knowledge_file!("checkers-network.bin").network(NETWORK_SIZE, files)?,
            distance: Arc::new(distance::read()?),
        };
        let mut endgames = EndgameTables::read()?;
        if let Some(file) = files.table {
            endgames.open(file)?;
        }
        Ok(Self { networks: Some(networks), endgames })
    }
}

const MAN: i32 = 100;
const KING: i32 = 140;

impl Evaluator<CheckersBoard> for CheckersEvaluator {
    type Accumulator = Accumulator<WORDS>;

    #[inline]
    fn score(&self, board: &CheckersBoard) -> i32 {
        self.score_after(board, &mut Accumulator::default())
    }

    #[inline]
    fn score_after(&self, board: &CheckersBoard, accumulator: &mut Accumulator<WORDS>) -> i32 {
        match &self.kind {
            CheckersEvaluatorKind::Material => {
                material(board, board.own) - material(board, board.other)
            }
            CheckersEvaluatorKind::Full(networks) => {
                let (input, half_value) = (network_input::input(board), self.scale().half_value);
                networks.score.score(&input, accumulator, half_value)
            }
        }
    }

    /// A player who is two thirds of a man up scores three quarters of the points.
    #[inline]
    fn scale(&self) -> Scale {
        Scale { unit: MAN, ..Scale::of(2 * MAN / 3) }
    }

    #[inline]
    fn known(&self, board: &CheckersBoard, question: Question) -> Option<Known<CheckersMove>> {
        match question {
            Question::Value => self.knowledge.endgames.value(board).map(Known::Score),
            Question::Outcome => self.known_outcome(board),
            Question::Reaches(_) | Question::Least | Question::Move => None,
        }
    }

    /// The material that the move gains.
    #[inline]
    fn ordering_hint(&self, board: &CheckersBoard, mv: CheckersMove) -> i32 {
        const SCALE: i32 = 1 << 8;
        SCALE * self.gain(board, mv).unwrap_or(0)
    }

    fn sparse_input(&self, board: &CheckersBoard) -> Option<SparseInput> {
        Some(SparseInput::from(&network_input::input(board)))
    }
}

impl SelectiveHooks<CheckersBoard> for CheckersEvaluator {
    /// The squares, each for a man and for a king.
    const HISTORY_INDICES: u16 = 35 << 1;

    const PARAMETERS: SelectiveParameters = SelectiveParameters::COMPULSORY_CAPTURES;

    /// A compulsory capture forces. A piece that may be captured next counts, though the network sees that too.
    #[inline]
    fn doubts(&self, board: &CheckersBoard, doubt: Doubt) -> bool {
        match doubt {
            Doubt::Forced => board.jumpers() != 0,
            Doubt::Threatened => network_input::is_attacked(board),
            Doubt::Zugzwang => false,
        }
    }

    /// Captured material, and a promotion.
    #[inline]
    fn gain(&self, board: &CheckersBoard, mv: CheckersMove) -> Option<i32> {
        let gain = material(board, mv.captured()) + promotion_gain(board, mv);
        (gain > 0).then_some(gain)
    }

    /// Where no piece can capture, only men before the king row have noisy moves.
    #[inline]
    fn noisy_moves(&self, board: &CheckersBoard, mut sink: impl FnMut(CheckersMove, i32)) {
        let side = board.side_to_move();
        let men = board.own & !board.kings;
        if board.jumpers() == 0 && men & before_king_row(side) == 0 {
            return;
        }
        for mv in board.legal_moves() {
            if let Some(gain) = self.gain(board, mv) {
                sink(mv, gain);
            }
        }
    }

    #[inline]
    fn history_index(&self, board: &CheckersBoard, mv: CheckersMove) -> u16 {
        let is_king = board.kings >> mv.from & 1 != 0;
        u16::from(mv.to) << 1 | u16::from(is_king)
    }
}

impl SolverHooks<CheckersBoard> for CheckersEvaluator {}

impl CheckersEvaluator {
    /// The outcome of a position with five pieces, with the estimated plies to its end.
    #[inline]
    fn known_outcome(&self, board: &CheckersBoard) -> Option<Known<CheckersMove>> {
        let CheckersEvaluatorKind::Full(networks) = &self.kind else { return None };
        let outcome = self.knowledge.endgames.outcome(board)?;
        let side = board.side_to_move();
        let plies = match outcome {
            Outcome::Win => distance::plies(&networks.distance, board, side),
            Outcome::Draw => 0,
            Outcome::Loss => distance::plies(&networks.distance, board, side.other()),
        };
        Some(Known::Outcome(outcome, plies))
    }
}

#[inline]
fn material(board: &CheckersBoard, pieces: u64) -> i32 {
    let kings = (pieces & board.kings).count_ones() as i32;
    MAN * pieces.count_ones() as i32 + (KING - MAN) * kings
}

#[inline]
fn promotion_gain(board: &CheckersBoard, mv: CheckersMove) -> i32 {
    let (from, to) = (1 << mv.from, 1 << mv.to);
    let crowns = board.kings & from == 0 && to & KING_ROWS[board.side_to_move() as usize] != 0;
    if crowns { KING - MAN } else { 0 }
}
