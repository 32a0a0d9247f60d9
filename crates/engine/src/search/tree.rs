//! The decision tree, for teaching: every node that the textbook's search tries, in its order.
//!
//! There is no table, no reordering, no deepening. As in textbooks, all values are from the view of the player at the root,
//! the maximizing player. With alpha-beta each node is searched with a window: alpha is the value that the
//! maximizing side has for certain, beta the value that the minimizing side has. Once alpha reaches beta, the
//! rest of the node's moves is cut off.

use std::sync::atomic::AtomicBool;

use super::iterative_deepening::{Walk, ends_within};
use super::losing_tie_break::break_tie;
use super::minimax::{MinimaxPlayer, base_case};
use super::report::{Report, SearchVariation, proven, proven_margin};
use super::task::{Algorithm, Task};
use crate::game::limits::{Budget, Deadline, Interrupted};
use crate::game::{Evaluator, History, Outcome, Position, Score};

/// A decision tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTree<M> {
    /// The position at the root.
    pub root: TreeNode<M>,
    /// The report of the search. Its positions visited are the nodes tried.
    pub report: Report<M>,
}

/// A node of a decision tree.
///
/// ```
/// use bestmove_engine::game::{Game, Notation, PositionText};
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
/// let evaluator = TicTacToe::evaluator("lines", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.ok_or("no such evaluator")?;
/// let position = TicTacToe::STANDARD.read_position(&PositionText::Text("XX.OO.... X".to_owned()))?;
/// let task = Task::new(position, SearchLimits::depth(2), Algorithm::AlphaBeta);
/// let tree = search::build_tree(&task, &evaluator, 100, &false.into()).map_err(|_| "too large")?;
/// let (chosen, others): (Vec<_>, Vec<_>) = tree.root.children.iter().partition(|node| node.best);
/// assert_eq!((chosen.len(), others.len()), (1, 4));
/// assert_eq!(chosen[0].tried.map(|tried| tried.score), Some(tree.report.score()));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode<M> {
    /// The move that leads to the node; `None` at the root.
    pub mv: Option<M>,
    /// Whether the player at the root is to move.
    pub maximizing: bool,
    /// Whether the node lies on the chosen path.
    pub best: bool,
    /// The result at the node; `None` where it was cut off.
    pub tried: Option<Tried>,
    /// The children in the order of the moves; empty where the search ended.
    pub children: Vec<Self>,
}

/// The result at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The number in the order in which nodes were tried; 0 at the root.
    pub order: u64,
    /// The value for the player at the root.
    pub score: Score,
    /// The outcome, where it is proven.
    pub outcome: Option<Outcome>,
    /// The kind of bound that the value is, where a cut-off below made it inexact.
    pub bound: Option<Bound>,
    /// With alpha-beta, alpha and beta when the node was entered.
    pub window: Option<(Score, Score)>,
    /// Whether the value comes from finished games alone.
    is_complete: bool,
}

/// Whether the true value may be better (`at-least`) or worse (`at-most`) than the one given.
///
/// ```
/// use bestmove_engine::search::Bound;
/// assert_eq!(Bound::AtLeast.reversed(), Bound::AtMost);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Bound {
    /// The player at the root has at least the value.
    AtLeast,
    /// The player at the root has at most the value.
    AtMost,
}

impl Bound {
    /// The bound from the other side's view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::AtLeast => Self::AtMost,
            Self::AtMost => Self::AtLeast,
        }
    }
}

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// The tree would have more nodes than allowed.
    TooLarge,
    /// The search was told to stop before the tree was complete.
    Interrupted,
}

