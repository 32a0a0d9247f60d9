//! What the tuner and the trainer ask about checkers.

use super::{
    ALL_PIECES, CheckersBoard, CheckersEvaluator, CheckersEvaluatorKind, features, linear_score,
    network_input, shares,
};
use crate::game::Trainable;
use crate::game::linear::{Accumulator, Layout};
use crate::nn::{NetworkInput, NetworkShape};

impl Trainable<CheckersBoard> for CheckersEvaluator {
    fn layout(&self) -> Option<Layout> {
        (self.kind == CheckersEvaluatorKind::Full).then_some(features::LAYOUT)
    }

    fn count_features(
        &self,
        board: &CheckersBoard,
        accumulator: &mut impl Accumulator,
    ) -> Option<[f64; 2]> {
        if self.kind == CheckersEvaluatorKind::Material {
            return None;
        }
        features::extract(board, accumulator);
        Some(shares(board).map(|share| f64::from(share) / f64::from(ALL_PIECES)))
    }

    fn network_shape(&self) -> Option<NetworkShape> {
        let (count, features) = (network_input::STAGES, network_input::FEATURES);
        (self.kind == CheckersEvaluatorKind::Full).then_some(NetworkShape { count, features })
    }

    fn network_input(&self, board: &CheckersBoard) -> Option<NetworkInput> {
        (self.kind == CheckersEvaluatorKind::Full).then(|| NetworkInput {
            network: network_input::stage(board),
            features: network_input::features(board),
            score: linear_score(board),
        })
    }
}
