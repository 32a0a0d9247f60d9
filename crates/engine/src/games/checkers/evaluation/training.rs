//! What the tuner, the trainer and the generator of tables ask about checkers.

use std::io::{self, Write};
use std::sync::OnceLock;

use super::super::endgame;
use super::{
    ALL_PIECES, Board, EvaluatorKind, counted, distance, features, invalid, network_input,
    networks, shares,
};
use crate::game::linear::{Layout, Trace};
use crate::game::{Evaluator, SamplingSpec, TableForm, Trainable};
use crate::nn::{Features, NetworkInput, NetworkShape};

/// The networks to use in place of the embedded ones.
pub(super) static REPLACEMENT: OnceLock<Vec<u8>> = OnceLock::new();

impl Trainable<Board> for EvaluatorKind {
    fn layout(&self) -> Option<Layout> {
        match self {
            Self::Material => None,
            Self::Full => Some(features::LAYOUT),
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
        match self {
            Self::Material => None,
            Self::Full => Some(NetworkShape {
                count: network_input::STAGES,
                features: network_input::FEATURES,
            }),
        }
    }

    fn network_input(&self, board: &Board) -> Option<NetworkInput> {
        let has_network = *self == Self::Full && self.known(board).is_none();
        has_network.then(|| NetworkInput {
            network: network_input::stage(board),
            features: network_input::features(board),
            score: counted(board),
        })
    }

    fn replace_networks(&self, bytes: Vec<u8>) -> io::Result<()> {
        networks(&bytes)?;
        REPLACEMENT.set(bytes).map_err(|_| invalid("networks can be replaced once"))
    }

    fn write_endgame_table(
        &self,
        pieces: u32,
        form: TableForm,
        sink: &mut dyn Write,
    ) -> io::Result<()> {
        endgame::write(pieces, form, sink)
    }

    fn sample_endgames(
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
