//! The results of a match so far.
//!
//! Games are counted in pairs from one opening, sides changed: two games of a pair are not
//! independent, pairs are. The difference in Elo, its 95 % bounds and the likelihood ratio of the
//! sequential test follow from mean and variance of the pairs (Van den Bergh, *A Practical
//! Introduction to the GSPRT*, 2020).

use std::fmt::{self, Display};
use std::io;
use std::str::FromStr;

/// The results of a match, from the view of its first player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MatchResult {
    /// Games lost, drawn and won.
    games: [u32; 3],
    /// Pairs by the half points made in them, 0 to 4.
    pairs: [u32; 5],
}

/// The probability that a sequential test decides wrongly, in either direction.
const RISK: f64 = 0.05;

/// The normal distribution's 97.5 % quantile.
const CONFIDENCE: f64 = 1.96;

impl MatchResult {
    /// Adds the half points made in the two games of a pair.
    pub(super) fn add(&mut self, halves: [u32; 2]) {
        for half in halves {
            self.games[half as usize] += 1;
        }
        self.pairs[halves.iter().sum::<u32>() as usize] += 1;
    }

    /// The pairs played.
    pub(crate) fn pairs(&self) -> u32 {
        self.pairs.iter().sum()
    }

    /// The share of the points that the first player made, 0 to 1.
    pub(crate) fn score(&self) -> f64 {
        self.moments().0
    }

    /// Mean and variance of the score in a pair, 0 to 1.
    fn moments(&self) -> (f64, f64) {
        let count = f64::from(self.pairs().max(1));
        let scores =
            || (0_u8..).zip(self.pairs).map(|(halves, n)| (f64::from(halves) / 4.0, f64::from(n)));
        let mean = scores().map(|(score, n)| score * n).sum::<f64>() / count;
        let squares = scores().map(|(score, n)| (score - mean).powi(2) * n).sum::<f64>();
        (mean, squares / count)
    }

    /// The difference in Elo, and its error at 95 % confidence.
    pub(crate) fn elo(&self) -> (f64, f64) {
        let (mean, variance) = self.moments();
        let error = CONFIDENCE * (variance / f64::from(self.pairs().max(1))).sqrt();
        let (low, high) = (difference(mean - error), difference(mean + error));
        (difference(mean), (high - low) / 2.0)
    }

    /// The logarithm of the likelihood of the results at the difference `high`, divided by that at `low`.
    pub(crate) fn likelihood_ratio(&self, [low, high]: [f64; 2]) -> f64 {
        let (mean, variance) = self.moments();
        let (low, high) = (expected_score(low), expected_score(high));
        if variance == 0.0 {
            return 0.0;
        }
        f64::from(self.pairs()) * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// Whether the test between two differences accepts the second one; `None` while it is undecided.
    pub(crate) fn decision(&self, sprt: [f64; 2]) -> Option<bool> {
        let ratio = self.likelihood_ratio(sprt);
        let bound = ((1.0 - RISK) / RISK).ln();
        (ratio.abs() >= bound).then_some(ratio > 0.0)
    }
}

/// The expected score of a player who is ahead by `elo`.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference in Elo at which `score` is expected.
fn difference(score: f64) -> f64 {
    let score = score.clamp(1e-3, 1.0 - 1e-3);
    -400.0 * (1.0 / score - 1.0).log10()
}

impl FromStr for MatchResult {
    type Err = io::Error;

    /// Reads the half points of both games of each pair, a pair a line.
    fn from_str(text: &str) -> io::Result<Self> {
        let mut result = Self::default();
        for line in text.lines() {
            let halves = line.split(' ').map(|half| half.parse().ok().filter(|&half| half <= 2));
            let halves: Option<Vec<u32>> = halves.collect();
            let pair = halves.and_then(|halves| <[u32; 2]>::try_from(halves).ok());
            result.add(
                pair.ok_or_else(|| {
                    crate::error::invalid(&format!("'{line}' is no pair of games"))
                })?,
            );
        }
        Ok(result)
    }
}

impl Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lost, drawn, won] = self.games;
        let (elo, error) = self.elo();
        write!(f, "+{won} ={drawn} -{lost}, pairs {:?}: {elo:+.1} Elo +- {error:.1}", self.pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_the_points_are_191_elo() {
        let mut result = MatchResult::default();
        for _ in 0..100 {
            result.add([2, 1]);
        }
        let (elo, error) = result.elo();
        assert!((elo - 190.8).abs() < 0.1 && error == 0.0, "{result}");
    }

    #[test]
    fn a_test_decides_once_it_can_tell() {
        let mut result = MatchResult::default();
        assert_eq!(result.decision([0.0, 10.0]), None);
        for _ in 0..2_000 {
            result.add([2, 0]);
            result.add([2, 1]);
        }
        assert_eq!(result.decision([0.0, 10.0]), Some(true));
        let mut equal = MatchResult::default();
        for _ in 0..20_000 {
            equal.add([2, 0]);
            equal.add([1, 2]);
            equal.add([0, 1]);
        }
        assert_eq!(equal.decision([0.0, 10.0]), Some(false));
    }
}
