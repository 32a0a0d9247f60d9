//! Reasons for the moves of a reviewed game, and its exercises.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::summary::{Exercise, Label, ReviewInclude, ReviewedMove};
use super::values::seen;
use super::{ReviewResult, ReviewedGame};
use crate::move_words;
use crate::reasons::{self, Explainer, Limits, Valued, kind_description, piece_words};
use bestmove_engine::games::any::{AnyBoard, Evaluation, GameStatus, MoveText};
use bestmove_engine::host::Instant;

/// The explanation of a move of a reviewed game, ready to run.
pub struct ExplanationJob {
    pub(super) game: Arc<ReviewedGame>,
    pub(super) board: Box<dyn AnyBoard>,
    pub(super) reviewed: ReviewedMove,
    /// The line that was expected after the move.
    pub(super) next: Vec<MoveText>,
}

/// The greatest number of moves of a solution.
const MOST_MOVES: usize = 12;

impl ExplanationJob {
    /// The bytes that the tables of the explanation may occupy.
    pub fn memory(&self) -> usize {
        reasons::memory(&*self.board, &self.game.context.knowledge)
    }

    /// Runs the explanation on the present thread, until `stop` is raised.
    pub fn run(self, stop: &AtomicBool) -> ReviewResult {
        let Self { game, board, mut reviewed, next } = self;
        let ReviewInclude { reasons, exercises, .. } = game.include;
        let is_first = reviewed.side == game.sides[0];
        let best = Valued::of(&reviewed.best);
        let best = Valued { evaluation: seen(best.evaluation, is_first), ..best };
        let deadline = game.context.max_time.map(|time| Instant::now() + time);
        let limits = Limits { stop, deadline };
        let explainer = Explainer::new(&*board, &game.context.knowledge, limits);
        let is_best = best.mv == reviewed.mv;
        if reasons {
            let played = || played(&reviewed, &*board, &next, is_first);
            let own = if is_best { best.clone() } else { played() };
            let other = (!is_best).then(|| best.clone());
            reviewed.reasons = explainer.reasons(own, other, is_best).or_else(|| Some(Vec::new()));
        }
        let is_exercise = exercises && matches!(reviewed.label, Label::Mistake | Label::Blunder);
        let mut told = None;
        if !is_best && (reasons || is_exercise) {
            let of_best = explainer.reasons(best.clone(), None, true);
            let kind = of_best.iter().flatten().next().map(|reason| reason.kind);
            told = is_exercise.then(|| {
                let accepted = explainer.as_good(&best, &reviewed.mv);
                exercise(&reviewed, &*board, &best, kind, accepted)
            });
            reviewed.best.is_unexplained = reasons && of_best.is_none();
            reviewed.best.reasons = of_best.filter(|_| reasons);
        }
        reviewed.are_reasons_cut = explainer.is_cut();
        game.result(reviewed, told)
    }
}

/// The move that was played, with its value before it.
fn played(
    reviewed: &ReviewedMove,
    board: &dyn AnyBoard,
    next: &[MoveText],
    is_first: bool,
) -> Valued {
    let after = board.after(&reviewed.mv.text, 0).ok();
    let has_ended = after.is_some_and(|after| after.state().status != GameStatus::Ongoing);
    let evaluation = seen(reviewed.evaluation, is_first);
    let plies = if has_ended { Some(1) } else { evaluation.plies.map(|plies| plies + 1) };
    let line = std::iter::once(&reviewed.mv).chain(next).cloned().collect();
    Valued { mv: reviewed.mv.clone(), evaluation: Evaluation { plies, ..evaluation }, line }
}

fn exercise(
    reviewed: &ReviewedMove,
    board: &dyn AnyBoard,
    best: &Valued,
    kind: Option<&'static str>,
    accepted: Vec<String>,
) -> Exercise {
    let (side, count) = (reviewed.side, accepted.len());
    let path = reviewed.best.drawing.as_ref().map(|drawing| &drawing.path[..]);
    let piece = match path {
        Some([from, _, ..]) => format!("Look at {}.", piece_words(board, *from)),
        _ if count > 1 => format!("{side} is to move, and {count} moves are right."),
        _ => format!("{side} is to move, and one move alone is right."),
    };
    let idea = kind.and_then(|kind| Some(format!("{kind}: {}", kind_description(board, kind)?)));
    let cost = || format!("{} costs {} points.", move_words(&reviewed.mv), reviewed.loss);
    let idea = idea.unwrap_or_else(cost);
    let solution = best.line.iter().take(MOST_MOVES).map(|mv| mv.text.clone());
    Exercise {
        ply: reviewed.ply,
        position: board.state().position,
        side_to_move: reviewed.side,
        played: reviewed.mv.clone(),
        solution: solution.collect(),
        accepted,
        kind,
        hints: [piece, idea, format!("Play {}.", move_words(&best.mv))],
    }
}
