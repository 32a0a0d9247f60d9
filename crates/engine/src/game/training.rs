//! What a trainer asks of an evaluation: which features a position has.

use super::linear::{Accumulator, Layout};
use super::{Evaluator, Position};
use crate::network::{NetworkSize, SparseInput};
use crate::nn::{NetworkInput, NetworkShape};

/// An evaluation whose weights or networks can be trained. The defaults are right for one that has neither.
///
/// ```
/// use bestmove_engine::game::{Game, Trainable};
/// use bestmove_engine::games::{self, othello::Othello};
/// let knowledge = games::load_knowledge(None)?.of::<Othello>();
/// let evaluator = Othello::evaluator("network", &knowledge).expect("one of the evaluators");
/// let start = Othello::Standard.start();
/// assert!(evaluator.network_size().is_some() && evaluator.sparse_input(&start).is_some());
/// assert!(evaluator.layout().is_none(), "its score is no weighted sum");
/// # Ok::<_, std::io::Error>(())
/// ```
pub trait Trainable<P: Position>: Evaluator<P> {
    /// The weights of the linear part of the score; `None` where there is no such part.
    fn layout(&self) -> Option<Layout> {
        None
    }

    /// Counts the features of an unfinished position. Returns the shares of the opening weights and of the
    /// ending weights in the linear score, from the view of the first side; `None` where the score of this
    /// position is no weighted sum.
    fn count_features(&self, position: &P, accumulator: &mut impl Accumulator) -> Option<[f64; 2]> {
        let _ = (position, accumulator);
        None
    }

    /// The dimensions of the network that is the score; `None` where the score is something else.
    fn network_size(&self) -> Option<NetworkSize> {
        None
    }

    /// The input of that network for an unfinished position.
    fn sparse_input(&self, position: &P) -> Option<SparseInput> {
        let _ = position;
        None
    }

    /// The networks that are part of the score; `None` where there is none.
    fn network_shape(&self) -> Option<NetworkShape> {
        None
    }

    /// The input of the network for an unfinished position, and the score without the network; `None` where there
    /// is no network.
    fn network_input(&self, position: &P) -> Option<NetworkInput> {
        let _ = position;
        None
    }
}