impl From<Interrupted> for TreeError {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

/// The decision tree of the textbook's search to exactly the depth of `task`, with `max_nodes` nodes
/// at most. The root and the nodes that were cut off count.
///
/// ```
/// use bestmove_engine::game::Game;
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// use bestmove_engine::search::{self, Algorithm, SearchLimits, Task};
/// let evaluator = TicTacToe::evaluator("lines", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.ok_or("no such evaluator")?;
/// let task = Task::new(TicTacToe::STANDARD.start(), SearchLimits::depth(1), Algorithm::Minimax);
/// let tree = search::build_tree(&task, &evaluator, 100, &false.into());
/// assert_eq!(tree.map(|tree| tree.report.nodes), Ok(9));
/// assert!(search::build_tree(&task, &evaluator, 5, &false.into()).is_err());
/// # Ok::<_, &str>(())
/// ```
///
/// # Errors
/// Where the tree has more nodes, or the time is up or `stop` is raised before it is complete.
pub fn build_tree<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    max_nodes: usize,
    stop: &AtomicBool,
) -> Result<SearchTree<P::Move>, TreeError> {
    let mut budget = Budget::new(task.limits.nodes, Deadline::after(task.limits.time, stop));
    let history = task.history.clone();
    let mut builder =
        TreeBuilder { task, evaluator, history, room: max_nodes, budget: &mut budget };
    let mut root = builder.node(&task.position, None, NodePlace::root(task.limits.depth))?;
    let nodes = budget.nodes();
    let best = best_variation(&root).ok_or(TreeError::Interrupted)?;
    let outcome =
        proven(best.score, || Walk::new(&mut budget).covers_below_root(task, task.limits.depth));
    let margin = outcome
        .filter(|_| root.tried.is_some_and(|tried| tried.is_complete))
        .and_then(|outcome| proven_margin::<P>(best.score, outcome));
    let mut variations = vec![best];
    break_tie(task, evaluator, &mut budget, &mut variations);
    root.mark_best(variations[0].mv, &variations[0].continuation);
    root.tried.iter_mut().for_each(|tried| tried.outcome = outcome);
    let report = Report::new(task, &budget, variations, outcome.is_some());
    let report = Report { outcome, margin, depth: task.limits.depth, nodes, ..report };
    Ok(SearchTree { root, report })
}

/// The first of the root's best moves with the path below it.
fn best_variation<M: Copy>(root: &TreeNode<M>) -> Option<SearchVariation<M>> {
    let child = root.best_child()?;
    let (mv, tried) = (child.mv?, child.tried?);
    let mut continuation = Vec::new();
    let mut node = child;
    while let Some(next) = node.best_child() {
        continuation.extend(next.mv);
        node = next;
    }
    let outcome = tried.outcome;
    Some(SearchVariation { outcome, ..SearchVariation::new(mv, tried.score, continuation) })
}

impl<M: Copy> TreeNode<M> {
    fn score(&self) -> Option<Score> {
        self.tried.map(|tried| tried.score)
    }

    /// The child whose value is that of the node: the first of equals.
    fn best_child(&self) -> Option<&Self> {
        self.children.iter().find(|child| child.tried.is_some() && child.score() == self.score())
    }
}

impl<M: Copy + PartialEq> TreeNode<M> {
    /// Marks the path of the moves `first` and `rest`, as far as it was tried.
    fn mark_best(&mut self, first: M, rest: &[M]) {
        self.best = true;
        let mut node = self;
        for mv in std::iter::once(&first).chain(rest) {
            let next = node.children.iter_mut().find(|child| child.mv.as_ref() == Some(mv));
            let Some(next) = next.filter(|next| next.tried.is_some()) else { return };
            next.best = true;
            node = next;
        }
    }
}

/// The place of a node: its ply, the remaining depth, the player and the window.
#[derive(Clone, Copy)]
struct NodePlace {
    ply: u32,
    depth: u32,
    player: MinimaxPlayer,
    alpha: Score,
    beta: Score,
}

impl NodePlace {
    fn root(depth: u32) -> Self {
        let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
        Self { ply: 0, depth, player: MinimaxPlayer::Maximizing, alpha, beta }
    }

    fn child(self) -> Self {
        Self { ply: self.ply + 1, depth: self.depth - 1, player: self.player.next(), ..self }
    }

    /// The place with a window narrowed by a move worth `score`.
    fn narrowed(self, score: Score) -> Self {
        match self.player {
            MinimaxPlayer::Maximizing => Self { alpha: self.alpha.max(score), ..self },
            MinimaxPlayer::Minimizing => Self { beta: self.beta.min(score), ..self },
        }
    }

    fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}

struct TreeBuilder<'a, 'b, P: Position, E> {
    task: &'a Task<P>,
    evaluator: &'a E,
    history: History,
    /// The number of nodes that may still be added.
    room: usize,
    budget: &'a mut Budget<'b>,
}

