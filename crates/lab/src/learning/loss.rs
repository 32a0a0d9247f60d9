//! The loss of a network.

use std::fmt;

use multiversion::multiversion;

use super::samples::Samples;
use super::weights::Weights;

/// The loss over some samples.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loss {
    /// The root mean square error of the expected points.
    pub error: f64,
    /// The mean cross entropy, in nats.
    pub entropy: f64,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {:.5}, cross entropy {:.5}", self.error, self.entropy)
    }
}

impl Loss {
    /// The loss of a network over the samples with these numbers.
    pub(super) fn of(weights: &Weights, samples: &Samples, numbers: &[u32]) -> Self {
        let [squares, entropy] = sums(weights, samples, numbers);
        let count = numbers.len().max(1) as f64;
        Self { error: (squares / count).sqrt(), entropy: entropy / count }
    }
}

/// The sums of the squared errors and of the cross entropies.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2+fma"))]
fn sums(weights: &Weights, samples: &Samples, numbers: &[u32]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for &number in numbers {
        let (views, sample) = samples.get(number as usize);
        let points = sigmoid(weights.forward(views, usize::from(sample.bucket)).output);
        let (points, target) =
            (f64::from(points).clamp(1e-7, 1.0 - 1e-7), f64::from(sample.target));
        sums[0] += (points - target).powi(2);
        sums[1] -= target * points.ln() + (1.0 - target) * (1.0 - points).ln();
    }
    sums
}

/// Adds the gradient of the cross entropy, summed over the samples with these numbers.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2+fma"))]
pub(super) fn add_gradient(
    gradient: &mut Weights,
    weights: &Weights,
    samples: &Samples,
    numbers: &[u32],
) {
    for &number in numbers {
        let (views, sample) = samples.get(number as usize);
        let bucket = usize::from(sample.bucket);
        let activations = weights.forward(views, bucket);
        let error = sigmoid(activations.output) - sample.target;
        gradient.add_gradient(weights, views, bucket, &activations, error);
    }
}

/// The logistic function: the expected points at the logarithm `logit` of the odds.
fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
