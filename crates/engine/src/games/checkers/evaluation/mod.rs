//! Static evaluation of checkers.
//!
//! [`EvaluatorKind::Full`] is a tapered sum of features (see [`features`]) with tuned weights, and a small
//! [`Network`] for each stage of the game (see [`network_input`]). Positions of five pieces have a known outcome;
//! a network estimates their distance (see [`distance`]). How it was trained and what it gains:
//! `docs/experiments/checkers-evaluation.md`.

mod attack_info;
mod distance;
mod features;
mod network_input;
#[cfg(feature = "train")]
mod training;

use std::io;

use super::super::embedded::{Embedded, invalid};
use super::board::{Board, KING_ROWS};
use super::endgame;
use super::moves::Move;
use crate::game::linear::{Sum, Tapered, read_weights};
use crate::game::{
    Evaluator, Outcome, Position, Score, SelectiveHooks, SelectiveParameters, Side, SolverHooks,
};
use crate::nn::Network;

/// The evaluators of checkers. Their scores are hundredths of a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// A man counts 100 and a king 140, less the opponent's.
    Material,
    /// All that is known.
    Full,
}

/// The tuner's weights.
static FULL: [Tapered; features::LAYOUT.len()] =
    read_weights(include_str!("../../../../../../knowledge/checkers-full.txt"));

/// The trainer's networks, one for each stage.
static NETWORKS: Embedded<Vec<Network>> = Embedded::new("knowledge/checkers-network.bin", || {
    #[cfg(feature = "train")]
    if let Some(replacement) = training::REPLACEMENT.get() {
        return networks(replacement);
    }
    networks(include_bytes!("../../../../../../knowledge/checkers-network.bin"))
});

fn networks(bytes: &[u8]) -> io::Result<Vec<Network>> {
    let networks = Network::read_all(bytes, network_input::FEATURES);
    let networks = networks.filter(|networks| networks.len() == network_input::STAGES);
    networks.ok_or_else(|| invalid("not the networks of all stages"))
}

/// Reads the networks.
///
/// # Errors
/// Names the file that is damaged.
pub(super) fn check_embedded() -> io::Result<()> {
    NETWORKS.check()?;
    distance::check_embedded()
}

/// The pieces with which a game begins.
const ALL_PIECES: i32 = 24;

/// What it counts to win for certain, though nobody knows how soon: more than is judged of any position.
const DECIDED: i32 = 1400;

/// ... less this for each ply that it seems to take.
const OF_PLY: i32 = 4;

/// By what a judgement is divided in a drawn position, in which the opponent may still go wrong.
const DRAWISH: i32 = 16;

const MAN: i32 = 100;
const KING: i32 = 140;

impl Evaluator<Board> for EvaluatorKind {
    #[inline]
    fn score(&self, board: &Board) -> i32 {
        match self {
            Self::Material => worth(board, board.own()) - worth(board, board.other()),
            Self::Full => {
                let features = network_input::features(board);
                let network = NETWORKS.get().and_then(|all| all.get(network_input::stage(board)));
                let beyond =
                    |network: &Network| network.score(features.as_slice(), self.half_value());
                counted(board) + network.map_or(0, beyond)
            }
        }
    }

    /// A player who is two thirds of a man up scores three quarters of the points.
    fn half_value(&self) -> i32 {
        2 * MAN / 3
    }

    #[inline]
    fn known(&self, board: &Board) -> Option<Score> {
        endgame::value(board)
    }

    #[inline]
    fn known_outcome(&self, board: &Board) -> Option<Outcome> {
        match self {
            Self::Material => None,
            Self::Full => endgame::outcome(board),
        }
    }

    #[inline]
    fn informed_score(&self, board: &Board) -> i32 {
        let side = board.side_to_move();
        match self.known_outcome(board) {
            None => self.score(board),
            Some(Outcome::Win) => decided(board, side),
            Some(Outcome::Draw) => self.score(board) / DRAWISH,
            Some(Outcome::Loss) => -decided(board, side.other()),
        }
    }

    /// What the move gains on the spot.
    #[inline]
    fn ordering_hint(&self, board: &Board, mv: Move) -> i32 {
        const SCALE: i32 = 1 << 8;
        SCALE * (worth(board, mv.captured()) + crown(board, mv))
    }
}

impl SelectiveHooks<Board> for EvaluatorKind {
    /// The squares, each for a man and for a king.
    const HISTORY_INDICES: u16 = 35 << 1;

    const PARAMETERS: SelectiveParameters = SelectiveParameters::COMPULSORY_CAPTURES;

    /// A man.
    fn unit(&self) -> i32 {
        MAN
    }

    /// A compulsory capture.
    #[inline]
    fn is_forced(&self, board: &Board) -> bool {
        board.jumpers() != 0
    }

    /// A piece that may be captured next, though that is a part of the network input too.
    #[inline]
    fn is_threatened(&self, board: &Board) -> bool {
        network_input::is_attacked(board)
    }

    /// What is captured, and the crown.
    #[inline]
    fn gain(&self, board: &Board, mv: Move) -> Option<i32> {
        let gain = worth(board, mv.captured()) + crown(board, mv);
        (gain > 0).then_some(gain)
    }

    #[inline]
    fn history_index(&self, board: &Board, mv: Move) -> u16 {
        let is_king = board.kings() >> mv.from() & 1 != 0;
        u16::from(mv.to()) << 1 | u16::from(is_king)
    }
}

impl SolverHooks<Board> for EvaluatorKind {}

/// What a decided position is worth to its winner.
#[inline]
fn decided(board: &Board, winner: Side) -> i32 {
    DECIDED - OF_PLY * distance::plies(board, winner)
}

/// The sum of all that is counted, from the view of the side to move.
#[inline]
fn counted(board: &Board) -> i32 {
    let mut sum = Sum::of(&FULL);
    features::extract(board, &mut sum);
    let [opening, ending] = shares(board);
    let score = sum.total.opening() * opening + sum.total.ending() * ending;
    let sign = if board.side_to_move() == Side::First { 1 } else { -1 };
    sign * score / ALL_PIECES
}

/// How many of the [`ALL_PIECES`] speak for the opening, those on the board, and for the ending.
#[inline]
fn shares(board: &Board) -> [i32; 2] {
    let pieces = (board.own() | board.other()).count_ones() as i32;
    [pieces, ALL_PIECES - pieces]
}

/// What `pieces` of the board are worth.
#[inline]
fn worth(board: &Board, pieces: u64) -> i32 {
    let kings = (pieces & board.kings()).count_ones() as i32;
    MAN * pieces.count_ones() as i32 + (KING - MAN) * kings
}

/// What the move wins by making a man a king.
#[inline]
fn crown(board: &Board, mv: Move) -> i32 {
    let (from, to) = (1 << mv.from(), 1 << mv.to());
    let crowns = board.kings() & from == 0 && to & KING_ROWS[board.side_to_move() as usize] != 0;
    if crowns { KING - MAN } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_of_a_game_has_its_network() {
        assert!(NETWORKS.check().is_ok());
    }
}
