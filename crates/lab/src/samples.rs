//! The positions that a tuner learns from.

use std::io::{self, BufRead};

use super::expectation::Expectation;
use super::record::{Record, no_game, texts};
use bestmove_engine::game::linear::Trace;
use bestmove_engine::games::any::{AnyGame, RequestError};
use fastrand::Rng;

/// Positions as a tuner sees them, without a pointer each.
#[derive(Default)]
pub(super) struct Samples {
    counts: Vec<(u16, i16)>,
    samples: Vec<Sample>,
}

/// A position.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// Where its counts end in the list of all.
    end: usize,
    /// The shares of opening and ending in its score.
    pub shares: [f64; 2],
    /// What the first side is expected to score, from 0 to 1.
    pub target: f64,
}

impl Samples {
    /// The quiet positions of the games in `lines`, one game a line.
    ///
    /// # Errors
    /// Where a line can't be read or is no game.
    pub(super) fn read(
        game: &dyn AnyGame,
        evaluator: Option<&str>,
        expectation: Expectation,
        lines: impl BufRead,
    ) -> io::Result<Self> {
        let mut samples = Self::default();
        read_games(lines, |record| {
            let targets = expectation.targets(record);
            let sink = &mut |number: usize, trace: Trace| {
                if let Some(target) = targets[number] {
                    samples.add(&trace, target);
                }
            };
            game.traces(evaluator, &texts(&record.moves), sink)
        })?;
        Ok(samples)
    }

    fn add(&mut self, trace: &Trace, target: f64) {
        self.counts.extend_from_slice(&trace.counts);
        let end = self.counts.len();
        self.samples.push(Sample { end, shares: trace.shares, target });
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// The position of this number: how often each weight counts, and the rest.
    pub(super) fn get(&self, number: usize) -> (&[(u16, i16)], Sample) {
        let start = number.checked_sub(1).map_or(0, |before| self.samples[before].end);
        let sample = self.samples[number];
        (&self.counts[start..sample.end], sample)
    }

    /// The numbers of all positions in an order drawn by lot.
    pub(super) fn shuffled(&self, random: &mut Rng) -> Vec<u32> {
        let mut order: Vec<_> = (0..self.len() as u32).collect();
        random.shuffle(&mut order);
        order
    }
}

/// Shows the games in `lines`, one a line, to a learner.
///
/// # Errors
/// Where a line can't be read or is no game, or the learner refuses it.
pub(super) fn read_games(
    lines: impl BufRead,
    mut learn: impl FnMut(&Record) -> Result<(), RequestError>,
) -> io::Result<()> {
    for (number, line) in lines.lines().enumerate() {
        let record: Record = line?.parse().map_err(|_| no_game(number))?;
        learn(&record).map_err(|_| no_game(number))?;
    }
    Ok(())
}
