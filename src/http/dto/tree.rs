//! The answer of `/tree`.

use axum::body::Bytes;
use serde::Serialize;

use super::answer::{BestMoveAnswer, Evaluation};
use super::json;
use bestmove_engine::games::any::{Bound, Node, Tree, Window};

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
        let ends = |Window { alpha, beta }| Ends { alpha, beta };
        Self {
            r#move: mv.map(|mv| mv.text.as_str()),
            san: mv.and_then(|mv| mv.san.as_deref()),
            order: tried.map(|tried| tried.order),
            side_to_move: node.side_to_move,
            maximizing: node.maximizing,
            evaluation: tried.map(|tried| (&tried.evaluation).into()),
            bound: tried.and_then(|tried| tried.bound).map(Bound::name),
            window: tried.and_then(|tried| tried.window).map(ends),
            best: node.best,
            pruned: tried.is_none(),
            children: node.children.iter().map(Branch::from).collect(),
        }
    }
}
