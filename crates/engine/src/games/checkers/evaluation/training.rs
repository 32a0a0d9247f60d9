//! What the tuner and the trainer ask about checkers.

use super::{
    ALL_PIECES, Board, CheckersEvaluator, EvaluatorKind, features, linear_score, network_input,
    shares,
};
use crate::game::Trainable;
use crate::game::linear::{Accumulator, Layout};
use crate::nn::{NetworkInput, NetworkShape};

impl Trainable<Board> for CheckersEvaluator {
    fn layout(&self) -> Option<Layout> {
        (self.kind == EvaluatorKind::Full).then_some(features::LAYOUT)
    }

    fn count_features(
        &self,
        board: &Board,
        accumulator: &mut impl Accumulator,
    ) -> Option<[f64; 2]> {
        if self.kind == EvaluatorKind::Material {
            return None;
        }
        features::extract(board, accumulator);
        Some(shares(board).map(|share| f64::from(share) / f64::from(ALL_PIECES)))
    }

    fn network_shape(&self) -> Option<NetworkShape> {
        let (count, features) = (network_input::STAGES, network_input::FEATURES);
        (self.kind == EvaluatorKind::Full).then_some(NetworkShape { count, features })
    }

    fn network_input(&self, board: &Board) -> Option<NetworkInput> {
        (self.kind == EvaluatorKind::Full).then(|| NetworkInput {
            network: network_input::stage(board),
            features: network_input::features(board),
            score: linear_score(board),
        })
    }
}
