//! What only the training tools ask of a game.

use std::io::{self, Write};

use super::TableForm;
use super::linear::{Layout, Trace};
use crate::nn::{Features, NetworkInput, NetworkShape};

/// An evaluator whose weights or networks can be trained. Every method has a default for one that has nothing
/// of the kind.
pub trait Trainable<P> {
    /// The weights that the score is a sum of; `None` where it is something else.
    fn layout(&self) -> Option<Layout> {
        None
    }

    /// The features of an unfinished position whose weighted sum is its score; `None` where a table
    /// has its value or its score is no such sum.
    fn trace(&self, position: &P) -> Option<Trace> {
        let _ = position;
        None
    }

    /// The networks that are part of the score; `None` where there is none.
    fn network_shape(&self) -> Option<NetworkShape> {
        None
    }

    /// The input of the network for an unfinished position, and the score without the network; `None`
    /// where there is no network or a table has the value.
    fn network_input(&self, position: &P) -> Option<NetworkInput> {
        let _ = position;
        None
    }
}

/// The endgames of a game, solved backwards.
pub trait EndgameSource: Sync {
    /// Writes the table of all positions with up to `pieces` pieces.
    ///
    /// # Errors
    /// Where that is too few or too many, or `sink` fails.
    fn write_table(&self, pieces: u32, form: TableForm, sink: &mut dyn Write) -> io::Result<()>;

    /// Draws random decided positions. `sink` gets the input of the distance network and the plies to the
    /// end. Returns the number of features of that network.
    ///
    /// # Errors
    /// Where there are too few or too many pieces.
    fn sample(
        &self,
        sampling: SamplingSpec,
        sink: &mut dyn FnMut(Features, u32),
    ) -> io::Result<usize>;
}

/// Which endgames to sample.
#[derive(Clone, Copy, Debug)]
pub struct SamplingSpec {
    /// The pieces of each position.
    pub pieces: u32,
    /// The number of positions.
    pub count: usize,
    /// The seed of the draw.
    pub seed: u64,
}
