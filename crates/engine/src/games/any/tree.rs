//! A decision tree in words.

use std::sync::atomic::AtomicBool;

#[cfg(feature = "serde")]
use schemars::JsonSchema;
#[cfg(feature = "serde")]
use serde::Serialize;

use super::board::Board;
use super::plan::named_algorithm;
use super::search::Search;
use super::{Answer, Evaluation, MoveText, RequestError, TreeParameters};
use crate::game::{Game, MoveOf, Position, Score, Side};
use crate::games::knowledge::Knowledge;
use crate::search::{self, Algorithm, Bound, TreeError};

/// What `/best-move` answers, and the tree.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct Tree {
    /// What the search found out.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub answer: Answer,
    /// The root of the tree.
    #[cfg_attr(feature = "serde", serde(rename = "tree"))]
    pub root: Node,
}

/// A node of the tree. One that was cut off has no `order`, no `evaluation` and no `window`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema), schemars(rename = "TreeNode"))]
pub struct Node {
    /// The move that leads to the node; `None` at the root.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub mv: Option<MoveText>,
    /// The running number in which the node was tried; 0 at the root.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub order: Option<u64>,
    /// The side to move.
    pub side_to_move: &'static str,
    /// Whether the side is to move from whose view values are told.
    pub maximizing: bool,
    /// The value from the view of the maximizing side; `plies` are counted from the root.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub evaluation: Option<Evaluation>,
    /// Where something below was cut off, on which side of the value the true one may lie.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub bound: Option<Bound>,
    /// The window with which the node was searched, with `alpha-beta`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub window: Option<Window>,
    /// Whether the node lies on the chosen path.
    pub best: bool,
    /// Whether the node was cut off; left out where not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub pruned: bool,
    /// Why the node was cut off; only where it was.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub cut: Option<Box<Cut>>,
    /// The nodes below.
    pub children: Vec<Node>,
}

/// What each side has for certain when a node is entered; null where it has nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema), schemars(rename = "SearchWindow"))]
pub struct Window {
    /// The maximizing side's.
    pub alpha: Option<i32>,
    /// The minimizing side's.
    pub beta: Option<i32>,
}

/// Why a node was cut off. Its parent already had a value that one side can avoid by an earlier choice, so the remaining
/// moves of the parent change nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, JsonSchema))]
pub struct Cut {
    /// The bound that was met.
    #[cfg_attr(feature = "serde", schemars(extend("enum" = ["alpha", "beta"])))]
    pub by: &'static str,
    /// The value of the bound.
    pub bound: i32,
    /// The value that the parent had already.
    pub value: i32,
    /// The same in a sentence.
    #[cfg_attr(feature = "serde", schemars(length(min = 1)))]
    pub text: String,
}

/// A decision tree that can be built.
pub trait AnyTree: Send {
    /// Builds it on the present thread.
    ///
    /// # Errors
    /// Where it has too many nodes, or is not complete before the time is up or `stop` is raised.
    fn build_tree(&self, stop: &AtomicBool) -> Result<Tree, TreeError>;
}

/// A decision tree of a board, ready to be built.
pub(super) struct PreparedTree<G: Game> {
    search: Search<G>,
    max_nodes: usize,
    /// Whether the values are not those of the side to move at the root.
    is_reversed: bool,
}

impl<G: Game> PreparedTree<G> {
    /// The tree of `board` that `parameters` ask for.
    pub(super) fn new(
        board: Board<G>,
        parameters: &TreeParameters,
        knowledge: &Knowledge,
    ) -> Result<Self, RequestError> {
        let algorithm = match parameters.search.algorithm {
            Some(algorithm) => {
                named_algorithm(&board.game, algorithm.name(), &TreeParameters::ALGORITHMS)?
            }
            None => Algorithm::Minimax,
        };
        let mut search = Search::new(board, &parameters.search, knowledge)?;
        search.task.algorithm = algorithm;
        let is_second = search.board.position.side_to_move() == Side::Second;
        let is_reversed = parameters.is_first_view && is_second;
        Ok(Self { search, max_nodes: parameters.max_nodes, is_reversed })
    }

    /// A node of the search, whose position is `position`, in words.
    fn node(&self, position: &G::Position, node: &search::TreeNode<MoveOf<G>>) -> Node {
        let children = node.children.iter().map(|child| {
            let next = child.mv.map_or_else(|| position.clone(), |mv| position.play(mv));
            let mv = child.mv.map(|mv| G::write_move(position, mv));
            let cut = child.tried.is_none().then(|| self.cut(position, node)).flatten();
            Node { mv, cut, ..self.node(&next, child) }
        });
        let tried = node.tried.as_ref();
        let bound = tried.and_then(|tried| tried.bound);
        Node {
            mv: None,
            order: tried.map(|tried| tried.order),
            side_to_move: self.search.board.side_name(position.side_to_move()),
            maximizing: node.maximizing != self.is_reversed,
            evaluation: tried.map(|tried| self.evaluation(tried)),
            bound: bound.map(|bound| if self.is_reversed { bound.reversed() } else { bound }),
            window: tried.and_then(|tried| tried.window).map(|window| self.window(window)),
            best: node.best,
            pruned: tried.is_none(),
            cut: None,
            children: children.collect(),
        }
    }

    fn evaluation(&self, tried: &search::Tried) -> Evaluation {
        let evaluation = self.search.evaluation(tried.score, tried.outcome);
        // A distance is told where a proof stands behind it.
        let plies = evaluation.plies.filter(|_| tried.outcome.is_some());
        let evaluation = Evaluation { plies, ..evaluation };
        if self.is_reversed { evaluation.reversed() } else { evaluation }
    }

    fn window(&self, (alpha, beta): (Score, Score)) -> Window {
        let ends = if self.is_reversed { [-beta, -alpha] } else { [alpha, beta] };
        let [alpha, beta] =
            ends.map(|end| Some(end.number()).filter(|end| end.abs() < Score::INFINITE.number()));
        Window { alpha, beta }
    }

    /// Why the last moves of `parent`, whose position is `position`, were cut off.
    fn cut(
        &self,
        position: &G::Position,
        parent: &search::TreeNode<MoveOf<G>>,
    ) -> Option<Box<Cut>> {
        let tried = parent.tried.as_ref()?;
        let window = self.window(tried.window?);
        let value = self.evaluation(tried).score;
        let is_by_beta = parent.maximizing != self.is_reversed;
        let (by, bound) =
            if is_by_beta { ("beta", window.beta?) } else { ("alpha", window.alpha?) };
        let side = position.side_to_move();
        let [mover, other] = [side, side.other()].map(|side| self.search.board.side_name(side));
        let limit = if is_by_beta { "at least" } else { "at most" };
        let text = format!(
            "{mover} makes the value {limit} {value} here, and {other} already has {bound} by another way: \
             {by} cuts off the other moves."
        );
        Some(Box::new(Cut { by, bound, value, text }))
    }
}

impl<G: Game> AnyTree for PreparedTree<G> {
    fn build_tree(&self, stop: &AtomicBool) -> Result<Tree, TreeError> {
        let Search { board, task, evaluator, .. } = &self.search;
        let tree = search::build_tree(task, evaluator, self.max_nodes, stop)?;
        let root = self.node(&board.position, &tree.root);
        let answer = self.search.answer(&tree.report);
        Ok(Tree { answer: if self.is_reversed { answer.reversed() } else { answer }, root })
    }
}
