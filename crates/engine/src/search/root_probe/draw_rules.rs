//! Table values under the draw rules.
//!
//! Tables leave out draws by repetition and by a move counter. The rule: a table's value is proven if the move
//! counters admit it, that is if the game ends before they draw it and no position that stood twice can come back
//! ([`is_admitted`]). Else the win is played out: the winner plays moves that keep the win, the loser any. A line
//! is settled as soon as the counters admit the table's value, which in most is after the next capture. The winner
//! may also take a longer way that resets the counter sooner.
//!
//! A fastest win under a counter visits no position twice: what wins from the second visit, with
//! less of the counter left, wins from the first one too. So only positions that stood twice before
//! must be avoided, the root among those before.

use std::collections::{HashMap, HashSet};

use crate::game::{Evaluator, Position, Score};
use crate::search::limits::{Budget, Interrupted, StoppedBy};
use crate::search::task::Task;

/// The plies within which any win is looked for: further off than any that a table holds.
const AT_ALL: u32 = 1_000;

/// Whether the move counters admit the table's value of a position: the game ends before they draw it, and no
/// position that draws by repetition can come back.
#[inline]
pub(in crate::search) fn is_admitted<P: Position>(
    position: &P,
    plies: Option<u32>,
    may_recur: bool,
) -> bool {
    !may_recur && plies <= position.plies_to_draw().or(Some(u32::MAX))
}

/// The value of a position by a book or a table, or by its outcome.
fn value<P: Position, E: Evaluator<P>>(evaluator: &E, position: &P) -> Option<Score> {
    match position.outcome() {
        Some(outcome) => Some(Score::of_end(position, outcome, 0)),
        None => evaluator.known(position),
    }
}

/// Some moves of a position, each with its table value for the side to move where there is one.
pub(super) fn known_values<P: Position, E: Evaluator<P>>(
    evaluator: &E,
    position: &P,
    moves: impl IntoIterator<Item = P::Move>,
) -> impl Iterator<Item = Option<(P::Move, Score)>> {
    moves.into_iter().map(|mv| {
        let reply = value(evaluator, &position.play(mv))?;
        Some((mv, -reply.seen_from_root(1)))
    })
}

/// The keys of the positions whose next occurrence below the root draws by repetition: they stood
/// twice, the root and the positions of a `line` from it included.
pub(in crate::search) fn drawing_keys<P: Position>(
    task: &Task<P>,
    line: &[P::Move],
) -> HashSet<u64> {
    if !P::REPEATS {
        return HashSet::new();
    }
    let (mut position, mut history) = (task.position.clone(), task.history.clone());
    for &mv in line {
        history.played(position.key());
        position = position.play(mv);
    }
    history.played(position.key());
    history.recurred(position.reversible_plies() + 1)
}

/// What has been found out about known wins below the root of a task.
pub(super) struct DrawRules<'a, 'b, P: Position, E> {
    pub task: &'a Task<P>,
    pub evaluator: &'a E,
    pub budget: &'a mut Budget<'b>,
    /// The keys of positions whose next occurrence draws.
    drawing: HashSet<u64>,
    /// By the key of a position and its plies to the draw: the most plies within which it does not end, and
    /// the fewest within which it does, as far as they are known.
    settled: HashMap<(u64, Option<u32>), (u32, u32)>,
    expanded: usize,
}

impl<'a, 'b, P: Position, E: Evaluator<P>> DrawRules<'a, 'b, P, E> {
    /// Nothing settled yet, for positions below a `line` from the root.
    pub(super) fn new(
        task: &'a Task<P>,
        evaluator: &'a E,
        budget: &'a mut Budget<'b>,
        line: &[P::Move],
    ) -> Self {
        let (drawing, settled) = (drawing_keys(task, line), HashMap::new());
        Self { task, evaluator, budget, drawing, settled, expanded: 0 }
    }

    /// The plies in which a position ends that by the tables is won or lost in `plies`; none where a draw
    /// comes first.
    pub(super) fn plies_to_end(
        &mut self,
        position: &P,
        mut plies: u32,
    ) -> Result<Option<u32>, Interrupted> {
        if self.admits(position, plies) {
            return Ok(Some(plies));
        }
        while !self.ends_within(position, plies)? {
            if !self.ends_within(position, AT_ALL)? {
                return Ok(None);
            }
            // The winner always moves last.
            plies += 2;
        }
        Ok(Some(plies))
    }

