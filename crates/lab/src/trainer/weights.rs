//! The weights of a network while it learns.

use std::iter;

use super::layer::Layer;
use bestmove_engine::nn::{DEEP, HIDDEN, LARGEST, LARGEST_DEEP, LOGIT, ONE, WEIGHT};
use fastrand::Rng;

/// The first weights of each layer lie within plus or minus these: as far as units keep their sizes from
/// layer to layer (He and others, *Delving Deep into Rectifiers*, 2015), and half as far again in the
/// second one, since few units of the first are near 1.
const SPREADS: [f32; 4] = [0.45, 0.13, 0.25, 0.5];

/// The units of the second and the third layer begin a little above 0, where they learn.
const START: f32 = 0.2;

/// The weights of a network, or one number for each of them.
pub(super) struct Weights {
    first: Layer<HIDDEN>,
    second: Layer<DEEP>,
    third: Layer<DEEP>,
    output: Layer<1>,
}

/// What a network makes of a position: its units, cut off at 0 and at 1, and its output.
pub(super) struct Thought {
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
        weights.second.randomize(SPREADS[1], START, random);
        weights.third.randomize(SPREADS[2], START, random);
        weights.output.randomize(SPREADS[3], 0.0, random);
        weights
    }

    /// The weights that [`written`](Self::written) wrote; none where there are more or fewer.
    pub(super) fn read(numbers: &[i16], features: usize) -> Option<Self> {
        let mut weights = Self::zero(features);
        let scales: Vec<_> = weights.scales().collect();
        for ((weight, &number), scale) in weights.all().zip(numbers).zip(&scales) {
            *weight = f32::from(number) / scale.one;
        }
        (numbers.len() == scales.len()).then_some(weights)
    }

    /// The network in whole numbers, in the order in which
    /// [`Network::read_all`](bestmove_engine::nn::Network::read_all) reads them.
    pub(super) fn written(&mut self) -> Vec<i16> {
        let scales = self.scales();
        let pairs = self.all().zip(scales);
        pairs.map(|(weight, scale)| (*weight * scale.one).round() as i16).collect()
    }

    /// In what whole numbers each weight is written.
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

    /// What the network makes of a position with these features.
    pub(super) fn think(&self, features: &[u16]) -> Thought {
        let first = cut_off(self.first.present(features));
        let second = cut_off(self.second.units(&squared(&first)));
        let third = cut_off(self.third.units(&second));
        let [output] = self.output.units(&third);
        Thought { first, second, third, output }
    }

    /// Adds the gradient of a position whose output is off by `excess`, by back-propagation through the
    /// network `of` which that was thought.
    pub(super) fn learn(&mut self, of: &Self, features: &[u16], thought: &Thought, excess: f32) {
        let Thought { first, second, third, .. } = thought;
        self.output.learn(third, &[excess]);
        let slopes = moving(of.output.blame(third, &[excess]), third);
        self.third.learn(second, &slopes);
        let slopes = moving(of.third.blame(second, &slopes), second);
        let squares = squared(first);
        self.second.learn(&squares, &slopes);
        let mut slopes = moving(of.second.blame(&squares, &slopes), first);
        for (slope, unit) in slopes.iter_mut().zip(first) {
            *slope *= 2.0 * unit;
        }
        self.first.learn_present(features, &slopes);
    }
}

/// The whole numbers in which a weight is written.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// What 1 is written as.
    one: f32,
    /// The largest weight.
    pub largest: f32,
}

impl Scale {
    fn new(one: i32, largest: i32) -> Self {
        Self { one: one as f32, largest: largest as f32 / one as f32 }
    }
}

fn cut_off<const UNITS: usize>(units: [f32; UNITS]) -> [f32; UNITS] {
    units.map(|unit| unit.clamp(0.0, 1.0))
}

fn squared<const UNITS: usize>(units: &[f32; UNITS]) -> [f32; UNITS] {
    units.map(|unit| unit * unit)
}

/// The slopes of those units that aren't cut off, where a little more or less changes nothing.
fn moving<const UNITS: usize>(mut slopes: [f32; UNITS], units: &[f32; UNITS]) -> [f32; UNITS] {
    for (slope, &unit) in slopes.iter_mut().zip(units) {
        if unit <= 0.0 || unit >= 1.0 {
            *slope = 0.0;
        }
    }
    slopes
}
