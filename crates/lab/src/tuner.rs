//! Finds the weights of a linear evaluation that predict the results of games best.
//!
//! Logistic regression on quiet positions (Texel's tuning method, Peter Österlund), by [`Adam`]. Everything is computed
//! on one thread and in an order that the seed draws, so the same games and the same seed give the same weights.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::iter;
use std::path::PathBuf;

use crate::adam::Adam;
use crate::data_set::{DataSet, read_games, slope, targets};
use crate::game::{layout, traces};
use bestmove_engine::game::expected_points;
use bestmove_engine::game::linear::{Group, Layout};
use bestmove_engine::games::any::AnyGame;
use clap::Args;
use fastrand::Rng;

/// Weights to tune.
#[derive(Args, Clone, Debug)]
pub(crate) struct Tuning {
    /// The name of the game
    game: String,
    /// The evaluator whose weights to find [default: the game's]
    #[arg(long)]
    evaluator: Option<String>,
    /// The files with the games
    #[arg(long, required = true)]
    games: Vec<PathBuf>,
    /// The seed of the order in which positions are seen
    #[arg(long)]
    seed: u64,
    /// The number of steps
    #[arg(long, default_value_t = 4000)]
    steps: u32,
    /// Groups of weights, by a part of their names, that keep their initial values
    #[arg(long)]
    without: Vec<String>,
    /// The file to write the weights to
    #[arg(long)]
    out: PathBuf,
}

/// The weight of the result of the game in the target of a position.
const RESULT_SHARE: f64 = 0.5;
/// The positions of a step.
const BATCH: usize = 16_384;
/// The first learning rate, in the unit of the score; the last one is 0.
const LEARNING_RATE: f64 = 2.0;
/// The standard deviation of the prior of a weight around its initial value: rare features keep weights
/// near it.
const DEVIATION: f64 = 40.0;
/// What keeps the divisor of a step from being 0.
const TINY: f64 = 1e-12;
/// One position in so many is for validation.
const VALIDATION: usize = 20;

/// A position: the features are indices of weights and how often each counts.
type Samples = DataSet<(u16, i16), Sample>;

#[derive(Clone, Copy)]
struct Sample {
    /// The shares of opening and ending in the score.
    shares: [f64; 2],
    /// The points that the first side is expected to score, from 0 to 1.
    target: f64,
}

impl Tuning {
    /// Writes the weights to the file; prints the validation error on standard output.
    pub(crate) fn run(&self) -> io::Result<()> {
        let game = crate::game::game(&self.game)?;
        let (layout, half_value) = layout(&self.game, self.evaluator.as_deref())?;
        let samples = self.samples(game)?;
        let mut descent = Descent::new(&layout, half_value, &samples, &self.without);
        descent.descend(self.steps, &mut Rng::with_seed(self.seed));
        fs::write(&self.out, written(&layout, &descent.weights))
    }

    /// The quiet positions of the games.
    fn samples(&self, game: &dyn AnyGame) -> io::Result<Samples> {
        let mut samples = Samples::new();
        read_games(&self.games, |record| {
            let targets = targets(record, RESULT_SHARE);
            for (number, trace) in traces(game, self.evaluator.as_deref(), &record.moves)? {
                if let Some(target) = targets[number] {
                    samples.add(&trace.counts, Sample { shares: trace.shares, target });
                }
            }
            Ok(())
        })?;
        Ok(samples)
    }
}

/// An opening and an ending value.
type Pair = [f64; 2];

/// Gradient descent.
struct Descent<'a> {
    samples: &'a Samples,
    half_value: i32,
    guesses: Vec<f64>,
    /// The gradient of the prior for each point of distance from the guess (ridge regression).
    pull: f64,
    /// Whether the weight is tuned.
    is_free: Vec<bool>,
    weights: Vec<Pair>,
    adam: Adam<f64>,
}

impl<'a> Descent<'a> {
    fn new(layout: &Layout, half_value: i32, samples: &'a Samples, without: &[String]) -> Self {
        let groups = || layout.0.iter().flat_map(|group| iter::repeat_n(group, group.len));
        let is_free = |group: &Group| without.iter().all(|name| !group.name.contains(name));
        let positions = f64::from(samples.len() as u32);
        let guesses: Vec<_> = groups().map(|group| f64::from(group.guess)).collect();
        Self {
            samples,
            half_value,
            weights: guesses.iter().map(|&guess| [guess; 2]).collect(),
            adam: Adam::new(2 * guesses.len(), TINY),
            guesses,
            pull: 1.0 / (DEVIATION.powi(2) * positions),
            is_free: groups().map(is_free).collect(),
        }
    }

