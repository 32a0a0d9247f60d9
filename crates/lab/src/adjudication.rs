//! Adjudication: the early end of a game whose result both sides have long agreed on.

use crate::record::Points;

/// When a game is adjudicated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adjudication {
    /// The value, -1 to 1, from which a side expects to win or to lose.
    pub decided: f64,
    /// The plies for which both sides have to expect the same result.
    pub plies: u32,
    /// When an even game is drawn, if ever.
    pub even: Option<Even>,
}

/// When an even game is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Even {
    /// The largest value of an even position.
    pub value: f64,
    /// The plies for which all positions have to be even.
    pub plies: u32,
    /// The plies that have to be played before the rule holds.
    pub after: u32,
}

/// The judgements of both players so far.
pub(crate) struct Adjudicator {
    rule: Adjudication,
    /// The points that the first side is expected to make; `None` where the game is open.
    expected: Option<Points>,
    /// The plies for which both sides have expected that.
    plies: u32,
    /// The plies for which the game has been even.
    even: u32,
    played: u32,
}

impl Adjudicator {
    pub(crate) fn new(rule: Adjudication) -> Self {
        Self { rule, expected: None, plies: 0, even: 0, played: 0 }
    }

    /// Counts one more ply, with the value for the side to move and whether it is a proven draw. Returns the points
    /// of the first side once enough plies have agreed.
    pub(crate) fn judge(&mut self, is_first: bool, value: f64, is_draw: bool) -> Option<Points> {
        let expected = match value {
            value if value.abs() < self.rule.decided => is_draw.then_some(Points::Half),
            value if (value > 0.0) == is_first => Some(Points::All),
            _ => Some(Points::None),
        };
        self.plies = if expected == self.expected { self.plies + 1 } else { 1 };
        self.expected = expected;
        self.played += 1;
        let is_even = self.rule.even.is_some_and(|even| self.judge_even(even, value));
        let agreed = expected.filter(|_| self.plies >= self.rule.plies);
        agreed.or(is_even.then_some(Points::Half))
    }

    /// Counts a ply with `value`, and returns whether the game has been even for long enough.
    fn judge_even(&mut self, rule: Even, value: f64) -> bool {
        let counts = self.played > rule.after && value.abs() <= rule.value;
        self.even = if counts { self.even + 1 } else { 0 };
        self.even >= rule.plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Adjudication = Adjudication {
        decided: 0.8,
        plies: 8,
        even: Some(Even { value: 0.02, plies: 20, after: 30 }),
    };

    /// What the side to move says at each ply of a game in which the first side gets this.
    fn judged(result: Option<Points>, ply: u32) -> (bool, f64, bool) {
        let is_first = ply.is_multiple_of(2);
        let value = match result {
            None => 0.79,
            Some(Points::Half) => 0.0,
            Some(Points::All) => 0.9,
            Some(Points::None) => -0.9,
        };
        (is_first, if is_first { value } else { -value }, result == Some(Points::Half))
    }

    fn with(game: &mut Adjudicator, result: Option<Points>, ply: u32) -> Option<Points> {
        let (is_first, value, is_draw) = judged(result, ply);
        game.judge(is_first, value, is_draw)
    }

    #[test]
    fn a_game_ends_once_both_sides_have_expected_the_same_for_long_enough() {
        for result in [Points::None, Points::Half, Points::All] {
            let mut game = Adjudicator::new(RULE);
            let other = if result == Points::Half { Points::All } else { Points::Half };
            for (ply, expected) in (0..).zip([Some(result), None, Some(other)]) {
                assert_eq!(with(&mut game, expected, ply), None);
            }
            for ply in 1..RULE.plies {
                assert_eq!(with(&mut game, Some(result), ply), None);
            }
            assert_eq!(with(&mut game, Some(result), RULE.plies), Some(result));
        }
    }

    #[test]
    fn a_game_is_drawn_once_it_has_been_even_for_long_enough() {
        let even =
            |game: &mut Adjudicator, ply: u32| game.judge(ply.is_multiple_of(2), 0.01, false);
        let mut game = Adjudicator::new(RULE);
        assert!((0..49).all(|ply| even(&mut game, ply).is_none()));
        assert_eq!(even(&mut game, 49), Some(Points::Half));
        // One position in which a side expects more begins the count anew.
        assert_eq!(game.judge(true, 0.03, false), None);
        assert!((0..19).all(|ply| even(&mut game, ply).is_none()));
        assert_eq!(even(&mut game, 19), Some(Points::Half));
    }

    #[test]
    fn a_game_that_is_open_goes_on() {
        let mut game = Adjudicator::new(RULE);
        assert!((0..10 * RULE.plies).all(|ply| with(&mut game, None, ply).is_none()));
    }
}
