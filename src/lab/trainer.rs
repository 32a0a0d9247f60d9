//! Finds the network of an evaluation: the one that foretells best what the sum of weights does not, or
//! how far off the end of decided positions is.
//!
//! Logistic regression on quiet positions as in the tuner, by back-propagation and Adam (Kingma and Ba,
//! *Adam: A Method for Stochastic Optimization*, 2015). All is computed on one thread and in an order
//! that the seed draws, so the same games and the same seed give the same network.

#![expect(
    clippy::cast_precision_loss,
    reason = "counts of positions become shares, and weights are small numbers"
)]

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::expectation::{Expectation, is_first, slope};
use super::record::texts;
use super::samples::read_games;
use crate::game::Lot;
use crate::game::network::{
    Features, HALF_WAY, HIDDEN, LARGEST, LOGIT, ONE, PLIES_OF_LOGIT, Sight,
};
use crate::game::random::Random;
use crate::games::any::AnyGame;

/// From what a network learns.
#[derive(Clone, Debug)]
pub enum School {
    /// Games, which tell how good a position is.
    Games {
        /// The evaluator; the game's first where nothing is said.
        evaluator: Option<String>,
        /// Where they are, one a line.
        file: PathBuf,
    },
    /// Decided positions with few pieces, which tell how far off the end is.
    Endings(Lot),
}

impl School {
    /// How many positions a step looks at. Smaller steps are more of them in the same time: after five
    /// epochs searches are foretold to within 0.082 by 1024, to within 0.085 by 8192.
    fn batch(&self) -> usize {
        match self {
            Self::Games { .. } => 1024,
            Self::Endings(_) => 8192,
        }
    }
}

/// From what to find a network, and how.
#[derive(Clone, Debug)]
pub struct Training {
    /// What to learn from.
    pub school: School,
    /// The seed of the first weights and of the order in which the positions are seen.
    pub seed: u64,
    /// How often to see every position.
    pub epochs: u32,
    /// The file of the network to go on from; random weights where nothing is said.
    pub from: Option<PathBuf>,
}

/// What positions are expected to score: what their own search says. The results of games of a thousand
/// positions a move, and what their next searches say, are further from what good play makes of a position.
const EXPECTATION: Expectation = Expectation { result: 0.0 };
/// The first step of each weight; the last one is 0.
const STEP: f32 = 1.5e-3;
/// The first weights of the hidden layer lie within plus or minus this.
const SPREAD: f32 = 0.45;
/// The last of so many parts of the positions is not learned from, but tells how well the others were
/// understood.
const CONTROL: usize = 20;

impl Training {
    /// Writes the network to `file`; shows on standard output how well it foretells.
    ///
    /// # Errors
    /// Where there is no such game or evaluator, it has no network, or a file can't be read or
    /// written.
    pub fn train(&self, name: &str, file: &Path) -> io::Result<()> {
        let game = super::game(name)?;
        let (lessons, features) = match &self.school {
            School::Games { evaluator, file } => {
                let lines = BufReader::new(File::open(file)?);
                Lessons::of_games(game, evaluator.as_deref(), lines)?
            }
            &School::Endings(lot) => Lessons::of_endings(game, lot)?,
        };
        let mut random = Random::new(self.seed);
        let weights = match &self.from {
            None => Weights::random(features, &mut random),
            Some(file) => Weights::read(&fs::read(file)?, features)
                .ok_or_else(|| io::Error::other(format!("{}: no such network", file.display())))?,
        };
        let mut descent = Descent::new(weights);
        let course = Course { epochs: self.epochs, batch: self.school.batch() };
        descent.descend(&lessons, course, &mut random);
        fs::write(file, descent.weights.written())
    }
}

/// Positions as a trainer sees them, without a pointer each.
#[derive(Default)]
struct Lessons {
    features: Vec<u16>,
    lessons: Vec<Lesson>,
}

/// A position, from the view of the side to move.
#[derive(Clone, Copy)]
struct Lesson {
    /// Where its features end in the list of all.
    end: usize,
    /// What the sum of weights says, as the logarithm of the odds.
    score: f32,
    /// What the side to move is expected to score, from 0 to 1.
    target: f32,
}

impl Lessons {
    /// The quiet positions of games, and how many features there are.
    fn of_games(
        game: &dyn AnyGame,
        evaluator: Option<&str>,
        lines: impl BufRead,
    ) -> io::Result<(Self, usize)> {
        let refused = |reason: String| io::Error::new(io::ErrorKind::InvalidInput, reason);
        let model = game.model(evaluator).map_err(|refusal| refused(format!("{refusal:?}")))?;
        if model.features == 0 {
            return Err(refused("there is no network in the score".to_owned()));
        }
        let slope = slope(model.half_value);
        let mut lessons = Self::default();
        read_games(lines, |record| {
            let targets = EXPECTATION.targets(record);
            let sink = &mut |number: usize, sight: Sight| {
                let Some(target) = targets[number] else { return };
                let target = if is_first(number) { target } else { 1.0 - target };
                let score = f64::from(sight.score) * slope;
                lessons.add(&sight.features, score as f32, target as f32);
            };
            game.sights(evaluator, &texts(&record.moves), sink)
        })?;
        Ok((lessons, model.features))
    }

