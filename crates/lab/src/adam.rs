//! Adam, a gradient descent with a rate of its own for each weight (Kingma and Ba, *Adam: A Method for Stochastic
//! Optimization*, 2015).

use num_traits::Float;

/// How much of the running means of the gradient and of its square a step keeps.
const KEPT: [f64; 2] = [0.9, 0.999];

/// The state of a descent.
pub(crate) struct Adam<F> {
    /// The running means of the gradient and of its square, for each weight.
    means: Vec<[F; 2]>,
    steps: i32,
    /// What keeps the divisor from being 0.
    tiny: F,
}

impl<F: Float> Adam<F> {
    pub(crate) fn new(weights: usize, tiny: F) -> Self {
        Self { means: vec![[F::zero(); 2]; weights], steps: 0, tiny }
    }

    /// Goes on from the running means of another descent, which took so many steps.
    pub(crate) fn resume(&mut self, means: Vec<[F; 2]>, steps: i32) {
        (self.means, self.steps) = (means, steps);
    }

    /// The running means of the gradient and of its square, for each weight.
    pub(crate) fn means(&self) -> &[[F; 2]] {
        &self.means
    }

    /// The steps taken so far.
    pub(crate) fn steps(&self) -> i32 {
        self.steps
    }

    /// One step at the learning rate `rate`: what to subtract from each weight, for the gradient.
    pub(crate) fn step<'a>(
        &'a mut self,
        gradient: impl Iterator<Item = F> + 'a,
        rate: F,
    ) -> impl Iterator<Item = F> + 'a {
        self.steps += 1;
        let kept = KEPT.map(|kept| F::from(kept).unwrap_or_else(F::one));
        let added = kept.map(|kept| F::one() - kept);
        let unbiased = kept.map(|kept| F::one() - kept.powi(self.steps));
        let tiny = self.tiny;
        self.means.iter_mut().zip(gradient).map(move |([mean, square], slope)| {
            *mean = kept[0] * *mean + added[0] * slope;
            *square = kept[1] * *square + added[1] * slope * slope;
            rate * (*mean / unbiased[0]) / ((*square / unbiased[1]).sqrt() + tiny)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_large_as_the_rate_whatever_the_slope() {
        let mut adam = Adam::new(3, 1e-12);
        let steps: Vec<f64> = adam.step([1000.0, -0.001, 0.0].into_iter(), 0.5).collect();
        assert!((steps[0] - 0.5).abs() < 1e-6 && (steps[1] + 0.5).abs() < 1e-6, "{steps:?}");
        assert!(steps[2].abs() < 1e-6);
    }

    #[test]
    fn a_valley_is_descended_to_its_bottom() {
        let (mut adam, mut weight) = (Adam::new(1, 1e-12), 5.0_f64);
        for step in 0..2000 {
            let rate = 0.1 * (1.0 - f64::from(step) / 2000.0);
            weight -= adam.step([2.0 * (weight - 3.0)].into_iter(), rate).sum::<f64>();
        }
        assert!((weight - 3.0).abs() < 1e-3, "{weight}");
    }
}
