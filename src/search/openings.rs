//! Opening books: the positions that are worth proving, and what follows for those before them.

use std::collections::{HashMap, HashSet};

use crate::game::{Margin, Position, ended};

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

/// The margins of all positions from the start to the `deepest`, by canonical key: those of the
/// deepest, which are all unfinished positions after so many plies, and what follows by minimax.
pub fn backed_up<P: Position>(start: &P, deepest: Vec<(u64, Margin)>) -> Vec<(u64, Margin)> {
    let mut margins = deepest.into_iter().collect();
    back_up(start, &mut margins);
    margins.into_iter().collect()
}

fn back_up<P: Position>(position: &P, margins: &mut HashMap<u64, Margin>) -> Margin {
    if let Some(outcome) = position.outcome() {
        return ended(outcome, position);
    }
    let (key, _) = position.canonical();
    if let Some(&margin) = margins.get(&key) {
        return margin;
    }
    let children = position.legal_moves().into_iter().map(|mv| position.play(mv));
    let margin = children.map(|child| -back_up(&child, margins)).max().unwrap_or(0);
    margins.insert(key, margin);
    margin
}
