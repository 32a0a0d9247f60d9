//! What the positions of a game are expected to score.

use super::record::Record;

/// By what a learner judges the positions of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expectation {
    /// The share of the game's result; the rest is what the searches said. The result is right in the
    /// end, the searches know the position.
    pub result: f64,
    /// How much less the search of each later ply counts than the one before it: λ of temporal
    /// differences (Sutton, *Learning to Predict by the Methods of Temporal Differences*, 1988). With
    /// 0, only the search of the position itself counts.
    pub decay: f64,
}

/// Positions with a score from here on are decided and teach nothing, in hundredths of the half value.
pub(super) const DECIDED: i32 = 1000;

impl Expectation {
    /// What the first side is expected to score, from 0 to 1, before each move of a game; none where
    /// the move was drawn by lot or the game is decided.
    pub(super) fn targets(self, record: &Record) -> Vec<Option<f64>> {
        // What comes of a position once it is played on from: the result and the searches on the way there.
        let mut later = Some([record.result.share(); 2]);
        let mut targets = vec![None; record.moves.len()];
        for (number, played) in record.moves.iter().enumerate().rev() {
            let Some(score) = played.score else {
                later = None;
                continue;
            };
            // The sides move in turn, so that the number of a move tells whose it is.
            let score = if is_first(number) { score } else { -score };
            let now = expected_points(f64::from(score), 100);
            let [result, from_here] = later.unwrap_or([now; 2]);
            let from_here = (1.0 - self.decay) * now + self.decay * from_here;
            if score.abs() < DECIDED {
                targets[number] = Some(self.result * result + (1.0 - self.result) * from_here);
            }
            later = Some([result, from_here]);
        }
        targets
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
        let expectation = Expectation { result: 0.5, decay: 0.0 };
        // 100 are three quarters of the points for the side that moves.
        let found = targets(expectation, "1 a b:100 c:100 d:-2000");
        assert_eq!(found, [None, Some(0.625), Some(0.875), None]);
    }

    #[test]
    fn what_came_after_a_move_by_lot_tells_nothing_of_what_was_before() {
        let expectation = Expectation { result: 0.25, decay: 0.5 };
        let found = targets(expectation, "1 a:100 b c:-300 d:300");
        assert_eq!(found[..2], [Some(0.75), None]);
    }

    #[test]
    fn later_searches_count_less_from_ply_to_ply_and_the_result_is_the_last_of_them() {
        let expectation = Expectation { result: 0.0, decay: 0.5 };
        let found = targets(expectation, "1 a b:100 c:100");
        assert_eq!(found, [None, Some(0.25 / 2.0 + 0.875 / 2.0), Some(0.75 / 2.0 + 1.0 / 2.0)]);
    }
}
