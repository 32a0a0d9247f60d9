//! What the tuner, the trainer and the generator of tables ask about checkers.

use std::io::{self, Write};

use super::super::endgame;
use super::{
    ALL_PIECES, Board, CheckersEvaluator, EvaluatorKind, Knowledge, distance, features,
    linear_score, network_input, networks, shares,
};
use crate::game::linear::{Layout, Trace};
use crate::game::{EndgameSource, Evaluator, SamplingSpec, TableForm, Trainable};
use crate::nn::{Features, NetworkInput, NetworkShape};

impl Knowledge {
    /// Puts the networks of a file in the place of the embedded ones.
    pub(in super::super) fn replace_networks(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.networks = networks(bytes)?;
        Ok(())
    }
}

impl Trainable<Board> for CheckersEvaluator {
    fn layout(&self) -> Option<Layout> {
        match self.kind {
            EvaluatorKind::Material => None,
            EvaluatorKind::Full => Some(features::LAYOUT),
        }
    }

    fn trace(&self, board: &Board) -> Option<Trace> {
        if self.known(board).is_some() {
            return None;
        }
        let mut trace = Trace::default();
        features::extract(board, &mut trace);
        trace.complete(shares(board).map(|share| f64::from(share) / f64::from(ALL_PIECES)));
        Some(trace)
    }

    fn network_shape(&self) -> Option<NetworkShape> {
        match self.kind {
            EvaluatorKind::Material => None,
            EvaluatorKind::Full => Some(NetworkShape {
                count: network_input::STAGES,
                features: network_input::FEATURES,
            }),
        }
    }

    fn network_input(&self, board: &Board) -> Option<NetworkInput> {
        let has_network = self.kind == EvaluatorKind::Full && self.known(board).is_none();
        has_network.then(|| NetworkInput {
            network: network_input::stage(board),
            features: network_input::features(board),
            score: linear_score(board),
        })
    }
}

/// The endgames of checkers.
pub(in super::super) struct Endgames;

impl EndgameSource for Endgames {
    fn write_table(&self, pieces: u32, form: TableForm, sink: &mut dyn Write) -> io::Result<()> {
        endgame::write(pieces, form, sink)
    }

    fn sample(
        &self,
        sampling: SamplingSpec,
        sink: &mut dyn FnMut(Features, u32),
    ) -> io::Result<usize> {
        endgame::sample(sampling, &mut |board, winner, plies| {
            sink(distance::features(board, winner), plies);
        })?;
        Ok(distance::FEATURES)
    }
}
