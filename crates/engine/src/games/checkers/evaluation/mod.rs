//! Static evaluation of checkers.
//!
//! [`CheckersEvaluatorKind::Full`] is a tapered sum of features (see [`features`]) with tuned weights, and a small
//! [`Network`] for each stage of the game (see [`network_input`]). Positions of five pieces have a known outcome;
//! a network estimates their distance (see [`distance`]). How it was trained and what it gains:
//! `docs/experiments/checkers-evaluation.md`.

mod attack_info;
mod distance;
mod features;
mod network_input;
mod training;

use std::io;
use std::sync::Arc;

pub use self::distance::{FEATURES as DISTANCE_FEATURES, features as distance_features};
use super::super::knowledge::{invalid, named};
use super::board::{CheckersBoard, KING_ROWS};
use super::endgame::EndgameTables;
use super::moves::CheckersMove;
use crate::game::linear::{Sum, Tapered, read_weights};
use crate::game::{
    Evaluator, Outcome, Position, Score, SelectiveHooks, SelectiveParameters, Side, SolverHooks,
};
use crate::nn::Network;

/// An evaluator of checkers with what it knows. Its scores are hundredths of a man.
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
    /// All that is known.
    Full,
}

/// The knowledge files of checkers.
#[derive(Default)]
pub struct CheckersKnowledge {
    /// One for each stage of a game.
    networks: Vec<Network>,
    /// The network that estimates the distance of decided positions.
    distance: Option<Network>,
    pub(super) endgames: EndgameTables,
}

impl CheckersKnowledge {
    /// The files that are part of the program.
    pub(super) fn read() -> io::Result<Self> {
        let networks = networks(knowledge_file!("checkers-network.bin"));
        let named = |name: &'static str| move |error| named(&name, &error);
        Ok(Self {
            networks: networks.map_err(named("knowledge/checkers-network.bin"))?,
            distance: Some(distance::read().map_err(named("knowledge/checkers-distance.bin"))?),
            endgames: EndgameTables::read()?,
        })
    }

    /// Puts the networks of a file in the place of the embedded ones.
    pub(super) fn replace_networks(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.networks = networks(bytes)?;
        Ok(())
    }
}

/// Reads the networks of all stages.
fn networks(file: &[u8]) -> io::Result<Vec<Network>> {
    let networks = Network::read_all(file, network_input::FEATURES);
    let networks = networks.filter(|networks| networks.len() == network_input::STAGES);
    networks.ok_or_else(|| invalid("not the networks of all stages"))
}

/// The tuner's weights.
static FULL: [Tapered; features::LAYOUT.len()] = read_weights(knowledge_text!("checkers-full.txt"));

/// The pieces with which a game begins.
const ALL_PIECES: i32 = 24;

/// The score of a known win without a known distance: above every static evaluation.
const DECIDED: i32 = 1400;

/// ... less this for each estimated ply to the end.
const PER_PLY: i32 = 4;

/// The divisor of the score of a known draw, in which the opponent may still go wrong.
const DRAW_DIVISOR: i32 = 16;

const MAN: i32 = 100;
const KING: i32 = 140;

impl Evaluator<CheckersBoard> for CheckersEvaluator {
    type Accumulator = ();

    #[inline]
    fn score(&self, board: &CheckersBoard) -> i32 {
        match self.kind {
            CheckersEvaluatorKind::Material => {
                material(board, board.own()) - material(board, board.other())
            }
            CheckersEvaluatorKind::Full => {
                let features = network_input::features(board);
                let network = self.knowledge.networks.get(network_input::stage(board));
                let beyond =
                    |network: &Network| network.score(features.as_slice(), self.half_value());
                linear_score(board) + network.map_or(0, beyond)
            }
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
    fn informed_score(&self, board: &CheckersBoard, (): &mut ()) -> i32 {
        let side = board.side_to_move();
        match self.known_outcome(board) {
            None => self.score(board),
            Some(Outcome::Win) => self.decided(board, side),
            Some(Outcome::Draw) => self.score(board) / DRAW_DIVISOR,
            Some(Outcome::Loss) => -self.decided(board, side.other()),
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

    /// A piece that may be captured next, though that is a part of the network input too.
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

/// The weighted sum of the features, from the view of the side to move.
#[inline]
fn linear_score(board: &CheckersBoard) -> i32 {
    let mut sum = Sum::of(&FULL);
    features::extract(board, &mut sum);
    let [opening, ending] = shares(board);
    let score = sum.total.opening() * opening + sum.total.ending() * ending;
    let sign = if board.side_to_move() == Side::First { 1 } else { -1 };
    sign * score / ALL_PIECES
}

/// The shares of the opening weights and of the ending weights in the score, of [`ALL_PIECES`].
#[inline]
fn shares(board: &CheckersBoard) -> [i32; 2] {
    let pieces = (board.own() | board.other()).count_ones() as i32;
    [pieces, ALL_PIECES - pieces]
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
