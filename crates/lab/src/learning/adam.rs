//! Adam, a gradient descent with a rate of its own for each weight (Kingma and Ba, *Adam: A Method for Stochastic
//! Optimization*, 2015).

/// The shares of the running means of the gradient and of its square that a step keeps.
const KEPT: [f32; 2] = [0.9, 0.999];

/// A summand of the divisor of a step, which so is never 0.
const TINY: f32 = 1e-8;

pub(super) struct Adam {
    /// The running means of the gradient and of its square, for each weight.
    means: Vec<[f32; 2]>,
    steps: i32,
}

impl Adam {
    pub(super) fn new(weights: usize) -> Self {
        Self { means: vec![[0.0; 2]; weights], steps: 0 }
    }

    /// Goes on from the running means of another descent after `steps`.
    pub(super) fn resume(&mut self, means: Vec<[f32; 2]>, steps: i32) {
        (self.means, self.steps) = (means, steps);
    }

    /// The running means of the gradient and of its square, for each weight.
    pub(super) fn means(&self) -> &[[f32; 2]] {
        &self.means
    }

    /// The steps taken so far.
    pub(super) fn steps(&self) -> i32 {
        self.steps
    }

    /// A step at the learning rate `rate`: the numbers to subtract from the weights, by the gradient.
    pub(super) fn step<'a>(
        &'a mut self,
        gradient: impl Iterator<Item = f32> + 'a,
        rate: f32,
    ) -> impl Iterator<Item = f32> + 'a {
        self.steps += 1;
        let added = KEPT.map(|kept| 1.0 - kept);
        let unbiased = KEPT.map(|kept| 1.0 - kept.powi(self.steps));
        self.means.iter_mut().zip(gradient).map(move |([mean, square], slope)| {
            *mean = KEPT[0] * *mean + added[0] * slope;
            *square = KEPT[1] * *square + added[1] * slope * slope;
            rate * (*mean / unbiased[0]) / ((*square / unbiased[1]).sqrt() + TINY)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_large_as_the_rate_whatever_the_slope() {
        let mut adam = Adam::new(3);
        let steps: Vec<f32> = adam.step([1000.0, -0.001, 0.0].into_iter(), 0.5).collect();
        let second = -0.5 * 0.001 / (0.001 + TINY);
        assert!((steps[0] - 0.5).abs() < 1e-6 && (steps[1] - second).abs() < 1e-6, "{steps:?}");
        assert!(steps[2].abs() < 1e-6);
    }

    #[test]
    fn a_valley_is_descended_to_its_bottom() {
        let (mut adam, mut weight) = (Adam::new(1), 5.0_f32);
        for step in 0..2000 {
            let rate = 0.1 * (1.0 - step as f32 / 2000.0);
            weight -= adam.step([2.0 * (weight - 3.0)].into_iter(), rate).sum::<f32>();
        }
        assert!((weight - 3.0).abs() < 1e-3, "{weight}");
    }
}
