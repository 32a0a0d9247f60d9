//! The positions of an opening book.

use std::collections::HashSet;

use bestmove_engine::game::Position;

/// The unfinished positions after `plies`, one of each set of symmetric ones, neighbours in the tree together.
pub(crate) fn openings<P: Position>(start: &P, plies: u32) -> Vec<P> {
    let mut openings = Openings { seen: HashSet::new(), deepest: Vec::new() };
    openings.descend(start, plies);
    openings.deepest
}

struct Openings<P> {
    seen: HashSet<u64>,
    deepest: Vec<P>,
}

impl<P: Position> Openings<P> {
    fn descend(&mut self, position: &P, plies: u32) {
        if position.outcome().is_some() || !self.seen.insert(position.canonical().0) {
            return;
        }
        if plies == 0 {
            self.deepest.push(position.clone());
            return;
        }
        for mv in position.legal_moves() {
            self.descend(&position.play(mv), plies - 1);
        }
    }
}
