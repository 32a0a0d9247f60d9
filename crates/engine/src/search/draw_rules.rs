//! Known wins and losses under the draw rules.
//!
//! Tables leave out draws by repetition and by a move counter. Here a known win is played out: the
//! winner plays moves that keep the win, the loser any. A line is settled as soon as the counter
//! leaves the plies that the table needs and no earlier position can come back, which in most is
//! after the next capture. The winner may also take a longer way that resets the counter sooner.
//!
//! A fastest win under a counter visits no position twice: what wins from the second visit, with
//! less of the counter left, wins from the first one too. So only positions that stood twice before
//! must be avoided, the root among those before.

use std::collections::{HashMap, HashSet};

use super::limits::Budget;
use super::task::Task;
use crate::game::{Evaluator, Position, Score};

/// The positions expanded before a win counts as not settled: about 100 milliseconds. The
/// longest win of five pieces at checkers, in 161 plies, takes 21 000.
const MOST_EXPANDED: usize = 100_000;

/// The plies within which any win is looked for: further off than any that a table holds.
const AT_ALL: u32 = 1_000;

/// A win or a loss could be neither proven nor refuted: it is too large, or a limit struck.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsettled;

/// What has been found out about known wins below the root of a task.
pub(super) struct DrawRules<'a, 'b, P: Position, E> {
    pub task: &'a Task<P>,
    pub evaluator: &'a E,
    pub budget: &'a mut Budget<'b>,
    /// The keys of positions whose next occurrence draws.
    drawing: HashSet<u64>,
    /// By the key of a position and its plies to the draw.
    settled: HashMap<(u64, Option<u32>), Settled>,
    expanded: usize,
}

/// What is settled of a position in which the side to move is known to win.
#[derive(Clone, Copy)]
struct Settled {
    /// It wins within so many plies.
    won_within: u32,
    /// It doesn't win within so many.
    not_within: u32,
}

impl<'a, 'b, P: Position, E: Evaluator<P>> DrawRules<'a, 'b, P, E> {
    /// Nothing settled yet, for positions below a `line` from the root.
    pub(super) fn new(
        task: &'a Task<P>,
        evaluator: &'a E,
        budget: &'a mut Budget<'b>,
        line: &[P::Move],
    ) -> Self {
        let (drawing, settled) = (task.recurred(line), HashMap::new());
        Self { task, evaluator, budget, drawing, settled, expanded: 0 }
    }

    /// The plies in which a position ends that is known to be won or lost in `known` plies; none
    /// where a draw comes first.
    pub(super) fn plies_to_end(
        &mut self,
        position: &P,
        known: u32,
    ) -> Result<Option<u32>, Unsettled> {
        if self.ends_within(position, known)? {
            return Ok(Some(known));
        }
        if !self.ends_within(position, AT_ALL)? {
            return Ok(None);
        }
        // The winner always moves last.
        let mut plies = known + 2;
        while !self.ends_within(position, plies)? {
            plies += 2;
        }
        Ok(Some(plies))
    }

    /// Whether a position that is known to be won or lost ends so within so many plies.
    pub(super) fn ends_within(&mut self, position: &P, within: u32) -> Result<bool, Unsettled> {
        self.decide(position, within, !self.drawing.is_empty())
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
    fn best_move(&mut self, position: &P, plies: u32) -> Result<Option<P::Move>, Unsettled> {
        let Some(score) = value(self.evaluator, position) else { return Ok(None) };
        for mv in position.legal_moves() {
            let child = position.play(mv);
            let Some(reply) = value(self.evaluator, &child) else { return Ok(None) };
            let is_best = if score.is_won() {
                reply.is_lost() && self.ends_within(&child, plies - 1)?
            } else {
                plies < 2 || !self.ends_within(&child, plies - 2)?
            };
            if is_best {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// As [`ends_within`](Self::ends_within); `recurs` where a position of the game may come back.
    fn decide(&mut self, position: &P, within: u32, recurs: bool) -> Result<bool, Unsettled> {
        let score = value(self.evaluator, position);
        let Some((score, known)) = score.and_then(|score| Some((score, score.plies()?))) else {
            return Ok(false);
        };
        let left = position.plies_to_draw();
        if known == 0 || known > within {
            return Ok(known <= within);
        }
        // Where the root goes on past a claim, only the loser claims after a root move.
        let root_may_claim = || self.task.position.plies_to_draw() == Some(0);
        let goes_on = left == Some(0) && score.is_won() && root_may_claim();
        let is_drawn = left == Some(0) || recurs && self.drawing.contains(&position.key());
        if is_drawn && !goes_on {
            return Ok(false);
        }
        if !recurs && left.is_none_or(|left| left >= known) {
            return Ok(true);
        }
        if score.is_won() {
            self.is_won(position, within, recurs)
        } else {
            self.is_lost(position, within, recurs)
        }
    }

    /// Whether some move wins within so many plies.
    fn is_won(&mut self, position: &P, within: u32, recurs: bool) -> Result<bool, Unsettled> {
        let key = (position.key(), position.plies_to_draw());
        let unknown = Settled { won_within: u32::MAX, not_within: 0 };
        let settled = self.settled.get(&key).copied().unwrap_or(unknown);
        if within >= settled.won_within || within <= settled.not_within {
            return Ok(within >= settled.won_within);
        }
        let mut is_won = false;
        for child in self.winning_children(position, within)? {
            if self.decide(&child, within - 1, recurs && child.reversible_plies() > 0)? {
                is_won = true;
                break;
            }
        }
        let settled = self.settled.entry(key).or_insert(unknown);
        if is_won {
            settled.won_within = within;
        } else {
            settled.not_within = within;
        }
        Ok(is_won)
    }

    /// Whether all moves lose within so many plies.
    fn is_lost(&mut self, position: &P, within: u32, recurs: bool) -> Result<bool, Unsettled> {
        self.spend()?;
        for mv in position.legal_moves() {
            let child = position.play(mv);
            if !self.decide(&child, within - 1, recurs && child.reversible_plies() > 0)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The positions after moves that are known to win in time, the fastest first.
    fn winning_children(&mut self, position: &P, within: u32) -> Result<Vec<P>, Unsettled> {
        self.spend()?;
        let mut children = Vec::new();
        for (place, mv) in position.legal_moves().into_iter().enumerate() {
            let child = position.play(mv);
            let score = value(self.evaluator, &child).filter(|score| score.is_lost());
            if let Some(plies) = score.and_then(Score::plies).filter(|&plies| plies < within) {
                children.push((plies, place, child));
            }
        }
        children.sort_unstable_by_key(|&(plies, place, _)| (plies, place));
        Ok(children.into_iter().map(|(.., child)| child).collect())
    }

    /// Counts a position that is expanded, or gives up.
    fn spend(&mut self) -> Result<(), Unsettled> {
        if self.expanded >= MOST_EXPANDED {
            return Err(Unsettled);
        }
        if let Err(interrupted) = self.budget.check() {
            self.budget.note_interruption(interrupted);
            return Err(Unsettled);
        }
        self.expanded += 1;
        Ok(())
    }
}

/// What is known of a position, finished ones included.
pub(super) fn value<P: Position, E: Evaluator<P>>(evaluator: &E, position: &P) -> Option<Score> {
    match position.outcome() {
        Some(outcome) => Some(Score::ended(outcome, 0)),
        None => evaluator.known(position),
    }
}
