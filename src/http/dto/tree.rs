//! The request and the answer of `/tree`.

use axum::body::Bytes;
use serde::{Deserialize, Serialize};

use super::answer::BestMoveAnswer;
use super::best_move_request::{Integer, MOST, Moves, board_request, required, some_moves};
use super::evaluation::Evaluation;
use super::position_text::Position;
use super::{Dto, json};
use crate::http::problem::Problem;
use crate::service::{Service, TreeQuestion};
use bestmove_engine::games::any::{Bound, Node, SearchParameters, Tree, Tried, Window};

/// The nodes that a tree may have where the request does not say.
const DEFAULT_NODES: usize = 2_000;
/// The nodes that a request may ask for: some megabytes of JSON.
const MOST_NODES: u64 = 20_000;

/// The body of `POST /tree`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(in crate::http) struct TreeRequest {
    game: Option<String>,
    position: Option<Position>,
    moves: Option<Moves>,
    depth: Option<Integer<MOST>>,
    max_nodes: Option<Integer<MOST_NODES>>,
    search_moves: Option<Vec<String>>,
    algorithm: Option<String>,
    evaluator: Option<String>,
}

impl Dto for TreeRequest {
    type Typed = TreeQuestion;

    fn typed(self, service: &Service) -> Result<TreeQuestion, Problem> {
        let max_nodes = self.max_nodes.map_or(DEFAULT_NODES, |nodes| nodes.0 as usize);
        let board = board_request(self.game, self.position, self.moves)?;
        let depth = required(self.depth, "depth", "an integer, 1 or more,")?;
        let parameters = SearchParameters {
            depth: Some(depth.0),
            search_moves: self.search_moves.map(some_moves).transpose()?,
            algorithm: self.algorithm,
            evaluator: self.evaluator,
            ..SearchParameters::default()
        };
        Ok(service.tree_question(&board, parameters, max_nodes)?)
    }
}

/// A decision tree as it is sent.
pub(in crate::http) fn tree_json(tree: &Tree) -> Bytes {
    json(&TreeAnswer::from(tree)).into()
}

/// A decision tree, below what was found out with it.
#[derive(Serialize)]
struct TreeAnswer<'a> {
    #[serde(flatten)]
    best: BestMoveAnswer<'a>,
    tree: Branch<'a>,
}

/// A node and all below it.
#[derive(Serialize)]
struct Branch<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#move: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    san: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<u64>,
    side_to_move: &'static str,
    maximizing: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<Evaluation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<Ends>,
    best: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pruned: bool,
    children: Vec<Branch<'a>>,
}

/// The two ends of a window, null where it is open.
#[derive(Serialize)]
struct Ends {
    alpha: Option<i32>,
    beta: Option<i32>,
}

impl<'a> From<&'a Tree> for TreeAnswer<'a> {
    fn from(Tree { answer, root }: &'a Tree) -> Self {
        Self { best: answer.into(), tree: root.into() }
    }
}

impl<'a> From<&'a Node> for Branch<'a> {
    fn from(node: &'a Node) -> Self {
        let (mv, tried) = (node.mv.as_ref(), node.tried.as_ref());
        Self {
            r#move: mv.map(|mv| mv.text.as_str()),
            san: mv.and_then(|mv| mv.san.as_deref()),
            order: tried.map(|tried| tried.order),
            side_to_move: node.side_to_move,
            maximizing: node.maximizing,
            evaluation: tried.map(|tried| (&tried.evaluation).into()),
            bound: tried.and_then(bound),
            window: tried.and_then(|tried| tried.window).map(Ends::from),
            best: node.best,
            pruned: tried.is_none(),
            children: node.children.iter().map(Branch::from).collect(),
        }
    }
}

fn bound(tried: &Tried) -> Option<&'static str> {
    Some(match tried.bound? {
        Bound::AtLeast => "at-least",
        Bound::AtMost => "at-most",
    })
}

impl From<Window> for Ends {
    fn from(Window { alpha, beta }: Window) -> Self {
        Self { alpha, beta }
    }
}
