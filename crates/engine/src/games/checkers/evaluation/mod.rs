//! Static evaluation of checkers.
//!
//! [`CheckersEvaluatorKind::Full`] is a network (see [`network_input`]). Positions of five pieces have a known outcome;
//! another network estimates their distance (see [`distance`]). How they were trained and what they gain:
//! `docs/experiments/checkers-evaluation.md`.

mod attack_info;
pub mod distance;
mod network_input;
mod training;

use std::io;
use std::sync::Arc;

use self::network_input::WORDS;
use super::board::{CheckersBoard, KING_ROWS};
use super::endgame::EndgameTables;
use super::moves::CheckersMove;
use crate::game::{
    Evaluator, Outcome, Position, Score, SelectiveHooks, SelectiveParameters, Side, SolverHooks,
};
use crate::network::{Accumulator, Network};

/// An evaluator of checkers with its knowledge. Its scores are hundredths of a man.
#[derive(Clone)]
pub struct CheckersEvaluator {
    pub(super) kind: CheckersEvaluatorKind,
    pub(super) knowledge: Arc<CheckersKnowledge>,
}

/// The static evaluations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckersEvaluatorKind {
    /// A man counts 100 and a king 140, less the opponent's.
    Material,
    /// The network.
    Full,
}

/// The knowledge files of checkers.
#[derive(Default)]
pub struct CheckersKnowledge {
    pub(super) network: Option<Network>,
    /// The network that estimates the distance of decided positions.
    distance: Option<Network>,
    pub(super) endgames: EndgameTables,
}

impl CheckersKnowledge {
    /// The files that are part of the program.
    pub(super) fn read() -> io::Result<Self> {
        Ok(Self {
            network: Some(knowledge_file!("checkers-network.bin").read(read_network)?),
            distance: Some(distance::read()?),
            endgames: EndgameTables::read()?,
        })
    }
}

/// The network of a file.
pub(super) fn read_network(bytes: &[u8]) -> io::Result<Network> {
    Network::read(bytes, network_input::SIZE)
}

/// The score of a known win without a known distance: above every static evaluation.
const DECIDED: i32 = 1400;

/// The reduction of that score for each estimated ply to the end.
const PER_PLY: i32 = 4;

/// The divisor of the score of a known draw, in which the opponent may still go wrong.
const DRAW_DIVISOR: i32 = 16;

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
        match self.kind {
            CheckersEvaluatorKind::Material => {
                material(board, board.own()) - material(board, board.other())
            }
            CheckersEvaluatorKind::Full => self.knowledge.network.as_ref().map_or(0, |network| {
                network.score(&network_input::input(board), accumulator, self.half_value())
            }),
        }
    }

    /// A player who is two thirds of a man up scores three quarters of the points.
    fn half_value(&self) -> i32 {
        2 * MAN / 3
    }

    #[inline]
    fn known(&self, board: &CheckersBoard) -> Option<Score> {
        self.knowledge.endgames.value(board)
    }

    #[inline]
    fn known_outcome(&self, board: &CheckersBoard) -> Option<Outcome> {
        match self.kind {
            CheckersEvaluatorKind::Material => None,
            CheckersEvaluatorKind::Full => self.knowledge.endgames.outcome(board),
        }
    }

    #[inline]
    fn informed_score(
        &self,
        board: &CheckersBoard,
        outcome: Outcome,
        accumulator: &mut Accumulator<WORDS>,
    ) -> i32 {
        let side = board.side_to_move();
        match outcome {
            Outcome::Win => self.decided(board, side),
            Outcome::Draw => self.score_after(board, accumulator) / DRAW_DIVISOR,
            Outcome::Loss => -self.decided(board, side.other()),
        }
    }

    /// The material that the move gains.
    #[inline]
    fn ordering_hint(&self, board: &CheckersBoard, mv: CheckersMove) -> i32 {
        const SCALE: i32 = 1 << 8;
        SCALE * (material(board, mv.captured()) + promotion_gain(board, mv))
    }
}

impl SelectiveHooks<CheckersBoard> for CheckersEvaluator {
    /// The squares, each for a man and for a king.
    const HISTORY_INDICES: u16 = 35 << 1;

    const PARAMETERS: SelectiveParameters = SelectiveParameters::COMPULSORY_CAPTURES;

    /// A man.
    fn unit(&self) -> i32 {
        MAN
    }

    /// A compulsory capture.
    #[inline]
    fn is_forced(&self, board: &CheckersBoard) -> bool {
        board.jumpers() != 0
    }

    /// A piece that may be captured next, though the network sees that too.
    #[inline]
    fn is_threatened(&self, board: &CheckersBoard) -> bool {
        network_input::is_attacked(board)
    }

    /// Captured material, and a promotion.
    #[inline]
    fn gain(&self, board: &CheckersBoard, mv: CheckersMove) -> Option<i32> {
        let gain = material(board, mv.captured()) + promotion_gain(board, mv);
        (gain > 0).then_some(gain)
    }

    #[inline]
    fn history_index(&self, board: &CheckersBoard, mv: CheckersMove) -> u16 {
        let is_king = board.kings() >> mv.from() & 1 != 0;
        u16::from(mv.to()) << 1 | u16::from(is_king)
    }
}

impl SolverHooks<CheckersBoard> for CheckersEvaluator {}

impl CheckersEvaluator {
    /// The score of a decided position for its winner.
    #[inline]
    fn decided(&self, board: &CheckersBoard, winner: Side) -> i32 {
        DECIDED - PER_PLY * distance::plies(self.knowledge.distance.as_ref(), board, winner)
    }
}

#[inline]
fn material(board: &CheckersBoard, pieces: u64) -> i32 {
    let kings = (pieces & board.kings()).count_ones() as i32;
    MAN * pieces.count_ones() as i32 + (KING - MAN) * kings
}

#[inline]
fn promotion_gain(board: &CheckersBoard, mv: CheckersMove) -> i32 {
    let (from, to) = (1 << mv.from(), 1 << mv.to());
    let crowns = board.kings() & from == 0 && to & KING_ROWS[board.side_to_move() as usize] != 0;
    if crowns { KING - MAN } else { 0 }
}