    fn descend(&mut self, steps: u32, random: &mut Rng) {
        let mut order: Vec<_> = (0..self.samples.len() as u32).collect();
        random.shuffle(&mut order);
        let validation = order.split_off(order.len() - order.len() / VALIDATION);
        println!("{} positions, error {:.5}", order.len(), self.error(&validation));
        let mut batches = order.chunks(BATCH).cycle();
        for step in 1..=steps {
            let gradient = self.gradient(batches.next().unwrap_or_default());
            self.step(&gradient, LEARNING_RATE * f64::from(steps - step) / f64::from(steps));
            if step.is_multiple_of((steps / 10).max(1)) {
                println!("step {step}, error {:.5}", self.error(&validation));
            }
        }
    }

    /// The points that the first side is expected to score in the position of this number, by the
    /// present weights.
    fn expected(&self, number: usize) -> f64 {
        let (counts, sample) = self.samples.get(number);
        let mut sum = [0.0; 2];
        for &(index, times) in counts {
            let weight = self.weights[usize::from(index)];
            sum[0] += weight[0] * f64::from(times);
            sum[1] += weight[1] * f64::from(times);
        }
        let [opening, ending] = sample.shares;
        expected_points(sum[0] * opening + sum[1] * ending, self.half_value)
    }

    /// The root mean square error of the expected points.
    fn error(&self, numbers: &[u32]) -> f64 {
        let square = |&number: &u32| {
            let target = self.samples.get(number as usize).1.target;
            (self.expected(number as usize) - target).powi(2)
        };
        (numbers.iter().map(square).sum::<f64>() / count(numbers)).sqrt()
    }

    /// The gradient of the cross entropy over a batch, and of the prior.
    fn gradient(&self, batch: &[u32]) -> Vec<Pair> {
        let mut gradient = vec![[0.0; 2]; self.weights.len()];
        let scale = slope(self.half_value) / count(batch);
        for &number in batch {
            let (counts, sample) = self.samples.get(number as usize);
            let excess = scale * (self.expected(number as usize) - sample.target);
            let [opening, ending] = sample.shares.map(|share| excess * share);
            for &(index, times) in counts {
                let slope = &mut gradient[usize::from(index)];
                slope[0] += opening * f64::from(times);
                slope[1] += ending * f64::from(times);
            }
        }
        for (slope, (weight, guess)) in
            gradient.iter_mut().zip(self.weights.iter().zip(&self.guesses))
        {
            *slope = [0, 1].map(|phase| slope[phase] + self.pull * (weight[phase] - guess));
        }
        gradient
    }

    /// One step with the learning rate `rate`.
    fn step(&mut self, gradient: &[Pair], rate: f64) {
        let changes = self.adam.step(gradient.as_flattened().iter().copied(), rate);
        let weights = self.weights.iter_mut().zip(&self.is_free);
        let weights =
            weights.flat_map(|(pair, &is_free)| pair.iter_mut().map(move |it| (it, is_free)));
        for ((weight, _), change) in weights.zip(changes).filter(|((_, is_free), _)| *is_free) {
            *weight -= change;
        }
    }
}

/// The number of samples, but at least 1.
fn count(numbers: &[u32]) -> f64 {
    f64::from(numbers.len().max(1) as u32)
}

/// The weights under the names of their groups, as
/// [`read_weights`](bestmove_engine::game::linear::read_weights) reads them.
fn written(layout: &Layout, weights: &[Pair]) -> String {
    const A_LINE: usize = 8;
    let mut text = String::new();
    let mut rest = weights;
    for group in layout.0 {
        let (weights, after) = rest.split_at(group.len);
        text.push_str(group.name);
        for (place, [opening, ending]) in weights.iter().enumerate() {
            text.push_str(if place % A_LINE == 0 { "\n" } else { "  " });
            // Writing to a string can't fail.
            let _ = write!(text, "{:.0} {:.0}", opening.round() + 0.0, ending.round() + 0.0);
        }
        text.push('\n');
        rest = after;
    }
    text
}
