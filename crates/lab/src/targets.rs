//! The targets of the positions of a game.

use crate::record::{Played, Points, Record};
use bestmove_engine::game::expected_points;

/// The score from which positions are decided and teach nothing, in hundredths of the half value.
pub(crate) const DECIDED: i32 = 1000;

/// The target of each position of a game: the points, from 0 to 1, that the first side is expected to score
/// before each move; `None` where the move was random or the game is decided. The result of the game has
/// the weight `result_share`, the search of the position the rest; without a result the search has all.
pub(crate) fn targets(record: &Record, result_share: f64) -> Vec<Option<f64>> {
    let target = |(number, played): (usize, &Played)| {
        let score = played.score.filter(|score| score.abs() < DECIDED)?;
        let score = if is_first(number) { score } else { -score };
        let searched = expected_points(f64::from(score), 100);
        let mixed =
            |result: Points| result_share * result.share() + (1.0 - result_share) * searched;
        Some(record.result.map_or(searched, mixed))
    };
    record.moves.iter().enumerate().map(target).collect()
}

/// Whether the first side plays the move with this number. The sides move in turn.
pub(crate) fn is_first(number: usize) -> bool {
    number.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_the_mean_of_the_result_and_the_search_of_the_position() {
        let record = "1 a b:100 c:100 d:-2000".parse().expect("a game");
        // 100 are three quarters of the points for the side that moves.
        assert_eq!(targets(&record, 0.5), [None, Some(0.625), Some(0.875), None]);
        let record = "? a b:100".parse().expect("a game");
        assert_eq!(targets(&record, 0.5), [None, Some(0.25)]);
    }
}
