//! Finds the networks of an evaluation: those that foretell best what the sum of weights does not, or how
//! far off the end of decided positions is.
//!
//! Logistic regression on quiet positions as in the tuner, by back-propagation and Adam (Kingma and Ba,
//! *Adam: A Method for Stochastic Optimization*, 2015). All is computed on one thread and in an order
//! that the seed draws, so the same games and the same seed give the same networks.

#![expect(
    clippy::cast_precision_loss,
    reason = "counts of positions become shares, and weights are small numbers"
)]

mod descent;
mod layer;
mod lessons;
mod weights;

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use self::descent::{Course, Descent};
use self::lessons::Lessons;
use self::weights::Weights;
use bestmove_engine::game::Lot;
use bestmove_engine::nn::{NetworkShape, pack, unpack};
use fastrand::Rng;

/// How many positions a step looks at. Smaller steps are more of them in the same time: after five epochs
/// searches were foretold to within 0.082 by 1024, to within 0.085 by 8192.
const BATCH: usize = 1024;

/// From what a network learns.
#[derive(Clone, Debug)]
pub enum School {
    /// Games, which tell how good a position is.
    Games {
        /// The evaluator; the game's first where nothing is said.
        evaluator: Option<String>,
        /// Where they are, one a line.
        file: PathBuf,
    },
    /// Decided positions with few pieces, which tell how far off the end is.
    Endings(Lot),
}

/// From what to find a network, and how.
#[derive(Clone, Debug)]
pub struct Training {
    /// What to learn from.
    pub school: School,
    /// The seed of the first weights and of the order in which the positions are seen.
    pub seed: u64,
    /// How often to see every position.
    pub epochs: u32,
    /// The largest step of each weight. One far smaller than from random weights leaves trained networks
    /// much of what they know.
    pub step: f32,
    /// The file of the networks to go on from; random weights where nothing is said.
    pub from: Option<PathBuf>,
}

impl Training {
    /// Writes the networks to `file`; shows on standard output how well they foretell.
    ///
    /// # Errors
    /// Where there is no such game or evaluator, it has no network, or a file can't be read or
    /// written.
    pub fn train(&self, name: &str, file: &Path) -> io::Result<()> {
        let game = super::game(name)?;
        let (lessons, shape) = match &self.school {
            School::Games { evaluator, file } => {
                let lines = BufReader::new(File::open(file)?);
                Lessons::of_games(game, evaluator.as_deref(), lines)?
            }
            &School::Endings(lot) => Lessons::of_endings(game, lot)?,
        };
        let mut random = Rng::with_seed(self.seed);
        let weights = match &self.from {
            None => random_weights(shape, &mut random),
            Some(file) => read(&fs::read(file)?, shape)
                .ok_or_else(|| io::Error::other(format!("{}: no such networks", file.display())))?,
        };
        let mut descent = Descent::new(weights, shape);
        let course = Course { epochs: self.epochs, batch: BATCH, step: self.step };
        descent.descend(&lessons, course, &mut random);
        fs::write(file, written(&mut descent.weights)?)
    }
}

/// The weights with which learning begins.
fn random_weights(shape: NetworkShape, random: &mut Rng) -> Vec<Weights> {
    (0..shape.count).map(|_| Weights::random(shape.features, random)).collect()
}

/// The networks that [`written`] wrote, one after the other; none where they are others.
fn read(bytes: &[u8], shape: NetworkShape) -> Option<Vec<Weights>> {
    let numbers = unpack(bytes)?;
    let size = numbers.len().div_ceil(shape.count).max(1);
    numbers.chunks(size).map(|numbers| Weights::read(numbers, shape.features)).collect()
}

/// The networks in whole numbers, one after the other, in few bytes.
fn written(weights: &mut [Weights]) -> io::Result<Vec<u8>> {
    pack(&weights.iter_mut().flat_map(Weights::written).collect::<Vec<_>>())
}

/// The points expected at this logarithm of the odds.
fn points(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bestmove_engine::nn::{Features, LOGIT, Network};

    const SHAPE: NetworkShape = NetworkShape { count: 2, features: 2 };

    /// Positions of two features, of which exactly one is good to have to the first network, and to the second
    /// one bad: no sum of two weights can say that.
    fn lessons() -> Lessons {
        let mut lessons = Lessons::default();
        for (present, target) in [(&[][..], 0.2), (&[0], 0.8), (&[1], 0.8), (&[0, 1], 0.2)] {
            let mut features = Features::new();
            for &feature in present {
                features.add(feature);
            }
            for _ in 0..50 {
                lessons.add(&features, 0, 0.0, target);
                lessons.add(&features, 1, 0.0, 1.0 - target);
            }
        }
        lessons
    }

    fn trained(epochs: u32, seed: u64) -> Descent {
        let mut random = Rng::with_seed(seed);
        let mut descent = Descent::new(random_weights(SHAPE, &mut random), SHAPE);
        descent.descend(&lessons(), Course { epochs, batch: 64, step: 1.5e-3 }, &mut random);
        descent
    }

    #[test]
    fn it_learns_what_no_sum_can_say() {
        let (lessons, before, after) = (lessons(), trained(0, 1), trained(200, 1));
        let error = |descent: &Descent| descent.error(&lessons, 0..400);
        assert!(error(&before) > 0.29 && error(&after) < 0.03, "{}", error(&after));
    }

    #[test]
    fn the_networks_that_are_written_say_what_was_learned() {
        let mut descent = trained(200, 1);
        let bytes = written(&mut descent.weights).expect("room");
        let networks = Network::read_all(&bytes, SHAPE.features).expect("whole networks");
        for (network, weights) in networks.iter().zip(&descent.weights) {
            for features in [&[][..], &[0], &[1], &[0, 1]] {
                let learned = weights.think(features).output;
                let said = network.output(features) as f32 / LOGIT as f32;
                assert!((learned - said).abs() < 0.05, "{features:?}: {learned} {said}");
            }
        }
    }

    #[test]
    fn networks_that_are_read_are_those_that_were_written() {
        let bytes = written(&mut trained(3, 1).weights).expect("room");
        let again = |bytes: &[u8], shape| written(&mut read(bytes, shape)?).ok();
        assert!(again(&bytes, SHAPE).as_ref() == Some(&bytes));
        assert!(again(&bytes, NetworkShape { features: 3, ..SHAPE }).is_none());
        assert!(again(&bytes[2..], SHAPE).is_none());
        let fewer = pack(&unpack(&bytes).expect("weights")[1..]).expect("room");
        assert!(again(&fewer, SHAPE).is_none());
    }

    #[test]
    fn the_same_seed_gives_the_same_networks() {
        let networks = |seed| written(&mut trained(3, seed).weights).expect("room");
        assert!(networks(1) == networks(1));
        assert!(networks(1) != networks(2));
    }
}
