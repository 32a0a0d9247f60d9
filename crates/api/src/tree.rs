//! Decision trees, within a number of nodes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::job::Context;
use super::request::{BOARD, CHOICES, SEARCH, required};
use super::{Fields, Prepare, Problem, ProblemKind};
use bestmove_engine::game::GameInfo;
use bestmove_engine::games::any::{AnyTree, SearchParameters, Tree, TreeError, TreeParameters};
use bestmove_engine::search::TIE_BREAK_MEMORY;

/// The request of `/tree`.
pub enum TreeRequest {}

impl Prepare for TreeRequest {
    const FIELDS: &'static [&'static [&'static str]] =
        &[BOARD, &["depth", "max_nodes"], CHOICES, SEARCH, &["view"]];
    const REQUIRED: &'static [&'static str] = &["game", "depth"];
    type Prepared = TreeJob;

    fn prepare(mut fields: Fields, context: &Context) -> Result<TreeJob, Problem> {
        /// The nodes that a tree may have where the request does not say.
        const DEFAULT_NODES: u64 = 2_000;
        let algorithm = fields.algorithm(Some(&TreeParameters::ALGORITHMS))?;
        fields.algorithm = None;
        let (is_first_view, depth) = (fields.is_first_view()?, fields.depth);
        let max_nodes = fields.max_nodes.map_or(DEFAULT_NODES, u64::from);
        let max_nodes = usize::try_from(max_nodes).unwrap_or(usize::MAX);
        let (request, parameters) = fields.split()?;
        required(depth, "depth", "an integer, 1 or more,")?;
        let Context { knowledge, max_time } = context;
        let search = SearchParameters { algorithm, time_limit: *max_time, ..parameters };
        let board = request.board()?;
        let parameters = TreeParameters { search, max_nodes, is_first_view };
        let tree = board.tree(&parameters, knowledge).map_err(|error| request.placed(error))?;
        Ok(TreeJob { game: board.game(), tree, max_nodes, max_time: *max_time })
    }
}

/// A decision tree, ready to be built.
pub struct TreeJob {
    /// The description of the game.
    pub game: &'static GameInfo,
    tree: Box<dyn AnyTree>,
    max_nodes: usize,
    /// The time in which the tree must be complete.
    max_time: Option<Duration>,
}

impl TreeJob {
    /// The bytes that the tree and its JSON may occupy.
    pub fn memory(&self) -> usize {
        /// The measured bytes of a node and its JSON.
        const NODE_BYTES: usize = 800;
        self.max_nodes * NODE_BYTES + TIE_BREAK_MEMORY
    }

    /// Builds the tree on the present thread, until `stop` is raised.
    ///
    /// # Errors
    /// Where the tree is too large, or not complete in time.
    pub fn run(&self, stop: &AtomicBool) -> Result<Tree, Problem> {
        self.tree.build_tree(stop).map_err(|error| {
            let limit = match error {
                TreeError::TooLarge => format!("has more than {} nodes", self.max_nodes),
                TreeError::Interrupted if stop.load(Ordering::Relaxed) => {
                    let detail = "the service is shutting down; ask another replica";
                    return Problem::new(ProblemKind::Overloaded, detail);
                }
                TreeError::Interrupted => {
                    let limit = self.max_time.unwrap_or_default().as_millis();
                    format!("is not complete after {limit} ms")
                }
            };
            let advice = "ask for fewer plies, or for more nodes with max_nodes";
            let detail = format!("depth: the tree {limit}; {advice}");
            Problem::new(ProblemKind::TooLargeATree, detail).at("/depth")
        })
    }
}
