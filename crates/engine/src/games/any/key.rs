//! What a search depends on, by value: the key of caches and of shared searches.

use std::time::Duration;

use crate::search::Algorithm;

/// The parsed request of a search in canonical form. Equal keys have equal answers, unless a time
/// budget is part of them. Two notations of one position have the same key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SearchKey {
    /// The name of the game.
    pub game: &'static str,
    /// The position in canonical notation.
    pub position: String,
    /// The keys of earlier positions that the search may reach again, oldest first.
    pub history: Vec<u64>,
    /// The plies to a draw by a move counter that nobody claims. The notation may not show them.
    pub plies_to_forced_draw: Option<u32>,
    /// The only moves to consider at the root, sorted; empty for all.
    pub search_moves: Vec<String>,
    /// How to search.
    pub algorithm: Algorithm,
    /// The name of the evaluator.
    pub evaluator: &'static str,
    /// Plies to search at most.
    pub depth: u32,
    /// Positions to visit at most.
    pub nodes: Option<u64>,
    /// The time budget of the caller; the limit of the server is no part of the request.
    pub time: Option<Duration>,
    /// Plies within which books and tables may answer; `None` for any.
    pub probe_limit: Option<u32>,
    /// How many moves to report; `None` for the best one alone.
    pub top: Option<usize>,
    /// The number of the level, its seed, and whether the game is so young that it varies its choice.
    pub level: Option<(u8, Option<u64>, bool)>,
    /// The mark of the knowledge files.
    pub knowledge: u64,
}

impl SearchKey {
    /// Whether the answer follows from the key alone and not from the speed of the machine.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.time.is_none()
    }

    /// The bytes that it occupies, about.
    #[must_use]
    pub fn weight(&self) -> usize {
        let moves = self.search_moves.iter().map(|mv| size_of::<String>() + mv.len());
        size_of::<Self>()
            + self.position.len()
            + self.history.len() * size_of::<u64>()
            + moves.sum::<usize>()
    }
}
