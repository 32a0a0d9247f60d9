//! Finds the weights of an evaluation: those by which it foretells best how games go on.
//!
//! Logistic regression on quiet positions (Texel's tuning method, Peter Österlund), by Adam (Kingma
//! and Ba, *Adam: A Method for Stochastic Optimization*, 2015). All is computed on one thread and in
//! an order that the seed draws, so the same games and the same seed give the same weights.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::iter;
use std::path::{Path, PathBuf};

use super::expectation::{Expectation, expected_points, slope};
use super::samples::Samples;
use bestmove_engine::game::linear::{Group, Layout};
use fastrand::Rng;

/// From what to find which weights.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The evaluator; the game's first where nothing is said.
    pub evaluator: Option<String>,
    /// The games to learn from, one a line.
    pub games: PathBuf,
    /// The seed of the order in which the positions are seen.
    pub seed: u64,
    /// How many steps to take.
    pub steps: u32,
    /// Groups of weights that keep their guesses, to learn what they are good for.
    pub without: Vec<String>,
}

/// What positions are expected to score.
const EXPECTATION: Expectation = Expectation { result: 0.5 };
/// How many positions a step looks at.
const BATCH: usize = 16_384;
/// The first step of each weight, in the unit of the score; the last one is 0.
const STEP: f64 = 2.0;
/// How far from its guess a weight is expected, as a standard deviation: what hardly occurs stays
/// near its guess.
const DEVIATION: f64 = 40.0;
/// One position in so many is not learned from, but tells how well the others were understood.
const CONTROL: usize = 20;

impl Tuning {
    /// Writes the weights to `file`; shows on standard output how well they foretell.
    ///
    /// # Errors
    /// Where there is no such game or evaluator, its score is no sum, or a file can't be read or
    /// written.
    pub fn tune(&self, name: &str, file: &Path) -> io::Result<()> {
        let game = super::game(name)?;
        let evaluator = self.evaluator.as_deref();
        let model = super::model(game, evaluator)?;
        let layout = model.layout;
        let layout = layout.ok_or_else(|| super::invalid("the score is no sum of weights"))?;
        let lines = BufReader::new(File::open(&self.games)?);
        let samples = Samples::read(game, evaluator, EXPECTATION, lines)?;
        let mut descent = Descent::new(&layout, model.half_value, &samples, &self.without);
        descent.descend(self.steps, &mut Rng::with_seed(self.seed));
        fs::write(file, written(&layout, &descent.weights))
    }
}

/// An opening and an ending value.
type Pair = [f64; 2];

/// The way down to the best weights.
struct Descent<'a> {
    samples: &'a Samples,
    half_value: i32,
    guesses: Vec<f64>,
    /// What pulls a weight back to its guess, for each point that it is away from it: a normal prior,
    /// which is ridge regression.
    pull: f64,
    /// Whether the weight is to be found.
    is_free: Vec<bool>,
    weights: Vec<Pair>,
    /// The running means of the gradient and of its square.
    means: Vec<[Pair; 2]>,
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
            means: vec![[[0.0; 2]; 2]; guesses.len()],
            guesses,
            pull: 1.0 / (DEVIATION.powi(2) * positions),
            is_free: groups().map(is_free).collect(),
        }
    }

    fn descend(&mut self, steps: u32, random: &mut Rng) {
        let mut order = self.samples.shuffled(random);
        let control = order.split_off(order.len() - order.len() / CONTROL);
        println!("{} positions, error {:.5}", order.len(), self.error(&control));
        let mut batches = order.chunks(BATCH).cycle();
        for step in 1..=steps {
            let gradient = self.gradient(batches.next().unwrap_or_default());
            self.step(&gradient, step, STEP * f64::from(steps - step) / f64::from(steps));
            if step.is_multiple_of((steps / 10).max(1)) {
                println!("step {step}, error {:.5}", self.error(&control));
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

    /// How far the expected points lie off, as the root of the mean square.
    fn error(&self, numbers: &[u32]) -> f64 {
        let square = |&number: &u32| {
            let target = self.samples.get(number as usize).1.target;
            (self.expected(number as usize) - target).powi(2)
        };
        (numbers.iter().map(square).sum::<f64>() / count(numbers)).sqrt()
    }

    /// The gradient of the cross entropy over a batch, with the pull towards the guesses.
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

    /// One step of Adam, the `number`th from 1, of at most about `size`.
    fn step(&mut self, gradient: &[Pair], number: u32, size: f64) {
        const KEPT: [f64; 2] = [0.9, 0.999];
        const TINY: f64 = 1e-12;
        let unbiased = KEPT.map(|kept| 1.0 - kept.powi(number as i32));
        let state = self.weights.iter_mut().zip(&mut self.means).zip(gradient);
        for (((weight, means), slope), _) in state.zip(&self.is_free).filter(|(_, free)| **free) {
            for phase in 0..2 {
                let powers = [slope[phase], slope[phase] * slope[phase]];
                for order in 0..2 {
                    let mean = &mut means[order][phase];
                    *mean = KEPT[order] * *mean + (1.0 - KEPT[order]) * powers[order];
                }
                let (mean, square) = (means[0][phase] / unbiased[0], means[1][phase] / unbiased[1]);
                weight[phase] -= size * mean / (square.sqrt() + TINY);
            }
        }
    }
}

/// How many there are, and 1 for none.
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
