//! Data sets: samples with their features and targets.

use std::io;
use std::path::PathBuf;

use crate::record::{Played, Record, no_game};
use crate::resumable::read_lines;
use bestmove_engine::game::expected_points;

/// Samples, each with any number of features, without an allocation for each.
pub(crate) struct DataSet<F, S> {
    features: Vec<F>,
    /// The samples, each with the end of its features in the list of all.
    samples: Vec<(usize, S)>,
}

impl<F, S> Default for DataSet<F, S> {
    fn default() -> Self {
        Self { features: Vec::new(), samples: Vec::new() }
    }
}

impl<F: Copy, S: Copy> DataSet<F, S> {
    pub(crate) const fn new() -> Self {
        Self { features: Vec::new(), samples: Vec::new() }
    }

    pub(crate) fn add(&mut self, features: &[F], sample: S) {
        self.features.extend_from_slice(features);
        self.samples.push((self.features.len(), sample));
    }

    /// The number of samples.
    pub(crate) fn len(&self) -> usize {
        self.samples.len()
    }

    /// The features of the sample of this number, and the sample.
    pub(crate) fn get(&self, number: usize) -> (&[F], S) {
        let start = number.checked_sub(1).map_or(0, |before| self.samples[before].0);
        let (end, sample) = self.samples[number];
        (&self.features[start..end], sample)
    }
}

/// Reads files with one game a line; `learn` gets each game.
pub(crate) fn read_games(
    files: &[PathBuf],
    mut learn: impl FnMut(&Record) -> io::Result<()>,
) -> io::Result<()> {
    for file in files {
        for (number, line) in read_lines(file)?.enumerate() {
            let record: Record = line?.parse().map_err(|_| no_game(number))?;
            learn(&record).map_err(|_| no_game(number))?;
        }
    }
    Ok(())
}

/// Positions with a score from here on are decided and teach nothing, in hundredths of the half value.
pub(crate) const DECIDED: i32 = 1000;

/// The target of each position of a game: the points, from 0 to 1, that the first side is expected to score
/// before each move; `None` where the move was random or the game is decided. The result of the game has
/// the weight `result_share`, the search of the position the rest.
pub(crate) fn targets(record: &Record, result_share: f64) -> Vec<Option<f64>> {
    let result = record.result.share();
    let target = |(number, played): (usize, &Played)| {
        let score = played.score.filter(|score| score.abs() < DECIDED)?;
        let score = if is_first(number) { score } else { -score };
        let searched = expected_points(f64::from(score), 100);
        Some(result_share * result + (1.0 - result_share) * searched)
    };
    record.moves.iter().enumerate().map(target).collect()
}

/// Whether the first side plays the move of this number. The sides move in turn.
pub(crate) fn is_first(number: usize) -> bool {
    number.is_multiple_of(2)
}

/// The factor from a score to the logarithm of the odds.
pub(crate) fn slope(half_value: i32) -> f64 {
    3.0_f64.ln() / f64::from(half_value)
}

/// The logistic function: the expected points at this logarithm of the odds.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_the_mean_of_the_result_and_the_search_of_the_position() {
        let record = "1 a b:100 c:100 d:-2000".parse().expect("a game");
        // 100 are three quarters of the points for the side that moves.
        assert_eq!(targets(&record, 0.5), [None, Some(0.625), Some(0.875), None]);
    }
}
