//! Decision trees: built on one worker, within a number of nodes.

use super::admission::{Overloaded, Priority};
use super::{BoardRequest, Failure, Service, Timing};
use bestmove_engine::game::GameInfo;
use bestmove_engine::games::any::{AnyTree, SearchParameters, Tree, TreeError, TreeParameters};
use bestmove_engine::search::TIE_BREAK_MEMORY;

/// A decision tree whose request has been read, ready to be built.
pub struct PreparedTree {
    game: &'static GameInfo,
    tree: Box<dyn AnyTree>,
    max_nodes: usize,
}

impl Service {
    /// Reads which decision tree of a board is asked for, of `max_nodes` nodes at most.
    ///
    /// # Errors
    /// As [`prepare_search`](Self::prepare_search).
    pub fn prepare_tree(
        &self,
        board: &BoardRequest,
        parameters: SearchParameters,
        max_nodes: usize,
        is_first_view: bool,
    ) -> Result<PreparedTree, Failure> {
        let search = SearchParameters { time_limit: Some(self.max_time), ..parameters };
        let board = board.board()?;
        let parameters = TreeParameters { search, max_nodes, is_first_view };
        let tree = board.tree(&parameters, &self.knowledge)?;
        Ok(PreparedTree { game: board.game(), tree, max_nodes })
    }

    /// A decision tree, written by `write` on the worker that built it, so that the memory of both is counted. A
    /// caller that drops the future stops it.
    ///
    /// # Errors
    /// Where the tree is too large, or there is no place to search it.
    pub async fn tree(
        &self,
        PreparedTree { game, tree, max_nodes }: PreparedTree,
        write: fn(&Tree) -> String,
    ) -> Result<(String, Timing), Failure> {
        /// The bytes of a node and of its JSON, by measurement.
        const NODE_BYTES: usize = 800;
        let memory = max_nodes * NODE_BYTES + TIE_BREAK_MEMORY;
        let (pool, metrics) = (&self.core.pool, &self.core.metrics);
        let job = move |stop: &_| {
            let tree = tree.build_tree(stop)?;
            Ok((tree.answer.search, write(&tree)))
        };
        let caller = pool.caller(Priority::Single)?;
        let (built, timing) = pool.run(caller, memory, job).await?;
        let (summary, text) = built.map_err(|error| self.tree_failure(error, max_nodes))?;
        metrics.count(game.name, game.variant, &summary, timing.search);
        Ok((text, timing))
    }

    /// Why there is no tree.
    fn tree_failure(&self, error: TreeError, max_nodes: usize) -> Failure {
        match error {
            TreeError::TooLarge => {
                Failure::TooLargeATree(format!("has more than {max_nodes} nodes"))
            }
            TreeError::Interrupted if self.core.pool.is_draining() => Overloaded::Draining.into(),
            TreeError::Interrupted => {
                let limit = self.max_time.as_millis();
                Failure::TooLargeATree(format!("is not complete after {limit} ms"))
            }
        }
    }
}
