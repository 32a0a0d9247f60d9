//! Gradient descent by Adam with weights that decay, `AdamW` (Loshchilov and Hutter, *Decoupled Weight Decay
//! Regularization*, 2019).

use std::f32::consts::PI;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use fastrand::Rng;
use serde::Serialize;

use super::adam::Adam;
use super::checkpoint::Checkpoint;
use super::loss::{Loss, add_gradient};
use super::samples::Samples;
use super::weights::Weights;

/// The schedule of a training.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct Schedule {
    /// The seed of the first weights and of the order in which positions are seen
    #[arg(long)]
    pub seed: u64,
    /// How often to go through all positions
    #[arg(long, default_value_t = 10)]
    pub epochs: u32,
    /// The largest learning rate; it falls by a cosine
    #[arg(long, default_value_t = 1.5e-3)]
    pub rate: f32,
    /// The positions of a step
    #[arg(long, default_value_t = 4096)]
    pub batch: usize,
    /// Threads
    #[arg(long, default_value_t = 1)]
    #[serde(skip)]
    pub threads: usize,
}

/// The steps for which the learning rate rises.
const WARM_UP_STEPS: f32 = 200.0;
/// The learning rate at the end, as a share of the largest one.
const LAST_RATE: f32 = 0.02;
/// The share of a weight that a step takes away at a learning rate of 1.
const DECAY: f32 = 0.01;
/// One of `VALIDATION` samples is for validation, but no more than [`MOST_VALIDATION`] samples: the last ones.
const VALIDATION: usize = 20;
const MOST_VALIDATION: usize = 400_000;
/// The parts of a batch whose gradients are added up separately. Their number is fixed, so that the sum does not depend
/// on the number of threads.
const PARTS: usize = 8;

pub(super) struct Descent {
    pub weights: Weights,
    adam: Adam,
    /// The epochs that are complete.
    epoch: u32,
    file: PathBuf,
    settings: String,
}

impl Descent {
    /// A descent from `weights`, or from the checkpoint in `file`, if there is one.
    pub(super) fn new(weights: Weights, file: &Path, settings: &str) -> io::Result<Self> {
        let (file, settings) = (file.to_owned(), settings.to_owned());
        let adam = Adam::new(weights.numbers.len());
        let mut descent = Self { weights, adam, epoch: 0, file, settings };
        if let Some(checkpoint) = Checkpoint::read(&descent.file, &descent.settings)? {
            descent.epoch = checkpoint.epoch;
            descent.weights.numbers = checkpoint.weights;
            descent.adam.resume(checkpoint.means, checkpoint.steps);
        }
        Ok(descent)
    }

    /// Trains on the samples, and writes a checkpoint after each epoch. Returns the last validation loss.
    pub(super) fn run(&mut self, samples: &Samples, schedule: &Schedule) -> io::Result<Loss> {
        self.run_until(schedule.epochs, samples, schedule)
    }

    /// As [`run`](Self::run), until `epochs` of the schedule are complete.
    pub(super) fn run_until(
        &mut self,
        last: u32,
        samples: &Samples,
        schedule: &Schedule,
    ) -> io::Result<Loss> {
        let all = samples.len() as u32;
        let validation = (samples.len() / VALIDATION).min(MOST_VALIDATION) as u32;
        let mut learned: Vec<_> = (0..all - validation).collect();
        let validation: Vec<_> = (all - validation..all).collect();
        let mut loss = Loss::of(&self.weights, samples, &validation);
        println!("{} positions, epoch {}: {loss}", learned.len(), self.epoch);
        let steps = schedule.epochs as usize * learned.len().div_ceil(schedule.batch);
        while self.epoch < last {
            self.epoch += 1;
            learned.sort_unstable();
            Rng::with_seed(schedule.seed ^ u64::from(self.epoch) << 32).shuffle(&mut learned);
            for batch in learned.chunks(schedule.batch) {
                let gradient = self.gradient(samples, batch, schedule.threads);
                self.step(&gradient, batch.len(), schedule.rate_at(self.adam.steps(), steps));
            }
            loss = Loss::of(&self.weights, samples, &validation);
            println!("epoch {}: {loss}", self.epoch);
            self.checkpoint().write(&self.file, &self.settings)?;
        }
        Ok(loss)
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            epoch: self.epoch,
            steps: self.adam.steps(),
            weights: self.weights.numbers.clone(),
            means: self.adam.means().to_vec(),
        }
    }

    /// The gradient of the cross entropy, summed over a batch.
    fn gradient(&self, samples: &Samples, batch: &[u32], threads: usize) -> Weights {
        let parts: Vec<_> = batch.chunks(batch.len().div_ceil(PARTS)).collect();
        let of_part = |part: &&[u32]| {
            let mut gradient = self.weights.zeros();
            add_gradient(&mut gradient, &self.weights, samples, part);
            gradient
        };
        let mut gradients = thread::scope(|scope| {
            let shares = parts.chunks(parts.len().div_ceil(threads));
            let running: Vec<_> = shares
                .map(|share| scope.spawn(move || share.iter().map(of_part).collect::<Vec<_>>()))
                .collect();
            running.into_iter().flat_map(|it| it.join().unwrap_or_default()).collect::<Vec<_>>()
        })
        .into_iter();
        let mut sum = gradients.next().unwrap_or_else(|| self.weights.zeros());
        for gradient in gradients {
            sum.numbers.iter_mut().zip(&gradient.numbers).for_each(|(sum, number)| *sum += number);
        }
        sum
    }

    fn step(&mut self, gradient: &Weights, samples: usize, rate: f32) {
        let share = 1.0 / samples as f32;
        let decay = rate * DECAY;
        let before = self.weights.numbers.clone();
        let slopes = gradient.numbers.iter().map(|slope| slope * share);
        let steps = self.adam.step(slopes, rate).zip(before);
        self.weights.step(steps.map(|(step, weight)| step + decay * weight));
    }
}

impl Schedule {
    /// The learning rate after `steps` of `all`.
    fn rate_at(&self, steps: i32, all: usize) -> f32 {
        let rising = ((steps + 1) as f32 / WARM_UP_STEPS).min(1.0);
        let cosine = f32::midpoint(1.0, (PI * steps as f32 / all as f32).cos());
        self.rate * rising * (LAST_RATE + (1.0 - LAST_RATE) * cosine)
    }
}
