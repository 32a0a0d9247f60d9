//! The trainer's view of checkers.

use super::{CheckersBoard, CheckersEvaluator, network_input};
use crate::game::Trainable;
use crate::network::{NetworkSize, SparseInput};

impl Trainable<CheckersBoard> for CheckersEvaluator {
    fn network_size(&self) -> Option<NetworkSize> {
        Some(network_input::SIZE)
    }

    fn sparse_input(&self, board: &CheckersBoard) -> Option<SparseInput> {
        Some(SparseInput::from(&network_input::input(board)))
    }
}
