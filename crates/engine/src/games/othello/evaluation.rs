//! Static evaluations in hundredths of a disc.

use std::io;
use std::sync::Arc;

use super::board::{Geometry, OthelloBoard, around};
use super::endgame::LAST;
use super::expansion::{expand, search_last};
use super::likely::{LIKELY_FROM, likely};
use super::network_input::{self, WORDS};
use crate::game::{
    Evaluator, Expansion, LastSearch, SelectiveHooks, SolverHooks, SolverScore, Trainable,
};
use crate::network::{Accumulator, Network, NetworkSize, SparseInput};

/// An evaluator of Othello with what it knows.
#[derive(Clone, Debug)]
pub struct OthelloEvaluator {
    pub(super) kind: OthelloEvaluatorKind,
    pub(super) knowledge: Arc<OthelloKnowledge>,
}

/// The static evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OthelloEvaluatorKind {
    /// The network.
    Network,
    /// Corners, the squares beside empty corners, moves, and discs beside empty squares.
    Mobility,
    /// The discs on the board.
    Discs,
}

/// The knowledge files of Othello.
#[derive(Debug, Default)]
pub struct OthelloKnowledge {
    pub(super) network: Option<Network>,
}

impl OthelloKnowledge {
    /// The files that are part of the program.
    pub(super) fn read() -> io::Result<Self> {
        Ok(Self { network: Some(knowledge_file!("othello-network.bin").read(read_network)?) })
    }
}

/// The network of a file.
pub(super) fn read_network(bytes: &[u8]) -> io::Result<Network> {
    Network::read(bytes, network_input::SIZE)
}

impl Evaluator<OthelloBoard> for OthelloEvaluator {
    type Accumulator = Accumulator<WORDS>;

    fn score(&self, board: &OthelloBoard) -> i32 {
        self.score_after(board, &mut Accumulator::default())
    }

    #[inline]
    fn score_after(&self, board: &OthelloBoard, accumulator: &mut Accumulator<WORDS>) -> i32 {
        match self.kind {
            OthelloEvaluatorKind::Network => self.knowledge.network.as_ref().map_or(0, |network| {
                network.score(&network_input::input(board), accumulator, self.half_value())
            }),
            OthelloEvaluatorKind::Mobility => {
                let geometry = board.geometry();
                side(geometry, board.own, board.other, board.mobility)
                    - side(geometry, board.other, board.own, board.replies())
            }
            OthelloEvaluatorKind::Discs => {
                100 * (board.own.count_ones() as i32 - board.other.count_ones() as i32)
            }
        }
    }

    fn half_value(&self) -> i32 {
        800
    }

    /// A disc, and a tenth of one for each empty square: `docs/experiments/othello-solver.md`.
    fn searched_half_value(&self, board: &OthelloBoard) -> i32 {
        match self.kind {
            OthelloEvaluatorKind::Network => 100 + 10 * board.empty().count_ones() as i32,
            _ => self.half_value(),
        }
    }
}

impl SelectiveHooks<OthelloBoard> for OthelloEvaluator {
    fn unit(&self) -> i32 {
        300
    }
}

impl SolverHooks<OthelloBoard> for OthelloEvaluator {
    const KEPT_ABOVE: SolverScore = 2 * LAST as SolverScore;
    const LIKELY_FROM: SolverScore = 2 * LIKELY_FROM as SolverScore;
    const PRESEARCHED_FROM: SolverScore = 36;

    fn expand(
        &self,
        board: &OthelloBoard,
        beta: SolverScore,
        child: impl FnMut(OthelloBoard, i32),
    ) -> Expansion {
        // The number of discs says little before the end.
        let says_something = self.kind != OthelloEvaluatorKind::Discs;
        let mut accumulator = None;
        let score =
            |board: &OthelloBoard| self.score_after(board, accumulator.get_or_insert_default());
        expand(board, beta, says_something.then_some(score), child)
    }

    fn search_last(
        &self,
        board: &OthelloBoard,
        beta: SolverScore,
        most: u64,
    ) -> Option<LastSearch> {
        search_last(board, beta, most)
    }

    fn likely(&self, board: &OthelloBoard, beta: SolverScore, most: u64) -> LastSearch {
        let mut accumulator = Accumulator::default();
        likely(board, beta, most, |board| self.score_after(board, &mut accumulator))
    }

    /// Measured on 240 positions of games with 14 to 21 empty squares: the mean is up to a third below this.
    fn proof_nodes(&self, board: &OthelloBoard) -> Option<u64> {
        Some(proof_nodes(board.empty().count_ones()))
    }

    /// Measured on 360 positions of games with 12 to 20 empty squares.
    fn presearch_nodes(&self, board: &OthelloBoard) -> Option<u64> {
        let empty = board.empty().count_ones();
        let is_likely = self.kind == OthelloEvaluatorKind::Network && empty >= LIKELY_FROM;
        is_likely.then(|| (10..empty.min(40)).fold(4_500, |nodes, _| nodes * 7 / 4))
    }

    fn guessed_value(&self, board: &OthelloBoard) -> SolverScore {
        (self.score(board) / 200).clamp(-32, 32) as SolverScore
    }
}

/// The positions of a proof with so many empty squares.
fn proof_nodes(empty: u32) -> u64 {
    let more = empty.saturating_sub(10);
    (0..more.min(30)).fold(5_500, |nodes, _| nodes * 21 / 10)
}

impl Trainable<OthelloBoard> for OthelloEvaluator {
    fn network_size(&self) -> Option<NetworkSize> {
        Some(network_input::SIZE)
    }

    fn sparse_input(&self, board: &OthelloBoard) -> Option<SparseInput> {
        Some(SparseInput::from(&network_input::input(board)))
    }
}

/// What one side has: textbook weights.
fn side(geometry: &Geometry, own: u64, other: u64, moves: u64) -> i32 {
    let count = |squares: u64| squares.count_ones() as i32;
    let empty = geometry.squares & !(own | other);
    let beside_corners = around(geometry.corners & empty);
    1000 * count(own & geometry.corners) - 300 * count(own & beside_corners) + 90 * count(moves)
        - 45 * count(own & around(empty))
}
