//! What a tuner or a trainer learns from a game that was played.

use super::board::Board;
use super::{Refusal, plan};
use crate::game::linear::{Layout, Trace};
use crate::game::network::Sight;
use crate::game::{Evaluator, Game};

/// An evaluation that can be learned.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// The weights that a tuner can find; none where the score is no sum.
    pub layout: Option<Layout>,
    /// How many features its network is shown; 0 where it has none.
    pub features: usize,
    /// The score at which the side to move is expected to score three quarters of the points.
    pub half_value: i32,
}

/// The model of the evaluator of that name, or of the game's first.
pub(super) fn model<G: Game>(evaluator: Option<&str>) -> Result<Model, Refusal> {
    let (_, evaluator) = plan::evaluator::<G>(evaluator)?;
    Ok(Model {
        layout: evaluator.layout(),
        features: evaluator.features(),
        half_value: evaluator.half_value(),
    })
}

/// Plays `moves` from the start; `sink` sees how the score of every quiet position before a move
/// comes about, with the number of that move.
pub(super) fn traces<G: Game>(
    evaluator: Option<&str>,
    moves: &[String],
    sink: &mut dyn FnMut(usize, Trace),
) -> Result<(), Refusal> {
    let (_, evaluator) = plan::evaluator::<G>(evaluator)?;
    visit::<G>(moves, |number, position| {
        let quiet = evaluator.is_quiet(position).then_some(position);
        if let Some(trace) = quiet.and_then(|position| evaluator.trace(position)) {
            sink(number, trace);
        }
    })
}

/// As [`traces`], with what a network is shown.
pub(super) fn sights<G: Game>(
    evaluator: Option<&str>,
    moves: &[String],
    sink: &mut dyn FnMut(usize, Sight),
) -> Result<(), Refusal> {
    let (_, evaluator) = plan::evaluator::<G>(evaluator)?;
    visit::<G>(moves, |number, position| {
        let quiet = evaluator.is_quiet(position).then_some(position);
        if let Some(sight) = quiet.and_then(|position| evaluator.sight(position)) {
            sink(number, sight);
        }
    })
}

/// Plays `moves` from the start and shows the position before each.
fn visit<G: Game>(
    moves: &[String],
    mut sink: impl FnMut(usize, &G::Position),
) -> Result<(), Refusal> {
    let mut board = Board::<G>::new(G::start());
    for (index, text) in moves.iter().enumerate() {
        let mv = board.read_move("moves", index, text)?;
        sink(index, &board.position);
        board.play(mv);
    }
    Ok(())
}