    /// Whether a position that by the tables is won or lost ends so within so many plies.
    pub(super) fn ends_within(&mut self, position: &P, within: u32) -> Result<bool, Interrupted> {
        let score = value(self.evaluator, position).unwrap_or(Score::DRAWN);
        // Where the root goes on past a claim, only the loser claims after a root move.
        let may_claim = || score.is_lost() || self.task.position.plies_to_draw() != Some(0);
        match score.plies() {
            Some(0) => Ok(true),
            Some(plies) if plies > within => Ok(false),
            Some(plies) if self.admits(position, plies) => Ok(true),
            Some(_) if self.is_drawn(position) && may_claim() => Ok(false),
            Some(_) => self.play_out(position, score.is_won(), within),
            None => Ok(false),
        }
    }

    /// Whether a draw rule ends the game with this position.
    pub(super) fn is_drawn(&self, position: &P) -> bool {
        position.plies_to_draw() == Some(0) || self.drawing.contains(&position.key())
    }

    /// The line from a position that is won or lost in exactly `plies`, the winner hurrying and the
    /// loser delaying, as far as it is known; none where it ends sooner or later.
    pub(super) fn line(&mut self, position: &P, mut plies: u32) -> Vec<P::Move> {
        self.expanded = 0;
        let known = value(self.evaluator, position).and_then(Score::plies).unwrap_or(0);
        if !matches!(self.plies_to_end(position, known), Ok(Some(exact)) if exact == plies) {
            return Vec::new();
        }
        let (mut position, mut line) = (position.clone(), Vec::new());
        while plies > 0
            && let Ok(Some(mv)) = self.best_move(&position, plies)
        {
            line.push(mv);
            position = position.play(mv);
            plies -= 1;
        }
        line
    }

    /// The first of the best moves of a position that ends in exactly `plies`; none where not all
    /// replies are known.
    fn best_move(&mut self, position: &P, plies: u32) -> Result<Option<P::Move>, Interrupted> {
        // The winner always moves last.
        let is_won = plies % 2 == 1;
        for known in known_values(self.evaluator, position, position.legal_moves()) {
            let Some((mv, score)) = known else { return Ok(None) };
            let child = position.play(mv);
            let is_best = if is_won {
                score.is_won() && self.ends_within(&child, plies - 1)?
            } else {
                !self.ends_within(&child, plies - 2)?
            };
            if is_best {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    fn admits(&self, position: &P, plies: u32) -> bool {
        let may_recur = !self.drawing.is_empty() && position.reversible_plies() > 0;
        is_admitted(position, Some(plies), may_recur)
    }

    /// Whether an unfinished position ends within so many plies if the winner plays moves that keep the win and
    /// the loser any.
    fn play_out(&mut self, position: &P, is_won: bool, within: u32) -> Result<bool, Interrupted> {
        let key = (position.key(), position.plies_to_draw());
        let (not_within, ends_within) = self.settled.get(&key).copied().unwrap_or((0, u32::MAX));
        if within <= not_within || within >= ends_within {
            return Ok(within >= ends_within);
        }
        self.spend()?;
        // A single move decides: a winner's that ends the game in time, a loser's that does not.
        let mut is_decided = false;
        for child in self.children(position, is_won) {
            if self.ends_within(&child, within - 1)? == is_won {
                is_decided = true;
                break;
            }
        }
        let ends = is_decided == is_won;
        let settled = self.settled.entry(key).or_insert((0, u32::MAX));
        if ends {
            settled.1 = within;
        } else {
            settled.0 = within;
        }
        Ok(ends)
    }

    /// The positions after all moves of a loser, or after the moves of a winner that keep the win, the fastest
    /// first.
    fn children(&self, position: &P, is_won: bool) -> Vec<P> {
        let children = position.legal_moves().into_iter().map(|mv| position.play(mv));
        let mut children: Vec<_> = children.collect();
        if is_won {
            let value = |child: &P| value(self.evaluator, child);
            children.retain(|child| value(child).is_some_and(Score::is_lost));
            children.sort_by_cached_key(value);
        }
        children
    }

    /// Counts a position that is expanded, or gives up.
    fn spend(&mut self) -> Result<(), Interrupted> {
        if self.expanded >= E::MOST_EXPANDED {
            return Err(Interrupted(StoppedBy::Nodes));
        }
        self.expanded += 1;
        self.budget.check().inspect_err(|&interrupted| self.budget.note_interruption(interrupted))
    }
}
