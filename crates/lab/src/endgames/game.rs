//! The trait of games with endgames.

use std::io::{self, Write};

use bestmove_engine::game::TableForm;
use bestmove_engine::network::{NetworkSize, SparseInput};

/// A game whose endgames the laboratory can solve.
pub(crate) trait Endgames: Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// Writes the table of all positions with up to `pieces`. Fails where no table has that number.
    fn write_table(&self, pieces: u32, form: TableForm, sink: &mut dyn Write) -> io::Result<()>;

    /// Draws random decided positions. `sink` gets the input of the distance network and the target, from 0 to 1.
    /// Returns the dimensions of that network. Fails where there are too few or too many pieces.
    fn sample(
        &self,
        sampling: Sampling,
        sink: &mut dyn FnMut(&SparseInput, f64),
    ) -> io::Result<NetworkSize>;
}

/// A draw of endgames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampling {
    /// The pieces of each position.
    pub pieces: u32,
    /// The number of positions.
    pub count: usize,
    /// The seed of the draw.
    pub seed: u64,
}
