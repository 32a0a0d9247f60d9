//! The file of a network: one deflate stream of 16-bit weights (see [`unpack`]).

use std::io;

use super::kernel::Row;
use super::packing::unpack;
use super::{LARGEST_OUTPUT, Network, NetworkSize, Output, UNITS};

impl NetworkSize {
    /// The number of weights of the hidden layer: a row for each feature, and the biases.
    #[must_use]
    pub const fn hidden_weights(self) -> usize {
        (self.features + 1) * UNITS
    }

    /// The number of weights of a network.
    #[must_use]
    pub const fn weights(self) -> usize {
        self.hidden_weights() + self.buckets * (2 * UNITS + 1)
    }
}

impl Network {
    /// Reads a [compressed](unpack) file: a row of weights for each feature, the biases, and for each output bucket the
    /// weights of both views and a bias.
    ///
    /// # Errors
    /// Where the bytes are no network of this size.
    pub fn read(bytes: &[u8], size: NetworkSize) -> io::Result<Self> {
        let network = unpack(bytes).and_then(|weights| Self::of_weights(&weights, size));
        network.ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, "not the network of this game")
        })
    }

    /// The network with these weights; `None` where their number is wrong, or one is too large.
    pub(super) fn of_weights(weights: &[i16], size: NetworkSize) -> Option<Self> {
        if weights.len() != size.weights() || size.buckets == 0 {
            return None;
        }
        let (hidden, outputs) = weights.split_at(size.hidden_weights());
        let is_small =
            |weights: &[i16], largest| weights.iter().all(|it| i32::from(*it).abs() <= largest);
        if !is_small(hidden, size.largest()) || !is_small(outputs, LARGEST_OUTPUT) {
            return None;
        }
        let mut rows: Vec<_> = hidden.as_chunks().0.iter().copied().map(Row).collect();
        let bias = rows.pop()?;
        let buckets = outputs.chunks_exact(2 * UNITS + 1).map(|output| {
            let (weights, bias) = output.split_at(2 * UNITS);
            let &[own, other] = weights.as_chunks().0 else { return None };
            Some(Output { weights: [Row(own), Row(other)], bias: i32::from(bias[0]) })
        });
        Some(Self { rows, bias, buckets: buckets.collect::<Option<_>>()? })
    }
}
