//! The targets of the positions of a game.

use bestmove_engine::game::expected_points;

use crate::record::{Played, Points, Record};

/// The score from which positions are decided and teach nothing, in hundredths of the half value.
pub(crate) const DECIDED: i32 = 1000;

/// The target of each position of a game: the points, from 0 to 1, that the first side is expected to score before each move;
/// `None` where the move was random or the game is decided. It is the mean of the score of the search of the position and, with
/// the weight `lambda`, of the same mean of the next position, behind the last one of the result (Sutton, *Learning to Predict by
/// the Methods of Temporal Differences*, 1988). Nothing is told of a position by what follows a random move. The result of the
/// game is mixed in with the weight `result_share`.
pub(crate) fn targets(record: &Record, lambda: f64, result_share: f64) -> Vec<Option<f64>> {
    let mix = |share: f64, other: Option<f64>, points: f64| {
        other.map_or(points, |other| share * other + (1.0 - share) * points)
    };
    let result = record.result.map(Points::share);
    let mut following = result;
    let target = |(number, played): (usize, &Played)| {
        let score = played.score.map(|score| if is_first(number) { score } else { -score });
        following =
            score.map(|score| mix(lambda, following, expected_points(f64::from(score), 100)));
        let points = following.filter(|_| score.is_some_and(|score| score.abs() < DECIDED));
        points.map(|points| mix(result_share, result, points))
    };
    let mut targets: Vec<_> = record.moves.iter().enumerate().rev().map(target).collect();
    targets.reverse();
    targets
}

/// Whether the first side plays the move with this number. The sides move in turn.
pub(crate) fn is_first(number: usize) -> bool {
    number.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_the_mean_of_the_search_of_the_position_and_the_next_target() {
        let record = "1 a b:100 c:100 d:-2000".parse().expect("a game");
        // 100 are three quarters of the points for the side that moves.
        assert_eq!(targets(&record, 0.0, 0.0), [None, Some(0.25), Some(0.75), None]);
        let record = "1 a b:100 c:100 d:-100".parse().expect("a game");
        assert_eq!(targets(&record, 0.5, 0.0), [None, Some(0.53125), Some(0.8125), Some(0.875)]);
        let record = "? a b:100".parse().expect("a game");
        assert_eq!(targets(&record, 0.5, 0.0), [None, Some(0.25)]);
    }

    #[test]
    fn what_follows_a_random_move_tells_nothing_of_the_positions_before_it() {
        let record = "1 a:100 b:-100 c d:100".parse().expect("a game");
        assert_eq!(targets(&record, 0.5, 0.0), [Some(0.75), Some(0.75), None, Some(0.625)]);
    }

    #[test]
    fn the_result_has_its_share_in_every_target_of_a_game_that_has_one() {
        let record = "1 a:100 b c:-100".parse().expect("a game");
        assert_eq!(targets(&record, 0.0, 0.5), [Some(0.875), None, Some(0.625)]);
        let record = "? a:100".parse().expect("a game");
        assert_eq!(targets(&record, 0.0, 0.5), [Some(0.75)]);
    }
}