impl<P: Position, E: Evaluator<P>> TreeBuilder<'_, '_, P, E> {
    fn prunes(&self) -> bool {
        self.task.algorithm != Algorithm::Minimax
    }

    fn take_room(&mut self) -> Result<(), TreeError> {
        self.room = self.room.checked_sub(1).ok_or(TreeError::TooLarge)?;
        Ok(())
    }

    /// The node of a `position` that `mv` leads to, with the subtree below it.
    fn node(
        &mut self,
        position: &P,
        mv: Option<P::Move>,
        place: NodePlace,
    ) -> Result<TreeNode<P::Move>, TreeError> {
        self.take_room()?;
        let NodePlace { ply, depth, player, alpha, beta } = place;
        let mut tried = Tried {
            order: self.budget.nodes(),
            score: player.seen_by_root(self.task.least(position, ply)),
            outcome: None,
            bound: None,
            window: self.prunes().then_some((alpha, beta)),
            is_complete: true,
        };
        let leaf = base_case(self.task, position, &self.history, self.evaluator, (ply, depth));
        // The game goes on at the root, even where a draw may be claimed.
        let children = match leaf.filter(|_| ply > 0) {
            Some(score) => {
                tried.score = player.seen_by_root(score);
                tried.is_complete = position.outcome().is_some();
                Vec::new()
            }
            None => self.children(position, place, &mut tried)?,
        };
        tried.outcome = tried.proven_outcome();
        let maximizing = player == MinimaxPlayer::Maximizing;
        Ok(TreeNode { mv, maximizing, best: false, tried: Some(tried), children })
    }

    /// The children of a position, in the order of moves, and what their values add to the result at the position. Children
    /// that were cut off come last.
    fn children(
        &mut self,
        position: &P,
        mut place: NodePlace,
        parent: &mut Tried,
    ) -> Result<Vec<TreeNode<P::Move>>, TreeError> {
        let moves = match place.ply {
            0 => self.task.root_moves(),
            _ => position.legal_moves().into_iter().collect(),
        };
        place = place.narrowed(parent.score);
        let mut children = Vec::new();
        self.history.enter(position);
        for mv in moves {
            let child = position.play(mv);
            if self.prunes() && place.is_closed() {
                self.take_room()?;
                parent.bound = Some(place.player.bound_of_rest());
                parent.is_complete &= ends_within(&child, place.depth - 1);
                children.push(TreeNode::cut_off(mv, place.player.next()));
                continue;
            }
            self.budget.visit()?;
            let child = self.node(&child, Some(mv), place.child())?;
            if let Some(tried) = child.tried {
                parent.add(tried, place.player);
                place = place.narrowed(tried.score);
            }
            children.push(child);
        }
        self.history.leave::<P>();
        Ok(children)
    }
}

impl<M> TreeNode<M> {
    /// A child that was cut off, with `player` to move.
    fn cut_off(mv: M, player: MinimaxPlayer) -> Self {
        let maximizing = player == MinimaxPlayer::Maximizing;
        Self { mv: Some(mv), maximizing, best: false, tried: None, children: Vec::new() }
    }
}

impl Tried {
    /// Takes a child into account, with `player` to move before the child. One exact value is enough, since the other
    /// children cannot be better.
    fn add(&mut self, child: Self, player: MinimaxPlayer) {
        self.is_complete &= child.is_complete;
        if player.prefers(child.score, self.score) {
            (self.score, self.bound) = (child.score, child.bound);
        } else if child.score == self.score && child.bound.is_none() {
            self.bound = None;
        }
    }

    /// The proven outcome. A lower bound can prove a win, an upper bound a loss.
    fn proven_outcome(self) -> Option<Outcome> {
        match self.bound {
            None => proven(self.score, || self.is_complete),
            Some(Bound::AtLeast) => self.score.is_won().then_some(Outcome::Win),
            Some(Bound::AtMost) => self.score.is_lost().then_some(Outcome::Loss),
        }
    }
}

impl MinimaxPlayer {
    /// The kind of bound of a node whose last moves were cut off.
    fn bound_of_rest(self) -> Bound {
        match self {
            Self::Maximizing => Bound::AtLeast,
            Self::Minimizing => Bound::AtMost,
        }
    }
}
