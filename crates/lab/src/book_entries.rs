//! The entries of an opening book, by what their values follow from.

use std::collections::HashSet;

use bestmove_engine::game::{Game, Position, SolverScore, final_value};
use bestmove_engine::games::book::Book;

/// What a check of a book found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookVerdict {
    /// How many entries follow from others.
    pub derived: usize,
    /// How many were proven.
    pub proven: usize,
    /// Those whose value is another one.
    pub wrong: Vec<WrongEntry>,
    /// How many entries are no positions that a game of book moves reaches.
    pub unreachable: usize,
}

/// An entry of a book with a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongEntry {
    /// The position in the notation of its game.
    pub position: String,
    /// The value in the book.
    pub claimed: SolverScore,
    /// The right one.
    pub found: SolverScore,
}

/// The entries of a book by what their values follow from; of each its position and its value.
pub(crate) struct Entries<P> {
    /// How many follow from others.
    pub derived: usize,
    /// Those that contradict others.
    pub wrong: Vec<WrongEntry>,
    /// Those that need a proof, neighbours in the tree together.
    pub open: Vec<(P, SolverScore)>,
}

impl<P: Position> Entries<P> {
    /// The entries of this book that a game of book moves reaches.
    pub(crate) fn of<G: Game<Position = P>>(book: &Book) -> Self {
        let entries = Self { derived: 0, wrong: Vec::new(), open: Vec::new() };
        let mut walk = Walk { book, seen: HashSet::new(), entries };
        walk.value::<G>(&G::start());
        walk.entries
    }
}

/// The walk through the tree of all book moves.
struct Walk<'a, P> {
    book: &'a Book,
    seen: HashSet<u64>,
    entries: Entries<P>,
}

impl<P: Position> Walk<'_, P> {
    /// The value of a position as far as the book or the rules tell.
    fn value<G: Game<Position = P>>(&mut self, position: &P) -> Option<SolverScore> {
        if let Some(outcome) = position.outcome() {
            return Some(final_value(outcome, position));
        }
        let claimed = self.book.value(position)?;
        if self.seen.insert(position.canonical().0) {
            match self.best::<G>(position) {
                None => self.entries.open.push((position.clone(), claimed)),
                Some(found) if found == claimed => self.entries.derived += 1,
                Some(found) => {
                    let position = G::write_position(position);
                    self.entries.wrong.push(WrongEntry { position, claimed, found });
                }
            }
        }
        Some(claimed)
    }

    /// The best value of all moves, if all are known.
    fn best<G: Game<Position = P>>(&mut self, position: &P) -> Option<SolverScore> {
        let moves = position.legal_moves().into_iter();
        // All of them, so that the walk goes on behind each.
        let values: Vec<_> = moves.map(|mv| self.value::<G>(&position.play(mv))).collect();
        values
            .into_iter()
            .map(|value| value.map(|value| -value))
            .try_fold(SolverScore::MIN, |best, value| value.map(|value| best.max(value)))
    }
}
