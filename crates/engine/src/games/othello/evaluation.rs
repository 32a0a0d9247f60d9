//! Static evaluations in hundredths of a disc.

use std::sync::Arc;

use super::board::{Geometry, OthelloBoard, around, count};
use super::network_input::{self, PLACES, WORDS};
use super::prover::MarginProver;
use crate::game::{Evaluator, Prover, Scale, SelectiveHooks, SolverHooks, SolverTable};
use crate::network::{Accumulator, Network, NetworkSize, SparseInput};

/// An evaluator of Othello with its knowledge.
#[derive(Clone, Debug)]
pub struct OthelloEvaluator(pub(super) OthelloEvaluatorKind);

/// The dimensions of the network.
pub(super) const NETWORK_SIZE: NetworkSize = network_input::SIZE;

/// The static evaluations.
#[derive(Clone, Debug)]
pub(super) enum OthelloEvaluatorKind {
    /// The network.
    Network(Arc<Network>),
    /// Corners, the squares beside empty corners, moves, and discs beside empty squares.
    Mobility,
    /// The discs on the board.
    Discs,
}

/// The knowledge files of Othello.
#[derive(Debug, Default)]
pub struct OthelloKnowledge {
    pub(super) network: Option<Arc<Network>>,
}

impl Evaluator<OthelloBoard> for OthelloEvaluator {
    type Accumulator = Accumulator<WORDS, PLACES>;

    fn score(&self, board: &OthelloBoard) -> i32 {
        self.score_after(board, &mut Accumulator::default())
    }

    #[inline]
    fn score_after(
        &self,
        board: &OthelloBoard,
        accumulator: &mut Accumulator<WORDS, PLACES>,
    ) -> i32 {
        match &self.0 {
            OthelloEvaluatorKind::Network(network) => {
                network.score(&network_input::input(board), accumulator, HALF_VALUE)
            }
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

    /// What a search by the network finds out has a half value of half a disc, and of 0.08 discs for each empty square, which
    /// are two plies: `docs/experiments/othello-solver.md`.
    fn scale(&self) -> Scale {
        let searched = match self.0 {
            OthelloEvaluatorKind::Network(_) => Some([50, 4]),
            _ => None,
        };
        Scale { half_value: HALF_VALUE, unit: 300, searched }
    }

    fn sparse_input(&self, board: &OthelloBoard) -> Option<SparseInput> {
        Some(SparseInput::from(&network_input::input(board)))
    }
}

/// With it the scores of the network grow with the margin as they should: `docs/training.md`.
const HALF_VALUE: i32 = 1100;

impl SelectiveHooks<OthelloBoard> for OthelloEvaluator {
    /// 1.4 standard errors of what the network finds: `docs/experiments/selective-search.md`.
    fn prob_cut_margin(&self, board: &OthelloBoard, plies: u32) -> Option<i32> {
        let empty = board.empty().count_ones() as i32;
        let is_fitted = matches!(self.0, OthelloEvaluatorKind::Network(_));
        is_fitted.then_some((6 + plies as i32) * (88 - empty) * 3 / 5)
    }
}

impl SolverHooks<OthelloBoard> for OthelloEvaluator {
    fn prove(&self, table: SolverTable) -> Option<Box<dyn Prover<OthelloBoard> + '_>> {
        Some(Box::new(MarginProver::new(self, table)))
    }
}

/// The score of one side, by textbook weights.
fn side(geometry: &Geometry, own: u64, other: u64, moves: u64) -> i32 {
    let empty = geometry.squares & !(own | other);
    let beside_corners = around(geometry.corners & empty);
    1000 * count(own & geometry.corners) - 300 * count(own & beside_corners) + 90 * count(moves)
        - 45 * count(own & around(empty))
}
