//! The weights of a network in training.

use std::iter;

use super::layer::Layer;
use bestmove_engine::nn::{DEEP, HIDDEN, LARGEST, LARGEST_DEEP, LOGIT, ONE, WEIGHT};
use fastrand::Rng;

/// The random weights of each layer lie within plus or minus these (He and others, *Delving Deep into
/// Rectifiers*, 2015; half as much again in the second layer, since few units of the first are near 1).
const SPREADS: [f32; 4] = [0.45, 0.13, 0.25, 0.5];

/// The first bias of the second and the third layer: units above 0 have a gradient.
const BIAS: f32 = 0.2;

/// The weights of a network, or one number for each of them.
pub(super) struct Weights {
    first: Layer<HIDDEN>,
    second: Layer<DEEP>,
    third: Layer<DEEP>,
    output: Layer<1>,
}

/// The activations of a position: the units, clamped to 0 to 1, and the output.
pub(super) struct Activations {
    first: [f32; HIDDEN],
    second: [f32; DEEP],
    third: [f32; DEEP],
    pub output: f32,
}

impl Weights {
    pub(super) fn zero(features: usize) -> Self {
        Self {
            first: Layer::zero(features),
            second: Layer::zero(HIDDEN),
            third: Layer::zero(DEEP),
            output: Layer::zero(DEEP),
        }
    }

    pub(super) fn random(features: usize, random: &mut Rng) -> Self {
        let mut weights = Self::zero(features);
        weights.first.randomize(SPREADS[0], 0.0, random);
        weights.second.randomize(SPREADS[1], BIAS, random);
        weights.third.randomize(SPREADS[2], BIAS, random);
        weights.output.randomize(SPREADS[3], 0.0, random);
        weights
    }

    /// The weights that [`quantised`](Self::quantised) wrote; `None` where there are more or fewer.
    pub(super) fn read(numbers: &[i16], features: usize) -> Option<Self> {
        let mut weights = Self::zero(features);
        let scales: Vec<_> = weights.scales().collect();
        for ((weight, &number), scale) in weights.all().zip(numbers).zip(&scales) {
            *weight = f32::from(number) / scale.one;
        }
        (numbers.len() == scales.len()).then_some(weights)
    }

    /// The quantised weights, in the order in which
    /// [`Network::read_all`](bestmove_engine::nn::Network::read_all) reads them.
    pub(super) fn quantised(&mut self) -> Vec<i16> {
        let scales = self.scales();
        let pairs = self.all().zip(scales);
        pairs.map(|(weight, scale)| (*weight * scale.one).round() as i16).collect()
    }

    /// The scale of each weight.
    pub(super) fn scales(&self) -> impl Iterator<Item = Scale> + use<> {
        let deep = self.second.len() + self.third.len();
        iter::repeat_n(Scale::new(ONE, LARGEST), self.first.len())
            .chain(iter::repeat_n(Scale::new(WEIGHT, LARGEST_DEEP), deep))
            .chain(iter::repeat_n(Scale::new(LOGIT, LARGEST_DEEP), self.output.len()))
    }

    /// All of them, in the order in which they are written.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut f32> {
        let deep = self.second.all().chain(self.third.all());
        self.first.all().chain(deep).chain(self.output.all())
    }

    pub(super) fn forward(&self, features: &[u16]) -> Activations {
        let first = clamped(self.first.forward_sparse(features));
        let second = clamped(self.second.forward(&squared(&first)));
        let third = clamped(self.third.forward(&second));
        let [output] = self.output.forward(&third);
        Activations { first, second, third, output }
    }

    /// Adds the gradient of a position, by back-propagation of the `error` of the output through the network
    /// `of` which these are the activations.
    pub(super) fn add_gradient(
        &mut self,
        of: &Self,
        features: &[u16],
        activations: &Activations,
        error: f32,
    ) {
        let Activations { first, second, third, .. } = activations;
        self.output.add_gradient(third, &[error]);
        let slopes = unclamped(of.output.backward(third, &[error]), third);
        self.third.add_gradient(second, &slopes);
        let slopes = unclamped(of.third.backward(second, &slopes), second);
        let squares = squared(first);
        self.second.add_gradient(&squares, &slopes);
        let mut slopes = unclamped(of.second.backward(&squares, &slopes), first);
        for (slope, unit) in slopes.iter_mut().zip(first) {
            *slope *= 2.0 * unit;
        }
        self.first.add_gradient_sparse(features, &slopes);
    }
}

/// How a weight is quantised.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// The whole number that stands for 1.
    one: f32,
    /// The largest weight.
    pub largest: f32,
}

impl Scale {
    fn new(one: i32, largest: i32) -> Self {
        Self { one: one as f32, largest: largest as f32 / one as f32 }
    }
}

fn clamped<const UNITS: usize>(units: [f32; UNITS]) -> [f32; UNITS] {
    units.map(|unit| unit.clamp(0.0, 1.0))
}

fn squared<const UNITS: usize>(units: &[f32; UNITS]) -> [f32; UNITS] {
    units.map(|unit| unit * unit)
}

/// The slopes with those of clamped units set to 0.
fn unclamped<const UNITS: usize>(mut slopes: [f32; UNITS], units: &[f32; UNITS]) -> [f32; UNITS] {
    for (slope, &unit) in slopes.iter_mut().zip(units) {
        if unit <= 0.0 || unit >= 1.0 {
            *slope = 0.0;
        }
    }
    slopes
}
