//! Trains the network of a game ([`bestmove_engine::network`]) on scored positions.

#![expect(
    clippy::cast_precision_loss,
    reason = "numbers of samples and steps need no more precision"
)]

mod adam;
mod checkpoint;
mod descent;
mod loss;
mod packing;
mod samples;
#[cfg(test)]
mod tests;
mod weights;

use std::fs;
use std::io;
use std::path::PathBuf;

use bestmove_engine::network::unpack;
use clap::Args;
use serde::Serialize;

use self::descent::{Descent, Schedule};
use self::packing::pack;
use self::samples::Source;
use self::weights::Weights;
use crate::game::network_size;

/// A training. Its serialised form is all that its weights depend on, beside the number of samples.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct Learning {
    /// The name of the game
    game: String,
    #[command(flatten)]
    source: Source,
    /// The network to go on from, instead of random weights
    #[arg(long)]
    from: Option<PathBuf>,
    #[command(flatten)]
    schedule: Schedule,
    /// The file to write the network to; a checkpoint lies beside it until the training is complete
    #[arg(long)]
    #[serde(skip)]
    out: PathBuf,
}

impl Learning {
    /// Writes the network to the file; prints the validation loss on standard output. Returns the number of samples
    /// and the last validation error.
    pub(crate) fn run(&self) -> io::Result<(usize, f64)> {
        let Schedule { seed, threads, .. } = self.schedule;
        let (size, samples) = self.source.read(&self.game, seed, threads)?;
        let first = match &self.from {
            None => Weights::random(size, seed).without(&samples.absent(size)),
            Some(file) => unpack(&fs::read(file)?)
                .and_then(|numbers| Weights::of_quantised(&numbers, size))
                .ok_or_else(|| crate::error::invalid("the file holds no network of this game"))?,
        };
        let settings = format!("{} samples, {}", samples.len(), serde_json::to_string(self)?);
        let file = self.out.with_added_extension("checkpoint");
        let mut descent = Descent::new(first, &file, &settings)?;
        let loss = descent.run(&samples, &self.schedule)?;
        fs::write(&self.out, pack(&descent.weights.quantised())?)?;
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        Ok((samples.len(), loss.error))
    }
}

/// A network of zeros.
pub(crate) fn zeros(game: &str) -> io::Result<Vec<u8>> {
    pack(&Weights::zero(network_size(game)?).quantised())
}
