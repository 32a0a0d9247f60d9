//! The positions that led to the present one.

use std::collections::HashSet;

use super::Position;

/// The occurrence of a position with which a draw may be claimed.
pub const CLAIMABLE_OCCURRENCE: usize = 3;

/// The occurrence of a position that draws the game without a claim.
pub const DRAWING_OCCURRENCE: usize = 5;

/// The keys of the positions of a game and of the current line of a search, oldest first. The one place that
/// rules on repetition, for every search and every game.
///
/// ```
/// use bestmove_engine::game::{Game, History, MoveError, Notation, Position, Recurrence};
/// use bestmove_engine::games::chess::{Chess, ChessBoard};
/// // A search moves the knights out and back.
/// let (mut history, mut position) = (History::default(), Chess::Standard.start());
/// for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
///     history.enter(&position);
///     position = position.play(Chess::read_move(&position, text)?);
/// }
/// assert_eq!(history.recurrence(position.key(), position.reversible_plies()), Some(Recurrence::OnPath(0)));
/// history.leave::<ChessBoard>();
/// assert_eq!(history.max_plies_back(99), 3);
/// history.rewind();
/// assert_eq!((history.max_plies_back(99), history.plies()), (0, 0));
/// # Ok::<_, MoveError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct History {
    keys: Vec<u64>,
    /// The number of keys that belong to the game. The other keys are the path of the search.
    played: usize,
}

/// A position that came back, so that its line is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recurrence {
    /// It stood before on the search's own path, at this number of plies below the root.
    OnPath(u32),
    /// It stood twice before, counting the game's own positions.
    Third,
}

impl History {
    /// Adds a position that was left by a move of the game.
    ///
    /// ```
    /// use bestmove_engine::game::History;
    /// let mut history = History::default();
    /// [7, 8, 7, 9].into_iter().for_each(|key| history.played(key));
    /// assert_eq!((history.plies(), history.occurrences(7, 4)), (4, 2));
    /// ```
    pub fn played(&mut self, key: u64) {
        debug_assert_eq!(self.keys.len(), self.played, "the search's path lies on top");
        self.keys.push(key);
        self.played += 1;
    }

    /// The number of times that the position with `key` stood in the game before, at most `reversible` plies back.
    ///
    /// ```
    /// use bestmove_engine::game::History;
    /// let mut history = History::default();
    /// [7, 8, 7, 9].into_iter().for_each(|key| history.played(key));
    /// assert_eq!((history.occurrences(7, 4), history.occurrences(7, 2)), (2, 1));
    /// ```
    #[must_use]
    pub fn occurrences(&self, key: u64, reversible: u32) -> usize {
        self.recent(reversible).iter().filter(|&&earlier| earlier == key).count()
    }

    /// The keys of the positions that stood twice in the last `reversible` plies of the game, so that the next
    /// occurrence draws.
    ///
    /// ```
    /// use bestmove_engine::game::History;
    /// let mut history = History::default();
    /// [7, 8, 7, 9].into_iter().for_each(|key| history.played(key));
    /// assert_eq!(history.recurred(4), [7].into());
    /// ```
    #[must_use]
    pub fn recurred(&self, reversible: u32) -> HashSet<u64> {
        let mut seen = HashSet::new();
        self.recent(reversible).iter().copied().filter(|&key| !seen.insert(key)).collect()
    }

    /// The keys of the game's positions that lie at most `reversible` plies back, and so can come back.
    ///
    /// ```
    /// use bestmove_engine::game::History;
    /// let mut history = History::default();
    /// [7, 8, 9].into_iter().for_each(|key| history.played(key));
    /// assert_eq!((history.recent(2), history.recent(99).len()), (&[8, 9][..], 3));
    /// ```
    #[must_use]
    pub fn recent(&self, reversible: u32) -> &[u64] {
        &self.keys[self.played.saturating_sub(reversible as usize)..self.played]
    }

    /// The number of positions that moves of the game have left.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.played as u32
    }

    /// Adds a position that the search leaves by a move. Further down the position counts as a repetition.
    #[inline]
    pub fn enter<P: Position>(&mut self, position: &P) {
        if P::PROPERTIES.repeats {
            self.keys.push(position.key());
        }
    }

    /// Takes back the last [`enter`](Self::enter).
    #[inline]
    pub fn leave<P: Position>(&mut self) {
        if P::PROPERTIES.repeats {
            debug_assert!(self.keys.len() > self.played, "the game's own positions stay");
            self.keys.pop();
        }
    }

    /// Removes the search's path, which a search that was stopped leaves behind.
    pub fn rewind(&mut self) {
        self.keys.truncate(self.played);
    }

    /// The greatest number of plies back at which an equal position can lie, by the rules and the known history.
    #[must_use]
    pub fn max_plies_back(&self, reversible: u32) -> u32 {
        reversible.min(self.keys.len() as u32)
    }

    /// Whether the position with this key, which the search has reached, draws its line: on its
    /// first recurrence on the search's own path, since what can be forced once can be forced
    /// again, and on its third occurrence together with the game.
    ///
    /// ```
    /// use bestmove_engine::game::{History, Recurrence};
    /// let mut history = History::default();
    /// [1, 2, 3, 4, 1, 2, 3, 4].into_iter().for_each(|key| history.played(key));
    /// assert_eq!(history.recurrence(1, 99), Some(Recurrence::Third));
    /// assert_eq!(history.recurrence(1, 5), None, "an irreversible move lies between");
    /// ```
    #[must_use]
    pub fn recurrence(&self, key: u64, reversible: u32) -> Option<Recurrence> {
        let most = self.max_plies_back(reversible) as usize;
        let mut seen = false;
        // No position comes back in fewer than four plies, or in an odd number of plies.
        for back in (4..=most).step_by(2) {
            let index = self.keys.len() - back;
            if self.keys[index] != key {
                continue;
            }
            if index >= self.played {
                return Some(Recurrence::OnPath((index - self.played) as u32));
            }
            if seen {
                return Some(Recurrence::Third);
            }
            seen = true;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(keys: &[u64]) -> History {
        let mut history = History::default();
        for &key in keys {
            history.played(key);
        }
        history
    }

    #[test]
    fn one_recurrence_on_the_path_of_the_search_is_a_draw() {
        let mut history = game(&[9, 8]);
        history.keys.extend([1, 2, 3, 4]);
        assert_eq!(history.recurrence(1, 99), Some(Recurrence::OnPath(0)));
        assert_eq!(history.recurrence(1, 3), None, "an irreversible move lies between");
        assert_eq!(history.recurrence(7, 99), None);
    }

    #[test]
    fn a_position_of_the_game_must_come_back_twice() {
        let mut history = game(&[1, 2, 3, 4]);
        assert_eq!(history.recurrence(1, 99), None);
        let twice = game(&[1, 2, 3, 4, 1, 2, 3, 4]);
        assert_eq!(twice.recurrence(1, 99), Some(Recurrence::Third));
        assert_eq!(twice.occurrences(1, 99), 2);
        assert_eq!(twice.occurrences(1, 7), 1);
        assert_eq!(twice.recurred(99), HashSet::from([1, 2, 3, 4]));
        assert_eq!(twice.recurred(5), HashSet::from([4]));
        assert!(twice.recurred(4).is_empty() && history.recurred(99).is_empty());
        history.keys.push(5);
        history.rewind();
        assert_eq!(history.max_plies_back(99), 4);
    }
}
