//! What front ends and lessons ask for besides best moves: the board and the decision tree.

use super::{Failure, Overloaded, Question, Service, Timing};
use crate::games;
use crate::games::any::{AnyBoard, Stunted, Terms, Tree, TreeTerms};

/// The board that a question is about, without any search.
///
/// # Errors
/// Where there is no such game, or the position or a move can't be read.
pub fn board(question: &Question) -> Result<Box<dyn AnyBoard>, Failure> {
    let Question { game, position, moves, .. } = question;
    let game = games::find(game).ok_or_else(|| Failure::UnknownGame(game.clone()))?;
    Ok(game.board(position.as_ref(), moves)?)
}

impl Service {
    /// The decision tree below a position, of `max_nodes` nodes at most. A caller that drops the
    /// future stops its growth.
    ///
    /// # Errors
    /// As [`best_move`](Self::best_move), and where the tree is too large.
    pub async fn tree(
        &self,
        question: Question,
        max_nodes: usize,
    ) -> Result<(Tree, Timing), Failure> {
        let board = board(&question)?;
        let search = Terms { time_limit: Some(self.max_time), ..question.terms };
        let tree = board.tree(&TreeTerms { search, max_nodes })?;
        let (grown, timing) = self.desk.pool.run(0, move |stop| tree.grow(stop)).await?;
        let tree = grown.map_err(|stunted| self.ungrown(stunted, max_nodes))?;
        self.desk.metrics.count(&(&tree.answer).into(), timing.search);
        Ok((tree, timing))
    }

    /// Why there is no tree.
    fn ungrown(&self, stunted: Stunted, max_nodes: usize) -> Failure {
        match stunted {
            Stunted::TooLarge => Failure::TooLargeATree(format!("has more than {max_nodes} nodes")),
            Stunted::Interrupted if self.desk.pool.is_draining() => Overloaded::Draining.into(),
            Stunted::Interrupted => {
                let limit = self.max_time.as_millis();
                Failure::TooLargeATree(format!("is not complete after {limit} ms"))
            }
        }
    }
}
