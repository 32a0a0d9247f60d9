//! The weights of a network in training, in the order in which the engine reads them.

#![expect(
    clippy::inline_always,
    reason = "what is inlined is compiled for the instruction set of the function around it"
)]

use std::iter::repeat_n;

use bestmove_engine::network::{LARGEST_OUTPUT, LOGIT, NetworkSize, ONE, UNITS};
use fastrand::Rng;

/// A value for each unit of a view.
pub(super) type Units = [f32; UNITS];

/// The first weights of features lie within plus or minus `FEATURE_SPREAD`.
const FEATURE_SPREAD: f32 = 0.15;
/// The first biases of the hidden layer: units above 0 have a gradient.
const BIAS: f32 = 0.1;
/// The first output weights lie within plus or minus `OUTPUT_SPREAD`.
const OUTPUT_SPREAD: f32 = 0.2;

/// The weights of a network, or a gradient with a number for each weight.
#[derive(Clone)]
pub(super) struct Weights {
    size: NetworkSize,
    /// A row for each feature, the biases, and for each bucket the output weights of both views and the bias.
    pub numbers: Vec<f32>,
}

/// The activations of a network in a position: the clipped units of both views, and the output as a logit.
pub(super) struct Activations {
    units: [Units; 2],
    pub output: f32,
}

impl Weights {
    pub(super) fn zero(size: NetworkSize) -> Self {
        Self { size, numbers: vec![0.0; size.weights()] }
    }

    /// Zeros in the same dimensions.
    pub(super) fn zeros(&self) -> Self {
        Self::zero(self.size)
    }

    /// The first weights of a training.
    pub(super) fn random(size: NetworkSize, seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut weights = Self::zero(size);
        let (bias, outputs) = (weights.bias(), weights.outputs());
        for (number, weight) in weights.numbers.iter_mut().enumerate() {
            let spread = if number < bias { FEATURE_SPREAD } else { OUTPUT_SPREAD };
            *weight = if (bias..outputs).contains(&number) {
                BIAS
            } else {
                spread * (2.0 * random.f32() - 1.0)
            };
        }
        weights
    }

    /// The weights with zeros for `features`, which no position of the training has.
    pub(super) fn without(mut self, features: &[usize]) -> Self {
        for feature in features {
            self.numbers[feature * UNITS..][..UNITS].fill(0.0);
        }
        self
    }

    /// The weights of a network of the engine; `None` where `numbers` has another length. A network that lacks the last
    /// features has zeros for them.
    pub(super) fn of_quantised(numbers: &[i16], size: NetworkSize) -> Option<Self> {
        let absent = size.weights().checked_sub(numbers.len()).filter(|it| it % UNITS == 0)?;
        let (rows, others) = numbers.split_at((size.features * UNITS).checked_sub(absent)?);
        let mut weights = Self::zero(size);
        let scaled = |(number, &weight): (usize, &i16)| f32::from(weight) / scale(number, size).0;
        let numbers = rows.iter().chain(repeat_n(&0, absent)).chain(others);
        weights.numbers = numbers.enumerate().map(scaled).collect();
        Some(weights)
    }

    /// The weights as the engine reads them.
    pub(super) fn quantised(&self) -> Vec<i16> {
        let size = self.size;
        let whole =
            |(number, weight): (usize, &f32)| (weight * scale(number, size).0).round() as i16;
        self.numbers.iter().enumerate().map(whole).collect()
    }

    /// Changes every weight by a step against the gradient, and keeps the weights in range.
    pub(super) fn step(&mut self, changes: impl Iterator<Item = f32>) {
        let size = self.size;
        for ((number, weight), change) in self.numbers.iter_mut().enumerate().zip(changes) {
            let (one, largest) = scale(number, size);
            *weight = (*weight - change).clamp(-largest / one, largest / one);
        }
    }

    /// The index of the first bias of the hidden layer.
    fn bias(&self) -> usize {
        self.size.features * UNITS
    }

    /// The index of the first output weight.
    fn outputs(&self) -> usize {
        self.size.hidden_weights()
    }

    /// The index of the first output weight of a bucket.
    fn bucket(&self, bucket: usize) -> usize {
        self.outputs() + bucket * (2 * UNITS + 1)
    }

    #[inline(always)]
    fn row(&self, start: usize) -> &Units {
        self.numbers[start..].first_chunk().unwrap_or(&[0.0; UNITS])
    }

    #[inline(always)]
    fn add_to_row(&mut self, start: usize, numbers: &Units) {
        for (weight, number) in self.numbers[start..start + UNITS].iter_mut().zip(numbers) {
            *weight += number;
        }
    }

    /// The activations for the features of the side to move and of the other side.
    #[inline(always)]
    pub(super) fn forward(&self, views: [&[u16]; 2], bucket: usize) -> Activations {
        let units = views.map(|features| {
            let mut sums = *self.row(self.bias());
            for &feature in features {
                let row = self.row(usize::from(feature) * UNITS);
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            sums.map(|sum| sum.clamp(0.0, 1.0))
        });
        let first = self.bucket(bucket);
        let mut output = self.numbers[first + 2 * UNITS];
        for (view, units) in units.iter().enumerate() {
            output += dot(&units.map(|unit| unit * unit), self.row(first + view * UNITS));
        }
        Activations { units, output }
    }

    /// Adds the gradient of a position, by back-propagation of the `error` of the output through the network `of`, which has
    /// these activations.
    #[inline(always)]
    pub(super) fn add_gradient(
        &mut self,
        of: &Self,
        views: [&[u16]; 2],
        bucket: usize,
        activations: &Activations,
        error: f32,
    ) {
        let first = of.bucket(bucket);
        self.numbers[first + 2 * UNITS] += error;
        for (view, (features, units)) in views.into_iter().zip(&activations.units).enumerate() {
            let start = first + view * UNITS;
            self.add_to_row(start, &units.map(|unit| error * unit * unit));
            let weights = of.row(start);
            let slopes: Units = std::array::from_fn(|unit| {
                let activation = units[unit];
                let slope = 2.0 * error * weights[unit] * activation;
                if activation < 1.0 { slope } else { 0.0 }
            });
            for &feature in features {
                self.add_to_row(usize::from(feature) * UNITS, &slopes);
            }
            self.add_to_row(of.bias(), &slopes);
        }
    }
}

/// The whole number that stands for 1 in the weight with this index, and the largest whole number.
fn scale(number: usize, size: NetworkSize) -> (f32, f32) {
    let is_hidden = number < size.hidden_weights();
    let (one, largest) = if is_hidden { (ONE, size.largest()) } else { (LOGIT, LARGEST_OUTPUT) };
    (one as f32, largest as f32)
}

/// The dot product, in several partial sums side by side.
#[inline(always)]
fn dot(a: &Units, b: &Units) -> f32 {
    let mut sums = [0.0; 32];
    for (a, b) in a.as_chunks::<32>().0.iter().zip(b.as_chunks::<32>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}
