//! Alpha-beta: the value and the move of minimax, with fewer positions visited.
//!
//! Iterative deepening; principal variation search (Marsland and Campbell, *Parallel Search of
//! Strongly Ordered Game Trees*, 1982): the first move of a node gets the whole window, the others
//! only the question whether they are better; a transposition table; move ordering.
//!
//! What it does not do is guess. A table entry cuts only where it holds for exactly the remaining
//! depth and nothing that led here could draw the line; a value that a repetition or a move counter
//! touched is not stored.

use super::deepening::{Driver, deepen};
use super::line::Lines;
use super::ordering::{Ordering, Ranked, bring_best_forward};
use super::ranking::Ranking;
use super::stop::{Budget, Interrupted};
use super::table::{Bound, Entry, Table};
use super::{Algorithm, Report, Task, Variation, surrender};
use crate::game::{Evaluator, History, Move, Position, Recurrence, Score, Symmetry};

/// The most table entries of a search, 16 bytes each.
const TABLE_ENTRIES: usize = 1 << 20;

/// Deepens with alpha-beta.
pub(super) fn search<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    observer: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    deepen(task, &mut Negamax::new(task, evaluator, budget), observer)
}

/// Puts first, where the side to move loses soon, the move that resists best.
pub(super) fn resist<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    variations: &mut Vec<Variation<P::Move>>,
) {
    surrender::resist(&mut Negamax::new(task, evaluator, budget), variations);
}

/// One search: what it asks, what it has learned, what it may spend.
pub(super) struct Negamax<'a, 'b, P: Position, E> {
    pub(super) task: &'a Task<P>,
    evaluator: &'a E,
    pub(super) budget: &'a mut Budget<'b>,
    history: History,
    table: Table,
    ordering: Ordering,
    lines: Lines<P::Move>,
    /// The moves of all nodes of the current path, the deepest node's last.
    moves: Vec<Ranked<P::Move>>,
    /// The root moves in the order in which to try them, each with its place in the game's order.
    root_moves: Vec<(usize, P::Move)>,
    /// The shallowest ply on which the value just computed depends by a repetition, 0 by a move
    /// counter; [`UNTOUCHED`] where it depends on nothing above itself.
    touched: u32,
}

const UNTOUCHED: u32 = u32::MAX;

/// Where a search stands and what it wants to know.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Plies below the root.
    pub ply: u32,
    /// Plies left to search.
    pub depth: u32,
    /// Values up to this one are all the same to the caller.
    pub alpha: Score,
    /// And so are values from this one on.
    pub beta: Score,
}

impl Node {
    /// The node one ply down, which sees the window from the other side.
    fn child(self, alpha: Score, beta: Score) -> Self {
        Self { ply: self.ply + 1, depth: self.depth - 1, alpha: -beta, beta: -alpha }
    }

    /// The nearest end that is still possible, where even that lies outside the window.
    fn beyond_window(self) -> Option<Score> {
        let (soonest_win, soonest_loss) =
            (Score::won_in(self.ply + 1), Score::lost_in(self.ply + 2));
        if soonest_win <= self.alpha {
            Some(soonest_win)
        } else if soonest_loss >= self.beta {
            Some(soonest_loss)
        } else {
            None
        }
    }

    /// A null window asks only whether the value exceeds alpha.
    fn is_null_window(self) -> bool {
        self.alpha.successor() == self.beta
    }
}

impl<'a, 'b, P: Position, E: Evaluator<P>> Negamax<'a, 'b, P, E> {
    pub(super) fn new(task: &'a Task<P>, evaluator: &'a E, budget: &'a mut Budget<'b>) -> Self {
        let depth = task.limits.depth;
        Self {
            task,
            evaluator,
            budget,
            history: task.history.clone(),
            table: Table::new(TABLE_ENTRIES),
            ordering: Ordering::new(depth, P::Move::CODES),
            lines: Lines::new(depth),
            moves: Vec::new(),
            root_moves: task.root_moves().into_iter().enumerate().collect(),
            touched: UNTOUCHED,
        }
    }

    /// Back to the root, also after an interruption.
    pub(super) fn rewind(&mut self) {
        self.history.rewind();
        self.moves.clear();
        self.touched = UNTOUCHED;
    }