    /// Decided positions, and how many features there are: the nearer the end, the more points.
    fn of_endings(game: &dyn AnyGame, lot: Lot) -> io::Result<(Self, usize)> {
        let mut lessons = Self::default();
        let features = game.draw_endings(lot, &mut |features, plies| {
            let logit = (HALF_WAY as f32 - plies as f32) / PLIES_OF_LOGIT as f32;
            lessons.add(&features, 0.0, points(logit));
        })?;
        Ok((lessons, features))
    }

    fn add(&mut self, features: &Features, score: f32, target: f32) {
        self.features.extend_from_slice(features.as_slice());
        self.lessons.push(Lesson { end: self.features.len(), score, target });
    }

    /// The features of the position of this number, and the rest.
    fn get(&self, number: usize) -> (&[u16], Lesson) {
        let start = number.checked_sub(1).map_or(0, |before| self.lessons[before].end);
        let lesson = self.lessons[number];
        (&self.features[start..lesson.end], lesson)
    }
}

/// The hidden units.
type Units = [f32; HIDDEN];

/// The weights of a network, or one number for each of them.
struct Weights {
    /// A row for each feature, and one that always counts.
    rows: Vec<Units>,
    outputs: Units,
}

impl Weights {
    fn zero(features: usize) -> Self {
        Self { rows: vec![[0.0; HIDDEN]; features + 1], outputs: [0.0; HIDDEN] }
    }

    fn random(features: usize, random: &mut Random) -> Self {
        let mut weights = Self::zero(features);
        for weight in weights.rows.iter_mut().flatten() {
            *weight = SPREAD * ((random.next() >> 40) as f32 / (1 << 23) as f32 - 1.0);
        }
        weights
    }

    /// The weights that [`written`](Self::written) wrote; none where there are more or fewer.
    fn read(bytes: &[u8], features: usize) -> Option<Self> {
        let mut weights = Self::zero(features);
        let numbers = bytes.as_chunks().0;
        let all = weights.rows.len() * HIDDEN + HIDDEN;
        let hidden = std::iter::repeat_n(ONE, all - HIDDEN);
        let units = hidden.chain(std::iter::repeat_n(LOGIT, HIDDEN));
        for ((weight, number), unit) in weights.all().zip(numbers).zip(units) {
            *weight = f32::from(i16::from_le_bytes(*number)) / unit as f32;
        }
        (bytes.len() == all * size_of::<i16>()).then_some(weights)
    }

    /// The network in whole numbers, as
    /// [`Network::read`](crate::game::network::Network::read) reads it.
    fn written(&self) -> Vec<u8> {
        let rows = self.rows.iter().map(|row| (row, ONE));
        let rows = rows.chain([(&self.outputs, LOGIT)]);
        let whole = |weight: &f32, unit: i32| (weight * unit as f32).round() as i16;
        rows.flat_map(|(row, unit)| {
            row.iter().flat_map(move |weight| whole(weight, unit).to_le_bytes())
        })
        .collect()
    }

    fn all(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.iter_mut().flatten().chain(&mut self.outputs)
    }

    /// The rows that these features add up, the one that always counts with them.
    fn rows_of(&self, features: &[u16]) -> impl Iterator<Item = usize> {
        features.iter().map(|&feature| usize::from(feature)).chain([self.rows.len() - 1])
    }

    /// The hidden units for these features, cut off.
    fn units(&self, features: &[u16]) -> Units {
        let mut units = [0.0; HIDDEN];
        for row in self.rows_of(features) {
            for (unit, weight) in units.iter_mut().zip(&self.rows[row]) {
                *unit += weight;
            }
        }
        units.map(|unit: f32| unit.clamp(0.0, 1.0))
    }

    fn output(&self, units: &Units) -> f32 {
        units.iter().zip(&self.outputs).map(|(unit, weight)| unit * unit * weight).sum()
    }

    /// Adds the gradient of a position whose score is off by `excess`.
    fn add_gradient(&mut self, of: &Self, features: &[u16], units: &Units, excess: f32) {
        let mut slopes = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            let value = units[unit];
            self.outputs[unit] += excess * value * value;
            let is_cut_off = value <= 0.0 || value >= 1.0;
            slopes[unit] = if is_cut_off { 0.0 } else { excess * 2.0 * value * of.outputs[unit] };
        }
        for row in of.rows_of(features) {
            for (sum, slope) in self.rows[row].iter_mut().zip(&slopes) {
                *sum += slope;
            }
        }
    }
}

/// How to go through the positions.
#[derive(Clone, Copy)]
struct Course {
    /// How often.
    epochs: u32,
    /// How many a step looks at.
    batch: usize,
}

/// The way down to the best network.
struct Descent {
    weights: Weights,
    /// The running means of the gradient and of its square.
    means: [Weights; 2],
    steps: i32,
}

impl Descent {
    fn new(weights: Weights) -> Self {
        let features = weights.rows.len() - 1;
        let means = [Weights::zero(features), Weights::zero(features)];
        Self { weights, means, steps: 0 }
    }

