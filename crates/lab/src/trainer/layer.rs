//! A layer of a network while it learns.

use fastrand::Rng;

/// The parts in which a long sum is added up side by side.
const LANES: usize = 8;

/// The weights of a layer, or one number for each of them.
pub(super) struct Layer<const UNITS: usize> {
    /// For each unit or feature before, what it adds.
    rows: Vec<[f32; UNITS]>,
    /// What the units are when all before are 0.
    bias: [f32; UNITS],
}

impl<const UNITS: usize> Layer<UNITS> {
    pub(super) fn zero(before: usize) -> Self {
        Self { rows: vec![[0.0; UNITS]; before], bias: [0.0; UNITS] }
    }

    /// Gives weights within plus or minus `spread`.
    pub(super) fn randomize(&mut self, spread: f32, bias: f32, random: &mut Rng) {
        for weight in self.rows.as_flattened_mut() {
            *weight = spread * ((random.u64(..) >> 40) as f32 / (1 << 23) as f32 - 1.0);
        }
        self.bias = [bias; UNITS];
    }

    /// How many weights there are.
    pub(super) fn len(&self) -> usize {
        (self.rows.len() + 1) * UNITS
    }

    /// All of them, in the order in which they are written.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.as_flattened_mut().iter_mut().chain(&mut self.bias)
    }

    /// The units for the features that are present.
    pub(super) fn present(&self, features: &[u16]) -> [f32; UNITS] {
        let mut units = self.bias;
        for &feature in features {
            add(&mut units, 1.0, &self.rows[usize::from(feature)]);
        }
        units
    }

    /// The units for those of the layer before.
    pub(super) fn units(&self, before: &[f32]) -> [f32; UNITS] {
        let mut units = self.bias;
        for (&unit, row) in before.iter().zip(&self.rows) {
            if unit > 0.0 {
                add(&mut units, unit, row);
            }
        }
        units
    }

    /// Adds the gradient, where the units should change by `slopes` and these features are present.
    pub(super) fn learn_present(&mut self, features: &[u16], slopes: &[f32; UNITS]) {
        add(&mut self.bias, 1.0, slopes);
        for &feature in features {
            add(&mut self.rows[usize::from(feature)], 1.0, slopes);
        }
    }

    /// Adds the gradient, where the units should change by `slopes`.
    pub(super) fn learn(&mut self, before: &[f32], slopes: &[f32; UNITS]) {
        add(&mut self.bias, 1.0, slopes);
        for (&unit, row) in before.iter().zip(&mut self.rows) {
            if unit > 0.0 {
                add(row, unit, slopes);
            }
        }
    }

    /// By how much the units before, of which those at 0 don't count, should change for these to change by
    /// `slopes`.
    pub(super) fn blame<const BEFORE: usize>(
        &self,
        before: &[f32; BEFORE],
        slopes: &[f32; UNITS],
    ) -> [f32; BEFORE] {
        let mut blame = [0.0; BEFORE];
        for ((blame, &unit), row) in blame.iter_mut().zip(before).zip(&self.rows) {
            if unit > 0.0 {
                *blame = dot(row, slopes);
            }
        }
        blame
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
