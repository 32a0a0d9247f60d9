//! What the positions of a game are expected to score.

use super::record::{Played, Record};

/// By what a learner judges the positions of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expectation {
    /// The share of the game's result; the rest is what the search of the position said. The result is
    /// right in the end, the search knows the position.
    pub result: f64,
}

/// Positions with a score from here on are decided and teach nothing, in hundredths of the half value.
pub(super) const DECIDED: i32 = 1000;

impl Expectation {
    /// What the first side is expected to score, from 0 to 1, before each move of a game; none where
    /// the move was drawn by lot or the game is decided.
    pub(super) fn targets(self, record: &Record) -> Vec<Option<f64>> {
        let result = record.result.share();
        let target = |(number, played): (usize, &Played)| {
            let score = played.score.filter(|score| score.abs() < DECIDED)?;
            // The sides move in turn, so that the number of a move tells whose it is.
            let score = if is_first(number) { score } else { -score };
            let said = expected_points(f64::from(score), 100);
            Some(self.result * result + (1.0 - self.result) * said)
        };
        record.moves.iter().enumerate().map(target).collect()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(expectation: Expectation, game: &str) -> Vec<Option<f64>> {
        expectation.targets(&game.parse().expect("a game"))
    }

    #[test]
    fn a_position_is_expected_to_score_what_its_own_search_and_the_result_say() {
        let expectation = Expectation { result: 0.5 };
        // 100 are three quarters of the points for the side that moves.
        let found = targets(expectation, "1 a b:100 c:100 d:-2000");
        assert_eq!(found, [None, Some(0.625), Some(0.875), None]);
    }
}
