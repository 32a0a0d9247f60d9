//! Trains the networks of an evaluation, or the one that estimates the distance to the end.
//!
//! Logistic regression on quiet positions as in the tuner, by back-propagation and [`Adam`](crate::adam::Adam).
//! Everything is computed on one thread and in an order that the seed draws, so the same games and the same seed give
//! the same networks.

#![expect(
    clippy::cast_precision_loss,
    reason = "counts of positions become shares, and weights are small numbers"
)]

mod descent;
mod layer;
mod packing;
mod weights;

use std::fs;
use std::io;
use std::path::PathBuf;

use self::descent::{Descent, Sample, Samples, Schedule};
pub(crate) use self::packing::pack;
use self::weights::Weights;
use crate::data_set::{is_first, read_games, sigmoid, slope, targets};
use crate::endgames::{Sampling, endgames};
use crate::game::{network_inputs, network_shape};
use bestmove_engine::games::any::AnyGame;
use bestmove_engine::nn::{HALF_WAY, NetworkShape, PLIES_OF_LOGIT, unpack};
use clap::Args;
use fastrand::Rng;

/// The positions of a step. Smaller batches give more steps in the same time: after five epochs the
/// validation error was 0.082 with 1024, 0.085 with 8192.
const BATCH: usize = 1024;

/// The weight of the result of the game in the target of a position: none. Results of games of a thousand
/// nodes a move are further from the result of good play than what the search of the position says.
const RESULT_SHARE: f64 = 0.0;

/// A network to train.
#[derive(Args, Clone, Debug)]
pub(crate) struct Training {
    /// The name of the game
    game: String,
    /// The evaluator whose network to train [default: the game's]
    #[arg(long, requires = "games")]
    evaluator: Option<String>,
    /// The files with the games to learn from
    #[arg(long, required_unless_present = "endings")]
    games: Vec<PathBuf>,
    /// Instead of games, decided positions with so many pieces, to learn the distance to the end
    #[arg(long, conflicts_with = "games")]
    endings: Option<u32>,
    /// How many of those positions
    #[arg(long, default_value_t = 13_000_000, requires = "endings")]
    positions: usize,
    /// The seed of the first weights and of the order in which positions are seen
    #[arg(long)]
    seed: u64,
    /// How often to go through all positions
    #[arg(long, default_value_t = 16)]
    epochs: u32,
    /// The largest learning rate; far smaller than the default to fine-tune networks
    #[arg(long, default_value_t = 1.5e-3)]
    step: f32,
    /// The networks to go on from, instead of random weights
    #[arg(long)]
    from: Option<PathBuf>,
    /// The file to write the networks to
    #[arg(long)]
    out: PathBuf,
}

impl Training {
    /// Writes the networks to the file; prints the validation error on standard output. Returns the number
    /// of samples and the last validation error.
    pub(crate) fn run(&self) -> io::Result<(usize, f64)> {
        let game = crate::game::game(&self.game)?;
        let (samples, shape) = match self.endings {
            None => self.samples_of_games(game)?,
            Some(pieces) => {
                let (count, seed) = (self.positions, self.seed);
                samples_of_endgames(&self.game, Sampling { pieces, count, seed })?
            }
        };
        let mut random = Rng::with_seed(self.seed);
        let weights = match &self.from {
            None => random_weights(shape, &mut random),
            Some(file) => read(&fs::read(file)?, shape)
                .ok_or_else(|| io::Error::other(format!("{}: no such networks", file.display())))?,
        };
        let mut descent = Descent::new(weights, shape);
        let schedule = Schedule { epochs: self.epochs, batch: BATCH, step: self.step };
        let error = descent.descend(&samples, schedule, &mut random);
        fs::write(&self.out, quantised(&mut descent.weights)?)?;
        Ok((samples.len(), error))
    }

    /// The quiet positions of the games, and the shape of the networks.
    fn samples_of_games(&self, game: &dyn AnyGame) -> io::Result<(Samples, NetworkShape)> {
        let evaluator = self.evaluator.as_deref();
        let (networks, half_value) = network_shape(&self.game, evaluator)?;
        let slope = slope(half_value);
        let mut samples = Samples::new();
        read_games(&self.games, |record| {
            let targets = targets(record, RESULT_SHARE);
            for (number, input) in network_inputs(game, evaluator, &record.moves)? {
                let Some(target) = targets[number] else { continue };
                let target = if is_first(number) { target } else { 1.0 - target };
                let sample = Sample {
                    network: input.network as u32,
                    score: (f64::from(input.score) * slope) as f32,
                    target: target as f32,
                };
                samples.add(input.features.as_slice(), sample);
            }
            Ok(())
        })?;
        Ok((samples, networks))
    }
}