    fn descend(&mut self, lessons: &Lessons, course: Course, random: &mut Random) {
        let Course { epochs, batch } = course;
        let all = lessons.lessons.len();
        let mut order: Vec<_> = (0..(all - all / CONTROL) as u32).collect();
        let control = order.len()..all;
        println!("{} positions, error {:.5}", order.len(), self.error(lessons, control.clone()));
        let steps = epochs * order.len().div_ceil(batch) as u32;
        for epoch in 1..=epochs {
            random.shuffle(&mut order);
            for part in order.chunks(batch) {
                let gradient = self.gradient(lessons, part);
                let left = (steps - self.steps as u32) as f32 / steps as f32;
                self.step(gradient, STEP * left);
            }
            println!("epoch {epoch}, error {:.5}", self.error(lessons, control.clone()));
        }
    }

    /// How far the expected points lie off, as the root of the mean square.
    fn error(&self, lessons: &Lessons, numbers: std::ops::Range<usize>) -> f64 {
        let count = numbers.len().max(1) as f64;
        let squares = numbers.map(|number| {
            let (features, lesson) = lessons.get(number);
            let score = lesson.score + self.weights.output(&self.weights.units(features));
            f64::from(points(score) - lesson.target).powi(2)
        });
        (squares.sum::<f64>() / count).sqrt()
    }

    /// The gradient of the cross entropy over a batch.
    fn gradient(&self, lessons: &Lessons, batch: &[u32]) -> Weights {
        let mut gradient = Weights::zero(self.weights.rows.len() - 1);
        for &number in batch {
            let (features, lesson) = lessons.get(number as usize);
            let units = self.weights.units(features);
            let score = lesson.score + self.weights.output(&units);
            let excess = (points(score) - lesson.target) / batch.len() as f32;
            gradient.add_gradient(&self.weights, features, &units, excess);
        }
        gradient
    }

    /// One step of Adam, of at most about `size`.
    fn step(&mut self, mut gradient: Weights, size: f32) {
        const KEPT: [f32; 2] = [0.9, 0.999];
        const TINY: f32 = 1e-8;
        self.steps += 1;
        let largest = LARGEST as f32 / ONE as f32;
        let unbiased = KEPT.map(|kept| 1.0 - kept.powi(self.steps));
        let [means, squares] = &mut self.means;
        let state = self.weights.all().zip(means.all().zip(squares.all())).zip(gradient.all());
        for ((weight, (mean, square)), slope) in state {
            *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * *slope;
            *square = KEPT[1] * *square + (1.0 - KEPT[1]) * *slope * *slope;
            let step = size * (*mean / unbiased[0]) / ((*square / unbiased[1]).sqrt() + TINY);
            *weight = (*weight - step).clamp(-largest, largest);
        }
    }
}

/// The points expected at this logarithm of the odds.
fn points(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::network::Network;

    /// Positions of two features, of which exactly one is good to have: no sum of two weights can say
    /// that.
    fn lessons() -> Lessons {
        let mut lessons = Lessons::default();
        for (features, target) in [(&[][..], 0.2), (&[0], 0.8), (&[1], 0.8), (&[0, 1], 0.2)] {
            for _ in 0..100 {
                lessons.features.extend_from_slice(features);
                let end = lessons.features.len();
                lessons.lessons.push(Lesson { end, score: 0.0, target });
            }
        }
        lessons
    }

    fn trained(epochs: u32, seed: u64) -> Descent {
        let mut random = Random::new(seed);
        let mut descent = Descent::new(Weights::random(2, &mut random));
        descent.descend(&lessons(), Course { epochs, batch: 8192 }, &mut random);
        descent
    }

    #[test]
    fn it_learns_what_no_sum_can_say() {
        let (lessons, before, after) = (lessons(), trained(0, 1), trained(2000, 1));
        let error = |descent: &Descent| descent.error(&lessons, 0..400);
        assert!(error(&before) > 0.29 && error(&after) < 0.03, "{}", error(&after));
    }

    #[test]
    fn the_network_that_is_written_says_what_was_learned() {
        let descent = trained(2000, 1);
        let network = Network::<2>::read(&descent.weights.written());
        for features in [&[][..], &[0], &[1], &[0, 1]] {
            let learned = descent.weights.output(&descent.weights.units(features));
            let said = network.output(features) as f32 / LOGIT as f32;
            assert!((learned - said).abs() < 0.05, "{features:?}: {learned} {said}");
        }
    }

    #[test]
    fn a_network_that_is_read_is_the_one_that_was_written() {
        let written = trained(3, 1).weights.written();
        let read = Weights::read(&written, 2).map(|weights| weights.written());
        assert!(read.as_ref() == Some(&written));
        assert!(Weights::read(&written, 3).is_none() && Weights::read(&written[2..], 2).is_none());
    }

    #[test]
    fn the_same_seed_gives_the_same_network() {
        let written = |seed| trained(3, seed).weights.written();
        assert!(written(1) == written(1));
        assert!(written(1) != written(2));
    }
}
