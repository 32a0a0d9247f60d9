//! Gradient descent.

use std::ops::Range;

use super::weights::Weights;
use crate::adam::Adam;
use crate::data_set::{DataSet, sigmoid};
use crate::resumable::Progress;
use bestmove_engine::nn::NetworkShape;
use fastrand::Rng;

/// The learning rate rises for so many steps.
const WARM_UP_STEPS: i32 = 50;
/// What keeps the divisor of a step from being 0.
const TINY: f32 = 1e-8;
/// The last of so many parts of the samples is for validation.
const VALIDATION: usize = 20;

/// Positions with the features that are present.
pub(super) type Samples = DataSet<u16, Sample>;

/// A position, from the view of the side to move.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// The number of the network that evaluates it.
    pub network: u32,
    /// The score without the network, as the logarithm of the odds.
    pub score: f32,
    /// The points that the side to move is expected to score, from 0 to 1.
    pub target: f32,
}

/// The schedule of a training.
#[derive(Clone, Copy)]
pub(super) struct Schedule {
    /// How often to go through all samples.
    pub epochs: u32,
    /// The samples of a step.
    pub batch: usize,
    /// The largest learning rate. It falls linearly to 0.
    pub step: f32,
}

/// Gradient descent.
pub(super) struct Descent {
    pub weights: Vec<Weights>,
    adam: Adam<f32>,
    shape: NetworkShape,
}

impl Descent {
    pub(super) fn new(weights: Vec<Weights>, shape: NetworkShape) -> Self {
        let count = weights.iter().map(|weights| weights.scales().count()).sum();
        Self { weights, adam: Adam::new(count, TINY), shape }
    }

    /// Trains on the samples. Returns the last validation error.
    pub(super) fn descend(
        &mut self,
        samples: &Samples,
        schedule: Schedule,
        random: &mut Rng,
    ) -> f64 {
        let Schedule { epochs, batch, step } = schedule;
        let all = samples.len();
        let mut order: Vec<_> = (0..(all - all / VALIDATION) as u32).collect();
        let validation = order.len()..all;
        let mut error = self.error(samples, validation.clone());
        println!("{} positions, error {error:.5}", order.len());
        let steps = epochs * order.len().div_ceil(batch) as u32;
        let mut progress = Progress::new(0, epochs.into());
        for epoch in 1..=epochs {
            random.shuffle(&mut order);
            for part in order.chunks(batch) {
                let gradient = self.gradient(samples, part);
                let done = self.adam.steps();
                let falling = (steps - done as u32) as f32 / steps as f32;
                let rising = ((done + 1) as f32 / WARM_UP_STEPS as f32).min(1.0);
                self.step(gradient, step * falling * rising);
            }
            error = self.error(samples, validation.clone());
            println!("epoch {epoch}, error {error:.5}");
            progress.step();
        }
        error
    }

    /// The root mean square error of the expected points of these samples.
    pub(super) fn error(&self, samples: &Samples, numbers: Range<usize>) -> f64 {
        let count = numbers.len().max(1) as f64;
        let squares = numbers.map(|number| {
            let (features, sample) = samples.get(number);
            let activations = self.weights[sample.network as usize].forward(features);
            f64::from(sigmoid(sample.score + activations.output) - sample.target).powi(2)
        });
        (squares.sum::<f64>() / count).sqrt()
    }

    /// The gradient of the cross entropy over a batch.
    fn gradient(&self, samples: &Samples, batch: &[u32]) -> Vec<Weights> {
        let mut gradient = zero(self.shape);
        for &number in batch {
            let (features, sample) = samples.get(number as usize);
            let network = sample.network as usize;
            let weights = &self.weights[network];
            let activations = weights.forward(features);
            let error = sigmoid(sample.score + activations.output) - sample.target;
            gradient[network].add_gradient(
                weights,
                features,
                &activations,
                error / batch.len() as f32,
            );
        }
        gradient
    }

    /// One step with the learning rate `rate`.
    fn step(&mut self, mut gradient: Vec<Weights>, rate: f32) {
        let slopes = gradient.iter_mut().flat_map(Weights::all).map(|slope| *slope);
        let changes = self.adam.step(slopes, rate);
        let weights = self.weights.iter_mut().flat_map(|weights| {
            let scales = weights.scales();
            weights.all().zip(scales)
        });
        for ((weight, scale), change) in weights.zip(changes) {
            *weight = (*weight - change).clamp(-scale.largest, scale.largest);
        }
    }
}

/// A zero for each weight of such networks.
fn zero(shape: NetworkShape) -> Vec<Weights> {
    (0..shape.count).map(|_| Weights::zero(shape.features)).collect()
}
