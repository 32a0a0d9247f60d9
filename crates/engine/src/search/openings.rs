//! Opening books: the positions that are worth proving, and what follows for those before them.

use std::collections::{HashMap, HashSet};
use std::ops::Neg;

use crate::game::{Position, SolverScore, final_value};

/// The unfinished positions after so many plies, symmetric ones once, neighbours in the tree
/// together.
pub fn openings<P: Position>(start: &P, plies: u32) -> Vec<P> {
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

/// The `deepest` solver scores, of positions after so many plies, and those of all earlier positions that
/// follow from them by minimax; by canonical key.
pub fn backed_up<P: Position>(
    start: &P,
    plies: u32,
    deepest: Vec<(u64, SolverScore)>,
) -> Vec<(u64, SolverScore)> {
    let mut values = deepest.into_iter().collect();
    back_up(start, plies, &mut values);
    values.into_iter().collect()
}

/// The solver score of a position, `plies` before the deepest, if those of all its children are known.
fn back_up<P: Position>(
    position: &P,
    plies: u32,
    values: &mut HashMap<u64, SolverScore>,
) -> Option<SolverScore> {
    if let Some(outcome) = position.outcome() {
        return Some(final_value(outcome, position));
    }
    let (key, _) = position.canonical();
    if values.contains_key(&key) || plies == 0 {
        return values.get(&key).copied();
    }
    let children = position.legal_moves().into_iter().map(|mv| position.play(mv));
    // All of them, so that each comes into the book that can.
    let known: Vec<_> = children.map(|child| back_up(&child, plies - 1, values)).collect();
    let values_of_moves = known.into_iter().map(|value| value.map(SolverScore::neg));
    let best = values_of_moves.collect::<Option<Vec<_>>>()?.into_iter().max()?;
    values.insert(key, best);
    Some(best)
}
