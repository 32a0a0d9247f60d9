//! The positions that a tuner learns from.

use std::io::{self, BufRead};

use super::record::{Record, texts};
use crate::game::linear::Trace;
use crate::game::random::Random;
use crate::games::any::{AnyGame, Refusal};

/// The share of the game's result in what a position is expected to score; the rest is what the
/// search said. The result is right in the end, the search knows the position.
const RESULT: f64 = 0.5;
/// Positions with a score from here on are decided and teach nothing, in hundredths of the half value.
const DECIDED: i32 = 1000;

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
        lines: impl BufRead,
    ) -> io::Result<Self> {
        let mut samples = Self::default();
        read_games(lines, |record| {
            let sink = &mut |number: usize, trace: Trace| {
                if let Some(target) = target(record, number) {
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
    pub(super) fn shuffled(&self, random: &mut Random) -> Vec<u32> {
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
    mut learn: impl FnMut(&Record) -> Result<(), Refusal>,
) -> io::Result<()> {
    for (number, line) in lines.lines().enumerate() {
        let no_game = || {
            let message = format!("line {} is no game", number + 1);
            io::Error::new(io::ErrorKind::InvalidData, message)
        };
        let record: Record = line?.parse().map_err(|_| no_game())?;
        learn(&record).map_err(|_| no_game())?;
    }
    Ok(())
}

/// What the first side is expected to score, from 0 to 1, in the position before the move of this
/// number; none where the move was drawn by lot or the game is decided.
pub(super) fn target(record: &Record, number: usize) -> Option<f64> {
    let score = record.moves[number].score.filter(|score| score.abs() < DECIDED)?;
    // The sides move in turn, so that the number of a move tells whose it is.
    let score = if is_first(number) { score } else { -score };
    let expected = expected_points(f64::from(score), 100);
    Some(RESULT * record.result.share() + (1.0 - RESULT) * expected)
}

/// Whether the first side plays the move of this number.
pub(super) fn is_first(number: usize) -> bool {
    number.is_multiple_of(2)
}

/// The points, from 0 to 1, that a side expects whose score is `score`: a logistic curve through
/// three quarters at the half value.
pub(super) fn expected_points(score: f64, half_value: i32) -> f64 {
    1.0 / (1.0 + (-score * slope(half_value)).exp())
}

/// The slope of that curve's exponent.
pub(super) fn slope(half_value: i32) -> f64 {
    3.0_f64.ln() / f64::from(half_value)
}