    /// The line found below `ply` by the last search with an open window.
    pub(super) fn line(&self, ply: u32) -> Vec<P::Move> {
        self.lines.get(ply)
    }

    /// The value of `position` for the side to move; beyond the window, a bound of it.
    pub(super) fn value(&mut self, position: &P, node: Node) -> Result<Score, Interrupted> {
        if !node.is_null_window() {
            self.lines.clear(node.ply);
        }
        if let Some(outcome) = position.outcome() {
            return Ok(Score::ended(outcome, node.ply));
        }
        if self.is_drawn_by_history(position) {
            return Ok(Score::DRAWN);
        }
        match node.depth {
            0 => Ok(Score::heuristic(self.evaluator.score(position))),
            1 => self.frontier(position, node),
            _ => self.interior(position, node),
        }
    }

    /// Whether a repetition or a move counter draws the line here.
    fn is_drawn_by_history(&mut self, position: &P) -> bool {
        if position.plies_to_draw() == Some(0) {
            self.touched = 0;
            return true;
        }
        if !P::REPEATS {
            return false;
        }
        match self.history.recurrence(position.key(), position.reversible_plies()) {
            Some(Recurrence::OnPath(ply)) => self.touched = self.touched.min(ply),
            Some(Recurrence::Third) => self.touched = 0,
            None => return false,
        }
        true
    }

    /// One ply above the horizon: the order of moves saves nothing that the table could remember.
    fn frontier(&mut self, position: &P, node: Node) -> Result<Score, Interrupted> {
        let mut best = -Score::INFINITE;
        self.enter(position);
        for mv in position.legal_moves() {
            let alpha = node.alpha.max(best);
            self.budget.visit()?;
            let score = -self.value(&position.play(mv), node.child(alpha, node.beta))?;
            if score > best {
                best = score;
                if score > alpha && !node.is_null_window() {
                    self.lines.extend(node.ply, mv);
                }
                if score >= node.beta {
                    break;
                }
            }
        }
        self.leave();
        Ok(best)
    }

    /// Above the frontier: with the table around the moves.
    fn interior(&mut self, position: &P, mut node: Node) -> Result<Score, Interrupted> {
        if let Some(score) = node.beyond_window() {
            return Ok(score);
        }
        node.depth = position.plies_left().map_or(node.depth, |plies| plies.min(node.depth));
        let (key, symmetry) = position.canonical();
        let entry = self.table.get(key);
        if let Some(score) = entry.and_then(|entry| self.cut_off(position, node, entry)) {
            return Ok(score);
        }
        let start = self.moves.len();
        self.rank_moves(position, node.ply, entry.map(|entry| (entry.code, symmetry)));
        let outside = std::mem::replace(&mut self.touched, UNTOUCHED);
        self.enter(position);
        let (best, mv) = self.best_of(position, node, start)?;
        self.leave();
        self.moves.truncate(start);
        if self.touched >= node.ply {
            let bound = if best <= node.alpha {
                Bound::Upper
            } else if best >= node.beta {
                Bound::Lower
            } else {
                Bound::Exact
            };
            let code = P::transformed(mv, symmetry).code();
            self.table.insert(key, best.seen_from(node.ply), code, node.depth as u8, bound);
            self.touched = UNTOUCHED;
        }
        self.touched = self.touched.min(outside);
        Ok(best)
    }
}

/// The phases of an interior node.
impl<P: Position, E: Evaluator<P>> Negamax<'_, '_, P, E> {
    /// The value of a node of a null window that the table settles. Nodes of an open window are
    /// always searched, so that the principal variation is complete.
    fn cut_off(&self, position: &P, node: Node, entry: Entry) -> Option<Score> {
        if !node.is_null_window() || !self.is_free_of_history(position, node.depth) {
            return None;
        }
        let score = entry.score.seen_from_root(node.ply);
        let at_least = entry.bound != Bound::Upper && score >= node.beta;
        let at_most = entry.bound != Bound::Lower && score <= node.alpha;
        // A win or a loss within the remaining depth holds whatever the depth of the entry.
        let ends_in_time = entry.score.plies().is_some_and(|plies| plies <= node.depth);
        let holds = u32::from(entry.depth) == node.depth
            || ends_in_time && (at_least && score.is_won() || at_most && score.is_lost());
        (holds && (at_least || at_most)).then_some(score)
    }

