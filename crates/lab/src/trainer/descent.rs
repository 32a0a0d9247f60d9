//! The way down to the best networks.

use std::ops::Range;

use super::lessons::Lessons;
use super::points;
use super::weights::Weights;
use bestmove_engine::nn::NetworkShape;
use fastrand::Rng;

/// So many steps lead up to the largest.
const FIRST_STEPS: i32 = 50;
/// The last of so many parts of the positions is not learned from, but tells how well the others were
/// understood.
const CONTROL: usize = 20;

/// How to go through the positions.
#[derive(Clone, Copy)]
pub(super) struct Course {
    /// How often.
    pub epochs: u32,
    /// How many a step looks at.
    pub batch: usize,
    /// The largest step of each weight; the last one is 0.
    pub step: f32,
}

/// The way down to the best networks.
pub(super) struct Descent {
    pub weights: Vec<Weights>,
    /// The running means of the gradient and of its square.
    means: [Vec<Weights>; 2],
    shape: NetworkShape,
    steps: i32,
}

impl Descent {
    /// From these weights.
    pub(super) fn new(weights: Vec<Weights>, shape: NetworkShape) -> Self {
        Self { weights, means: [zero(shape), zero(shape)], shape, steps: 0 }
    }

    pub(super) fn descend(&mut self, lessons: &Lessons, course: Course, random: &mut Rng) {
        let Course { epochs, batch, step } = course;
        let all = lessons.len();
        let mut order: Vec<_> = (0..(all - all / CONTROL) as u32).collect();
        let control = order.len()..all;
        println!("{} positions, error {:.5}", order.len(), self.error(lessons, control.clone()));
        let steps = epochs * order.len().div_ceil(batch) as u32;
        for epoch in 1..=epochs {
            random.shuffle(&mut order);
            for part in order.chunks(batch) {
                let gradient = self.gradient(lessons, part);
                let left = (steps - self.steps as u32) as f32 / steps as f32;
                let risen = ((self.steps + 1) as f32 / FIRST_STEPS as f32).min(1.0);
                self.step(gradient, step * left * risen);
            }
            println!("epoch {epoch}, error {:.5}", self.error(lessons, control.clone()));
        }
    }

    /// How far the expected points lie off, as the root of the mean square.
    pub(super) fn error(&self, lessons: &Lessons, numbers: Range<usize>) -> f64 {
        let count = numbers.len().max(1) as f64;
        let squares = numbers.map(|number| {
            let (features, lesson) = lessons.get(number);
            let thought = self.weights[lesson.network as usize].think(features);
            f64::from(points(lesson.score + thought.output) - lesson.target).powi(2)
        });
        (squares.sum::<f64>() / count).sqrt()
    }

    /// The gradient of the cross entropy over a batch.
    fn gradient(&self, lessons: &Lessons, batch: &[u32]) -> Vec<Weights> {
        let mut gradient = zero(self.shape);
        for &number in batch {
            let (features, lesson) = lessons.get(number as usize);
            let network = lesson.network as usize;
            let weights = &self.weights[network];
            let thought = weights.think(features);
            let excess = points(lesson.score + thought.output) - lesson.target;
            gradient[network].learn(weights, features, &thought, excess / batch.len() as f32);
        }
        gradient
    }

    /// One step of Adam, of at most about `size`.
    fn step(&mut self, gradient: Vec<Weights>, size: f32) {
        const KEPT: [f32; 2] = [0.9, 0.999];
        const TINY: f32 = 1e-8;
        self.steps += 1;
        let unbiased = KEPT.map(|kept| 1.0 - kept.powi(self.steps));
        let [means, squares] = &mut self.means;
        let averages = means.iter_mut().zip(squares);
        for ((weights, (means, squares)), mut gradient) in
            self.weights.iter_mut().zip(averages).zip(gradient)
        {
            let scales = weights.scales();
            let averages = means.all().zip(squares.all());
            let state = weights.all().zip(scales).zip(averages).zip(gradient.all());
            for (((weight, scale), (mean, square)), slope) in state {
                *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * *slope;
                *square = KEPT[1] * *square + (1.0 - KEPT[1]) * *slope * *slope;
                let step = size * (*mean / unbiased[0]) / ((*square / unbiased[1]).sqrt() + TINY);
                *weight = (*weight - step).clamp(-scale.largest, scale.largest);
            }
        }
    }
}

/// A zero for each weight of such networks.
fn zero(shape: NetworkShape) -> Vec<Weights> {
    (0..shape.count).map(|_| Weights::zero(shape.features)).collect()
}
