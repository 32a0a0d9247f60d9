//! What a tuner or a trainer learns from a game that was played.

use super::board::Board;
use super::{RequestError, plan};
use crate::game::linear::{Layout, Trace};
use crate::game::{Evaluator, Game, SelectiveHooks, Trainable};
use crate::nn::{NetworkInput, NetworkShape};

/// An evaluation that can be learned.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// The weights that a tuner can find; none where the score is no sum.
    pub layout: Option<Layout>,
    /// The networks that a trainer can find; none where it has none.
    pub networks: Option<NetworkShape>,
    /// The score at which the side to move is expected to score three quarters of the points.
    pub half_value: i32,
}

/// The model of the evaluator of that name, or of the game's first.
pub(super) fn model<G: Game>(evaluator: Option<&str>) -> Result<Model, RequestError> {
    let (_, evaluator) = plan::evaluator::<G>(evaluator)?;
    Ok(Model {
        layout: evaluator.layout(),
        networks: evaluator.network_shape(),
        half_value: evaluator.half_value(),
    })
}

/// Plays `moves` from the start; `sink` sees how the score of every quiet position before a move
/// comes about, with the number of that move.
pub(super) fn traces<G: Game>(
    evaluator: Option<&str>,
    moves: &[String],
    sink: &mut dyn FnMut(usize, Trace),
) -> Result<(), RequestError> {
    visit::<G, _>(evaluator, moves, G::Evaluator::trace, sink)
}

/// As [`traces`], with what a network is shown.
pub(super) fn network_inputs<G: Game>(
    evaluator: Option<&str>,
    moves: &[String],
    sink: &mut dyn FnMut(usize, NetworkInput),
) -> Result<(), RequestError> {
    visit::<G, _>(evaluator, moves, G::Evaluator::network_input, sink)
}

/// Plays `moves` from the start; `sink` sees what the evaluator tells of every quiet position before a
/// move, with the number of that move.
fn visit<G: Game, T>(
    evaluator: Option<&str>,
    moves: &[String],
    told: impl Fn(&G::Evaluator, &G::Position) -> Option<T>,
    sink: &mut dyn FnMut(usize, T),
) -> Result<(), RequestError> {
    let (_, evaluator) = plan::evaluator::<G>(evaluator)?;
    let mut board = Board::<G>::new(G::start());
    for (number, text) in moves.iter().enumerate() {
        let mv = board.read_move("moves", number, text)?;
        let position = &board.position;
        if evaluator.is_quiet(position)
            && let Some(lesson) = told(&evaluator, position)
        {
            sink(number, lesson);
        }
        board.play(mv);
    }
    Ok(())
}
