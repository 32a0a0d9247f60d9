//! The value of a position in a search.

use std::ops::Neg;

use super::{Outcome, Position};

/// A value from the view of the side to move.
///
/// In ascending order: lost in few plies, lost in many, lost at an unknown distance, heuristic
/// scores with a draw among them at 0, won at an unknown distance, won in many plies, won in few.
/// So the winner hurries and the loser delays by plain comparison.
///
/// In games that count, a margin takes the place of the distance: won by little lies above won at an unknown distance,
/// won by more above it. No such score depends on the plies to the end.
///
/// Every value has a negation: the representation is symmetric, and all constructors keep to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(i16);

/// A win on the spot. A win in some plies is less by the number of plies.
const WON: i16 = 32_000;
/// The greatest distance in plies. A win that is further off counts as a win at this distance.
const MAX_PLIES: i16 = 2_000;
/// A win at an unknown distance.
const KNOWN_WIN: i16 = 29_500;
/// The largest margin.
const MAX_MARGIN: i16 = 499;
/// The largest heuristic score.
const MAX_HEURISTIC: i16 = 29_000;

impl Score {
    /// A draw, and the middle of the heuristic scores.
    pub const DRAWN: Self = Self(0);
    /// Better than every value of a position: an open end of a search window.
    pub const INFINITE: Self = Self(WON + 1);
    /// A win at an unknown distance.
    pub const KNOWN_WIN: Self = Self(KNOWN_WIN);

    /// A static evaluation, clamped to plus or minus 29000.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert_eq!(Score::heuristic(1_000_000), Score::heuristic(29_000));
    /// ```
    #[must_use]
    pub fn heuristic(score: i32) -> Self {
        Self(score.clamp(-(MAX_HEURISTIC as i32), MAX_HEURISTIC as i32) as i16)
    }

    /// A win in `plies` plies.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert!(Score::won_in(1) > Score::won_in(3) && Score::won_in(99) > Score::heuristic(29_000));
    /// ```
    #[must_use]
    pub fn won_in(plies: u32) -> Self {
        Self(WON - plies.min(MAX_PLIES as u32) as i16)
    }

    /// A loss in `plies` plies.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert_eq!(Score::lost_in(2), -Score::won_in(2));
    /// ```
    #[must_use]
    pub fn lost_in(plies: u32) -> Self {
        -Self::won_in(plies)
    }

    /// A win by this margin, from 1 to 499.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert!(Score::won_by(10) > Score::won_by(2) && Score::won_by(2) > Score::KNOWN_WIN);
    /// assert_eq!(Score::won_by(1000), Score::won_by(499));
    /// ```
    #[must_use]
    pub fn won_by(margin: u32) -> Self {
        Self(KNOWN_WIN + margin.clamp(1, MAX_MARGIN as u32) as i16)
    }

