//! What a tuner learns from a game that was played.

use super::board::Board;
use super::{Refusal, plan};
use crate::game::linear::{Layout, Trace};
use crate::game::{Evaluator, Game};

/// An evaluation whose weights a tuner can find.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Its weights.
    pub layout: Layout,
    /// The score at which the side to move is expected to score three quarters of the points.
    pub half_value: i32,
}

/// The weights of the evaluator of that name, or of the game's first; `None` where its score is no
/// sum.
pub(super) fn model<G: Game>(evaluator: Option<&str>) -> Result<Option<Model>, Refusal> {
    let (_, evaluator) = plan::evaluator::<G>(evaluator)?;
    let half_value = evaluator.half_value();
    Ok(evaluator.layout().map(|layout| Model { layout, half_value }))
}

/// Plays `moves` from the start; `sink` sees how the score of every quiet position before a move
/// comes about, with the number of that move.
pub(super) fn traces<G: Game>(
    evaluator: Option<&str>,
    moves: &[String],
    sink: &mut dyn FnMut(usize, Trace),
) -> Result<(), Refusal> {
    let (_, evaluator) = plan::evaluator::<G>(evaluator)?;
    let mut board = Board::<G>::new(G::start());
    for (index, text) in moves.iter().enumerate() {
        let mv = board.read_move("moves", index, text)?;
        let quiet = evaluator.is_quiet(&board.position).then_some(&board.position);
        if let Some(trace) = quiet.and_then(|position| evaluator.trace(position)) {
            sink(index, trace);
        }
        board.play(mv);
    }
    Ok(())
}
