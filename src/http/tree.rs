//! `/tree` as JSON and as DOT, the language of Graphviz.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderValue;
use axum::response::Response;

use super::app::App;
use super::body::{Json, json_body, timed, typed_body};
use super::problem::ProblemResponse;
use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{Bound, Evaluation, Node, Tree, Window};
use bestmove_service::{TreeRequest, to_json};

/// `POST /tree`
pub(super) async fn json(
    State(app): State<Arc<App>>,
    Json(tree): Json<TreeRequest>,
) -> Result<Response, ProblemResponse> {
    let (body, timing) = app.service.tree(tree, to_json).await?;
    Ok(timed(json_body(&app, body)?, timing))
}

/// `POST /tree/dot`
pub(super) async fn dot(
    State(app): State<Arc<App>>,
    Json(tree): Json<TreeRequest>,
) -> Result<Response, ProblemResponse> {
    const GRAPHVIZ: HeaderValue = HeaderValue::from_static("text/vnd.graphviz; charset=utf-8");
    let (body, timing) = app.service.tree(tree, tree_dot).await?;
    Ok(timed(typed_body(&app, GRAPHVIZ, body)?, timing))
}

/// The drawing of a tree. Boxes are nodes of the maximizing side, ellipses those of the minimizing
/// one; the chosen path is bold, and what was cut off is dashed.
fn tree_dot(tree: &Tree) -> String {
    let mut drawing = Drawing { text: String::new(), nodes: 0 };
    drawing.head(tree);
    drawing.node(&tree.root);
    drawing.text.push_str("}\n");
    drawing.text
}

struct Drawing {
    text: String,
    nodes: usize,
}

impl Drawing {
    fn line(&mut self, line: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn head(&mut self, Tree { answer, .. }: &Tree) {
        let title = format!(
            "{} {}\n{}, depth {}, {} nodes",
            answer.game,
            answer.position,
            answer.search.algorithm.name(),
            answer.search.depth,
            answer.search.nodes
        );
        self.line(format_args!("digraph tree {{"));
        let title = quoted(&title);
        self.line(format_args!("  graph [label={title}, labelloc=t, ordering=out, ranksep=0.4]"));
        self.line(format_args!("  graph [fontname=\"Helvetica\"]"));
        self.line(format_args!("  node [fontname=\"Helvetica\", fontsize=11, style=filled]"));
        self.line(format_args!("  edge [fontname=\"Helvetica\", fontsize=11, arrowhead=none]"));
    }

    /// Draws a node with all below it, and returns its number.
    fn node(&mut self, node: &Node) -> usize {
        let number = self.nodes;
        self.nodes += 1;
        let label = quoted(&label(node));
        let style = node_style(node);
        self.line(format_args!("  n{number} [label={label}, {style}]"));
        for child in &node.children {
            let below = self.node(child);
            let mv = child.mv.as_ref().map(|mv| mv.san.as_ref().unwrap_or(&mv.text));
            let label = quoted(mv.map_or("", String::as_str));
            let style = edge_style(child);
            self.line(format_args!("  n{number} -> n{below} [label={label}{style}]"));
        }
        number
    }
}

fn node_style(node: &Node) -> &'static str {
    match (node.maximizing, node.best) {
        _ if node.pruned => "shape=plain, style=\"\", fontcolor=gray40",
        (true, true) => "shape=box, fillcolor=\"#b8d4f0\", penwidth=2.5",
        (true, false) => "shape=box, fillcolor=\"#e3eef9\"",
        (false, true) => "shape=ellipse, fillcolor=\"#f5cfa3\", penwidth=2.5",
        (false, false) => "shape=ellipse, fillcolor=\"#fbeedd\"",
    }
}

fn edge_style(child: &Node) -> &'static str {
    match child.best {
        true => ", penwidth=2.5",
        false if child.pruned => ", style=dashed, color=gray40, fontcolor=gray40",
        false => "",
    }
}

fn label(node: &Node) -> String {
    let Some((order, evaluation)) = node.order.zip(node.evaluation) else {
        return "cut off".to_owned();
    };
    let sign = match node.bound {
        Some(Bound::AtLeast) => "≥ ",
        Some(Bound::AtMost) => "≤ ",
        None => "",
    };
    let window = node.window.map_or_else(String::new, window_label);
    format!("{order}: {}\n{sign}{}{window}", node.side_to_move, value(&evaluation))
}

/// A value as people say it, from the view of the side to move at the root.
fn value(evaluation: &Evaluation) -> String {
    match (evaluation.outcome, evaluation.plies) {
        (Some(Outcome::Win), Some(plies)) => format!("won in {plies}"),
        (Some(Outcome::Loss), Some(plies)) => format!("lost in {plies}"),
        (Some(Outcome::Draw), _) => "drawn".to_owned(),
        _ => evaluation.score.to_string(),
    }
}

fn window_label(Window { alpha, beta }: Window) -> String {
    let end = |end: Option<i32>, open: &str| end.map_or(open.to_owned(), |end| end.to_string());
    format!("\n[{}, {}]", end(alpha, "-∞"), end(beta, "∞"))
}

/// A string of the language.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