/// Random decided positions, and the shape of the network: the nearer the end, the higher the target.
fn samples_of_endgames(game: &str, sampling: Sampling) -> io::Result<(Samples, NetworkShape)> {
    let mut samples = Samples::new();
    let features = endgames(game)?.sample(sampling, &mut |features, plies| {
        let logit = (HALF_WAY as f32 - plies as f32) / PLIES_OF_LOGIT as f32;
        let sample = Sample { network: 0, score: 0.0, target: sigmoid(logit) };
        samples.add(features.as_slice(), sample);
    })?;
    Ok((samples, NetworkShape { count: 1, features }))
}

/// Networks of zeros, which add nothing to the score.
pub(crate) fn zeros(game: &str) -> io::Result<Vec<u8>> {
    let (shape, _) = network_shape(game, None)?;
    let mut weights: Vec<_> = (0..shape.count).map(|_| Weights::zero(shape.features)).collect();
    quantised(&mut weights)
}

/// The first weights.
fn random_weights(shape: NetworkShape, random: &mut Rng) -> Vec<Weights> {
    (0..shape.count).map(|_| Weights::random(shape.features, random)).collect()
}

/// The networks that [`quantised`] wrote; `None` where the bytes hold something else.
fn read(bytes: &[u8], shape: NetworkShape) -> Option<Vec<Weights>> {
    let numbers = unpack(bytes)?;
    let size = numbers.len().div_ceil(shape.count).max(1);
    numbers.chunks(size).map(|numbers| Weights::read(numbers, shape.features)).collect()
}

/// The quantised networks, one after the other, packed.
fn quantised(weights: &mut [Weights]) -> io::Result<Vec<u8>> {
    pack(&weights.iter_mut().flat_map(Weights::quantised).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bestmove_engine::nn::{LOGIT, Network};

    const SHAPE: NetworkShape = NetworkShape { count: 2, features: 2 };

    /// Positions of two features, of which exactly one is good to have to the first network, and to the second
    /// one bad: no sum of two weights can say that.
    fn samples() -> Samples {
        let mut samples = Samples::new();
        for (features, target) in [(&[][..], 0.2), (&[0], 0.8), (&[1], 0.8), (&[0, 1], 0.2)] {
            for _ in 0..50 {
                samples.add(features, Sample { network: 0, score: 0.0, target });
                samples.add(features, Sample { network: 1, score: 0.0, target: 1.0 - target });
            }
        }
        samples
    }

    fn trained(epochs: u32, seed: u64) -> Descent {
        let mut random = Rng::with_seed(seed);
        let mut descent = Descent::new(random_weights(SHAPE, &mut random), SHAPE);
        descent.descend(&samples(), Schedule { epochs, batch: 64, step: 1.5e-3 }, &mut random);
        descent
    }

    #[test]
    fn it_learns_what_no_sum_can_say() {
        let (samples, before, after) = (samples(), trained(0, 1), trained(200, 1));
        let error = |descent: &Descent| descent.error(&samples, 0..400);
        assert!(error(&before) > 0.29 && error(&after) < 0.03, "{}", error(&after));
    }

    #[test]
    fn the_networks_that_are_written_say_what_was_learned() {
        let mut descent = trained(200, 1);
        let bytes = quantised(&mut descent.weights).expect("room");
        let networks = Network::read_all(&bytes, SHAPE.features).expect("whole networks");
        for (network, weights) in networks.iter().zip(&descent.weights) {
            for features in [&[][..], &[0], &[1], &[0, 1]] {
                let learned = weights.forward(features).output;
                let said = network.output(features) as f32 / LOGIT as f32;
                assert!((learned - said).abs() < 0.05, "{features:?}: {learned} {said}");
            }
        }
    }

    #[test]
    fn networks_that_are_read_are_those_that_were_written() {
        let bytes = quantised(&mut trained(3, 1).weights).expect("room");
        let again = |bytes: &[u8], shape| quantised(&mut read(bytes, shape)?).ok();
        assert!(again(&bytes, SHAPE).as_ref() == Some(&bytes));
        assert!(again(&bytes, NetworkShape { features: 3, ..SHAPE }).is_none());
        assert!(again(&bytes[2..], SHAPE).is_none());
        let fewer = pack(&unpack(&bytes).expect("weights")[1..]).expect("room");
        assert!(again(&fewer, SHAPE).is_none());
    }

    #[test]
    fn the_same_seed_gives_the_same_networks() {
        let networks = |seed| quantised(&mut trained(3, seed).weights).expect("room");
        assert!(networks(1) == networks(1));
        assert!(networks(1) != networks(2));
    }
}
