//! What callers ask, and by which an answer is kept.

use crate::game::PositionText;
use crate::games::any::Terms;

/// A position to search, as a caller wrote it. Equal questions have equal answers, save those with
/// a time budget.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The name of the game.
    pub game: String,
    /// The position, or the start of the game.
    pub position: Option<PositionText>,
    /// The moves played from it.
    pub moves: Vec<String>,
    /// How to search it.
    pub terms: Terms,
}

impl Question {
    /// Whether the answer depends on the question alone and not on how fast it is found.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.terms.time.is_none()
    }

    /// The bytes that it occupies, about.
    pub(super) fn weight(&self) -> usize {
        let Self { game, position, moves, terms } = self;
        let position = match position {
            None => 0,
            Some(PositionText::Text(text)) => text.len(),
            Some(PositionText::Rows(rows)) => rows.iter().map(|row| list_weight(row)).sum(),
        };
        let names = [&terms.algorithm, &terms.evaluator, &terms.level].into_iter().flatten();
        let names: usize = names.map(String::len).sum();
        let search_moves = terms.search_moves.as_deref().map_or(0, list_weight);
        size_of::<Self>() + game.len() + position + list_weight(moves) + names + search_moves
    }
}

fn list_weight(list: &[String]) -> usize {
    list.iter().map(|text| size_of::<String>() + text.len()).sum()
}
