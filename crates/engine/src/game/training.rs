//! What a trainer asks of an evaluation: which features a position has.

use super::{Evaluator, Position};
use crate::network::{NetworkSize, SparseInput};

/// An evaluation whose network can be trained. The defaults are right for one that has none.
///
/// ```
/// use bestmove_engine::game::{Game, Trainable};
/// use bestmove_engine::games::{self, othello::Othello};
/// let knowledge = games::load_knowledge(None)?.of::<Othello>();
/// let evaluator = Othello::evaluator("network", &knowledge).expect("one of the evaluators");
/// let start = Othello::Standard.start();
/// assert!(evaluator.network_size().is_some() && evaluator.sparse_input(&start).is_some());
/// # Ok::<_, std::io::Error>(())
/// ```
pub trait Trainable<P: Position>: Evaluator<P> {
    /// The dimensions of the network that is the score; `None` where the score is something else.
    fn network_size(&self) -> Option<NetworkSize> {
        None
    }

    /// The input of that network for an unfinished position.
    fn sparse_input(&self, position: &P) -> Option<SparseInput> {
        let _ = position;
        None
    }
}