    /// The value of a `position` in which a game has ended `ply` plies below the root.
    ///
    /// ```
    /// use bestmove_engine::game::{Game, Notation, Outcome, PositionError, PositionText, Score};
    /// use bestmove_engine::games::{othello::Othello, tic_tac_toe::TicTacToe};
    /// let text = |text: &str| PositionText::Text(text.to_owned());
    /// let lost = TicTacToe::STANDARD.read_position(&text("XXXOO.... O"))?;
    /// assert_eq!(Score::of_end(&lost, Outcome::Loss, 5), Score::lost_in(5));
    /// // Black has all 16 squares, however long it took.
    /// let won = Othello::Four.read_position(&text("XXXXXXXXXXXXXXXX X"))?;
    /// assert_eq!(Score::of_end(&won, Outcome::Win, 5), Score::won_by(16));
    /// # Ok::<_, PositionError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn of_end<P: Position>(position: &P, outcome: Outcome, ply: u32) -> Self {
        match outcome {
            _ if P::PROPERTIES.margin_step == 0 => Self::ended(outcome, ply),
            Outcome::Win => Self::won_by(position.margin()),
            Outcome::Draw => Self::DRAWN,
            Outcome::Loss => -Self::won_by(position.margin()),
        }
    }

    /// The value of a game without margins that ended `ply` plies below the root.
    ///
    /// ```
    /// use bestmove_engine::game::{Outcome, Score};
    /// assert_eq!(Score::ended(Outcome::Loss, 4), Score::lost_in(4));
    /// ```
    #[must_use]
    pub fn ended(outcome: Outcome, ply: u32) -> Self {
        match outcome {
            Outcome::Win => Self::won_in(ply),
            Outcome::Draw => Self::DRAWN,
            Outcome::Loss => Self::lost_in(ply),
        }
    }

    /// Whether this is a proven win.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert!(Score::won_in(9).is_won() && !Score::heuristic(29_000).is_won());
    /// ```
    #[must_use]
    pub const fn is_won(self) -> bool {
        self.0 >= KNOWN_WIN
    }

    /// Whether this is a proven loss.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert!(Score::lost_in(9).is_lost() && !Score::DRAWN.is_lost());
    /// ```
    #[must_use]
    pub const fn is_lost(self) -> bool {
        self.0 <= -KNOWN_WIN
    }

    /// The plies to the end of a proven win or loss, where they are known.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert_eq!((Score::won_in(3).plies(), Score::DRAWN.plies()), (Some(3), None));
    /// ```
    #[must_use]
    pub const fn plies(self) -> Option<u32> {
        let plies = WON - self.0.abs();
        if plies >= 0 && plies <= MAX_PLIES { Some(plies as u32) } else { None }
    }

    /// The margin of a proven win, or of a proven loss as a negative number, where there is one.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert_eq!((-Score::won_by(12)).margin(), Some(-12));
    /// assert_eq!(Score::won_in(12).margin(), None);
    /// ```
    #[must_use]
    pub const fn margin(self) -> Option<i32> {
        match self.0.abs() - KNOWN_WIN {
            margin @ 1..=MAX_MARGIN => Some((margin * self.0.signum()) as i32),
            _ => None,
        }
    }

    /// The same value with its distance counted from a position `ply` plies further down, as a
    /// table keeps it.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert_eq!(Score::won_in(5).seen_from(2), Score::won_in(3));
    /// ```
    #[must_use]
    pub fn seen_from(self, ply: u32) -> Self {
        self.moved(ply as i16)
    }

    /// The inverse of [`seen_from`](Self::seen_from): the distance counted from the root again.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert_eq!(Score::won_in(3).seen_from_root(2), Score::won_in(5));
    /// ```
    #[must_use]
    pub fn seen_from_root(self, ply: u32) -> Self {
        self.moved(-(ply as i16))
    }

    fn moved(self, nearer: i16) -> Self {
        match self.plies() {
            Some(_) if self.0 > 0 => Self((self.0 + nearer).clamp(WON - MAX_PLIES, WON)),
            Some(_) => Self((self.0 - nearer).clamp(-WON, MAX_PLIES - WON)),
            None => self,
        }
    }

    /// The next better value: the upper end of the null window that starts at this value.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert!(Score::DRAWN.successor() > Score::DRAWN);
    /// ```
    #[must_use]
    pub fn successor(self) -> Self {
        Self((self.0 + 1).min(WON + 1))
    }

    /// The next worse value.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert_eq!(Score::DRAWN.predecessor().successor(), Score::DRAWN);
    /// ```
    #[must_use]
    pub fn predecessor(self) -> Self {
        -(-self).successor()
    }

    /// The number that stands for this value on the evaluator's scale: proven results lie beyond
    /// every heuristic score, nearer ones further out.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert_eq!((Score::heuristic(-40).number(), Score::DRAWN.number()), (-40, 0));
    /// ```
    #[must_use]
    pub const fn number(self) -> i32 {
        self.0 as i32
    }

    /// The score on a scale from -1 (lost) to 1 (won): `score / (|score| + k)`, proven results
    /// exactly -1 and 1. It is for display; reviews and levels use [`expected_points`]. Equal on every processor, since
    /// IEEE 754 rounds a quotient correctly.
    ///
    /// ```
    /// use bestmove_engine::game::Score;
    /// assert_eq!((Score::heuristic(100).value(100), Score::won_in(7).value(100)), (0.5, 1.0));
    /// ```
    #[must_use]
    pub fn value(self, k: i32) -> f64 {
        if self.is_won() {
            1.0
        } else if self.is_lost() {
            -1.0
        } else {
            f64::from(self.0) / (f64::from(self.0.abs()) + f64::from(k))
        }
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// The points that a side may expect of a game by its `score`, 1 for a win and ½ for a draw: three quarters at
/// the evaluator's half value. It is the curve on which the weights were trained, and equal on every processor.
///
/// ```
/// use bestmove_engine::game::expected_points;
/// assert!((expected_points(100.0, 100) - 0.75).abs() < 1e-9 && expected_points(0.0, 100) == 0.5);
/// ```
#[must_use]
pub fn expected_points(score: f64, half_value: i32) -> f64 {
    1.0 / (1.0 + libm::pow(3.0, -score / f64::from(half_value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_as_a_player_would_order_them() {
        let ascending = [
            -Score::INFINITE,
            Score::lost_in(0),
            Score::lost_in(2),
            Score::lost_in(5_000),
            -Score::KNOWN_WIN,
            Score::heuristic(i32::MIN),
            Score::heuristic(-1),
            Score::DRAWN,
            Score::heuristic(1),
            Score::heuristic(i32::MAX),
            Score::KNOWN_WIN,
            Score::won_by(2),
            Score::won_by(64),
            Score::won_by(5_000),
            Score::won_in(5_000),
            Score::won_in(3),
            Score::won_in(1),
            Score::INFINITE,
        ];
        assert!(ascending.is_sorted_by(|a, b| a < b), "{ascending:?}");
        assert!(ascending.iter().all(|&score| -(-score) == score));
    }

    #[test]
    fn distances_survive_a_table() {
        for plies in [4, 5, 100] {
            for score in [Score::won_in(plies), Score::lost_in(plies)] {
                let kept = score.seen_from(3);
                assert_eq!(kept.plies(), Some(plies - 3));
                assert_eq!(kept.seen_from_root(3), score);
            }
        }
        for score in [Score::DRAWN, Score::heuristic(-70), Score::KNOWN_WIN, -Score::KNOWN_WIN] {
            assert_eq!(score.plies(), None);
            assert_eq!(score.seen_from(7).seen_from_root(7), score);
        }
    }

    #[test]
    fn a_margin_is_no_distance() {
        for score in [Score::won_by(1), Score::won_by(64), Score::won_by(499)] {
            assert_eq!((score.plies(), (-score).plies()), (None, None));
            assert_eq!((-score).margin(), score.margin().map(|margin| -margin));
            assert_eq!(score.seen_from(7).seen_from_root(3), score);
            assert!(score.is_won() && (-score).is_lost());
        }
        assert_eq!(Score::won_by(64).margin(), Some(64));
        for score in
            [Score::DRAWN, Score::KNOWN_WIN, Score::won_in(2_000), Score::heuristic(29_000)]
        {
            assert_eq!(score.margin(), None, "{score:?}");
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the promise is that the numbers are exact")]
    fn the_expected_result_is_exact_where_it_is_proven() {
        assert_eq!(Score::won_in(9).value(100), 1.0);
        assert_eq!((-Score::KNOWN_WIN).value(100), -1.0);
        assert_eq!(Score::DRAWN.value(100), 0.0);
        assert_eq!(Score::heuristic(100).value(100), 0.5);
    }
}
