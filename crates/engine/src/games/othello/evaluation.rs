//! Static evaluations in hundredths of a disc.

use std::io;
use std::sync::Arc;

use super::board::{Geometry, OthelloBoard, around};
use super::network_input::{self, WORDS};
use super::prover::MarginProver;
use crate::game::{Evaluator, Prover, SelectiveHooks, SolverHooks, SolverTables, Trainable};
use crate::network::{Accumulator, Network, NetworkSize, SparseInput};

/// An evaluator of Othello with its knowledge.
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
    fn prove(&self, tables: SolverTables) -> Option<Box<dyn Prover<OthelloBoard> + '_>> {
        Some(Box::new(MarginProver::new(self, tables)))
    }
}

impl Trainable<OthelloBoard> for OthelloEvaluator {
    fn network_size(&self) -> Option<NetworkSize> {
        Some(network_input::SIZE)
    }

    fn sparse_input(&self, board: &OthelloBoard) -> Option<SparseInput> {
        Some(SparseInput::from(&network_input::input(board)))
    }
}

/// The score of one side, by textbook weights.
fn side(geometry: &Geometry, own: u64, other: u64, moves: u64) -> i32 {
    let count = |squares: u64| squares.count_ones() as i32;
    let empty = geometry.squares & !(own | other);
    let beside_corners = around(geometry.corners & empty);
    1000 * count(own & geometry.corners) - 300 * count(own & beside_corners) + 90 * count(moves)
        - 45 * count(own & around(empty))
}