    /// Whether neither a repetition of what led here nor a move counter can matter within `depth`
    /// plies. A position comes back after four plies at the earliest.
    fn is_free_of_history(&self, position: &P, depth: u32) -> bool {
        let reach = if P::REPEATS { self.history.reach(position.reversible_plies()) } else { 0 };
        (reach == 0 || reach + depth < 4)
            && position.plies_to_draw().is_none_or(|plies| plies > depth)
    }

    /// Puts the moves of a node on the stack, each with its rank.
    fn rank_moves(&mut self, position: &P, ply: u32, known: Option<(u16, Symmetry)>) {
        let side = position.side_to_move();
        for mv in position.legal_moves() {
            let rank = match known {
                Some((code, symmetry)) if P::transformed(mv, symmetry).code() == code => i32::MAX,
                _ => self.ordering.rank(mv, self.evaluator.promise(position, mv), side, ply),
            };
            self.moves.push(Ranked { mv, rank });
        }
    }

    /// The best value among the moves that lie on the stack from `start`, and its move.
    fn best_of(
        &mut self,
        position: &P,
        node: Node,
        start: usize,
    ) -> Result<(Score, P::Move), Interrupted> {
        let mut best = (-Score::INFINITE, self.moves[start].mv);
        for next in start..self.moves.len() {
            let mv = bring_best_forward(&mut self.moves[next..]);
            let alpha = node.alpha.max(best.0);
            self.budget.visit()?;
            let score = self.move_value(&position.play(mv), node, alpha, next == start)?;
            if score <= best.0 {
                continue;
            }
            best = (score, mv);
            if score > alpha && !node.is_null_window() {
                self.lines.extend(node.ply, mv);
            }
            if score >= node.beta {
                self.ordering.cut_off(mv, position.side_to_move(), node.ply, node.depth);
                break;
            }
        }
        Ok(best)
    }

    /// Principal variation search: only the first move gets the whole window at once.
    fn move_value(
        &mut self,
        child: &P,
        node: Node,
        alpha: Score,
        is_first: bool,
    ) -> Result<Score, Interrupted> {
        if !is_first && !node.is_null_window() {
            let score = -self.value(child, node.child(alpha, alpha.successor()))?;
            if score <= alpha || score >= node.beta {
                return Ok(score);
            }
        }
        Ok(-self.value(child, node.child(alpha, node.beta))?)
    }

    /// Descends from `position`, so that it counts as a repetition further down.
    pub(super) fn enter(&mut self, position: &P) {
        if P::REPEATS {
            self.history.push(position.key());
        }
    }

    /// Comes back from below a position.
    pub(super) fn leave(&mut self) {
        if P::REPEATS {
            self.history.pop();
        }
    }
}

impl<'b, P: Position, E: Evaluator<P>> Driver<'b, P::Move> for Negamax<'_, 'b, P, E> {
    const ALGORITHM: Algorithm = Algorithm::AlphaBeta;

    fn budget(&mut self) -> &mut Budget<'b> {
        self.budget
    }

    fn iterate(&mut self, depth: u32) -> Result<Vec<Variation<P::Move>>, Interrupted> {
        self.rewind();
        let root = &self.task.position;
        let whole = Node { ply: 0, depth, alpha: -Score::INFINITE, beta: Score::INFINITE };
        let mut ranking = Ranking::new(self.task.wanted());
        self.enter(root);
        for tried in 0..self.root_moves.len() {
            let (place, mv) = self.root_moves[tried];
            let alpha = ranking.threshold(place);
            self.budget.visit()?;
            let is_open = alpha == whole.alpha;
            let score = self.move_value(&root.play(mv), whole, alpha, is_open)?;
            if score > alpha {
                let continuation = self.line(1);
                let variation = Variation { mv, score, outcome: None, continuation };
                if ranking.insert(place, variation) {
                    self.root_moves[..=tried].rotate_right(1);
                }
            }
        }
        for place in ranking.places().rev() {
            self.root_moves.sort_by_key(|&(other, _)| other != place);
        }
        Ok(ranking.into_variations())
    }

    fn resist(&mut self, variations: &mut Vec<Variation<P::Move>>) {
        surrender::resist(self, variations);
    }
}
