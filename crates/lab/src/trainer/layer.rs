//! A layer of a network in training.

use fastrand::Rng;

/// The parallel sums of a dot product.
const LANES: usize = 8;

/// The weights of a layer, or one number for each of them.
pub(super) struct Layer<const UNITS: usize> {
    /// The weights of each input.
    rows: Vec<[f32; UNITS]>,
    bias: [f32; UNITS],
}

impl<const UNITS: usize> Layer<UNITS> {
    pub(super) fn zero(inputs: usize) -> Self {
        Self { rows: vec![[0.0; UNITS]; inputs], bias: [0.0; UNITS] }
    }

    /// Draws weights within plus or minus `spread`.
    pub(super) fn randomize(&mut self, spread: f32, bias: f32, random: &mut Rng) {
        for weight in self.rows.as_flattened_mut() {
            *weight = spread * ((random.u64(..) >> 40) as f32 / (1 << 23) as f32 - 1.0);
        }
        self.bias = [bias; UNITS];
    }

    /// The number of weights.
    pub(super) fn len(&self) -> usize {
        (self.rows.len() + 1) * UNITS
    }

    /// All of them, in the order in which they are written.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.as_flattened_mut().iter_mut().chain(&mut self.bias)
    }

    /// The outputs for the features that are present.
    pub(super) fn forward_sparse(&self, features: &[u16]) -> [f32; UNITS] {
        let mut units = self.bias;
        for &feature in features {
            add(&mut units, 1.0, &self.rows[usize::from(feature)]);
        }
        units
    }

    /// The outputs for these inputs.
    pub(super) fn forward(&self, inputs: &[f32]) -> [f32; UNITS] {
        let mut units = self.bias;
        for (&unit, row) in inputs.iter().zip(&self.rows) {
            if unit > 0.0 {
                add(&mut units, unit, row);
            }
        }
        units
    }

    /// Adds the gradient of the weights, for these features and this gradient of the outputs.
    pub(super) fn add_gradient_sparse(&mut self, features: &[u16], slopes: &[f32; UNITS]) {
        add(&mut self.bias, 1.0, slopes);
        for &feature in features {
            add(&mut self.rows[usize::from(feature)], 1.0, slopes);
        }
    }

    /// Adds the gradient of the weights, for these inputs and this gradient of the outputs.
    pub(super) fn add_gradient(&mut self, inputs: &[f32], slopes: &[f32; UNITS]) {
        add(&mut self.bias, 1.0, slopes);
        for (&unit, row) in inputs.iter().zip(&mut self.rows) {
            if unit > 0.0 {
                add(row, unit, slopes);
            }
        }
    }

    /// The gradient of the inputs, for this gradient of the outputs. Inputs of 0 or less have none.
    pub(super) fn backward<const INPUTS: usize>(
        &self,
        inputs: &[f32; INPUTS],
        slopes: &[f32; UNITS],
    ) -> [f32; INPUTS] {
        let mut gradient = [0.0; INPUTS];
        for ((slope, &unit), row) in gradient.iter_mut().zip(inputs).zip(&self.rows) {
            if unit > 0.0 {
                *slope = dot(row, slopes);
            }
        }
        gradient
    }
}

/// Adds `times` the row to `sums`.
fn add<const LEN: usize>(sums: &mut [f32; LEN], times: f32, row: &[f32; LEN]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += times * weight;
    }
}

/// The sum of the products.
fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    for (left, right) in left.chunks(LANES).zip(right.chunks(LANES)) {
        for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
            *sum += left * right;
        }
    }
    sums.iter().sum()
}
