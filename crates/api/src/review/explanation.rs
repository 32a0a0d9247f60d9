//! Reasons for the moves of a reviewed game, and its exercises.

use super::ReviewedGame;
use super::summary::{Exercise, Label, ReviewInclude, ReviewedMove};
use super::values::{points_of, seen, shown_points};
use crate::reasons::{Explainer, LEAST_LOSS, Limits, Valued, kind_description, piece_words};
use bestmove_engine::games::any::{AnyBoard, Evaluation, GameStatus, MoveText};

/// A reviewed move with its reasons and its exercise.
pub(super) struct Explained {
    pub(super) reviewed: ReviewedMove,
    pub(super) exercise: Option<Exercise>,
}

/// The greatest number of moves of a solution.
const MOST_MOVES: usize = 12;

/// Explains a reviewed move of `board`; `next` is the line that was expected after it.
pub(super) fn explained(
    mut reviewed: ReviewedMove,
    board: &dyn AnyBoard,
    next: &[MoveText],
    is_first: bool,
    game: &ReviewedGame,
    limits: Limits,
) -> Explained {
    let ReviewInclude { reasons, exercises, .. } = game.include;
    let best = Valued::of(&reviewed.best);
    let best = Valued { evaluation: seen(best.evaluation, is_first), ..best };
    let explainer = Explainer::new(board, &game.context.knowledge, limits);
    let is_best = best.mv == reviewed.mv;
    if reasons {
        let own = if is_best { best.clone() } else { played(&reviewed, board, next, is_first) };
        let other = (!is_best).then(|| best.clone());
        reviewed.reasons = explainer.reasons(own, other).or_else(|| Some(Vec::new()));
    }
    let is_exercise = exercises
        && matches!(reviewed.label, Label::Mistake | Label::Blunder)
        && !is_best
        && is_alone(&explainer, &best);
    let mut told = None;
    if !is_best && (reasons || is_exercise) {
        let of_best = explainer.reasons(best.clone(), None);
        let kind = of_best.iter().flatten().next().map(|reason| reason.kind);
        told = is_exercise.then(|| exercise(&reviewed, board, &best, kind));
        reviewed.best.is_unexplained = reasons && of_best.is_none();
        reviewed.best.reasons = of_best.filter(|_| reasons);
    }
    reviewed.are_reasons_cut = explainer.is_cut();
    Explained { reviewed, exercise: told }
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

/// Whether every other move is clearly worse than the best one.
fn is_alone(explainer: &Explainer, best: &Valued) -> bool {
    let second = explainer.best_other(&best.mv);
    second.is_some_and(|second| {
        let loss = points_of(&best.evaluation) - points_of(&second.evaluation);
        shown_points(loss) >= LEAST_LOSS
    })
}

fn exercise(
    reviewed: &ReviewedMove,
    board: &dyn AnyBoard,
    best: &Valued,
    kind: Option<&'static str>,
) -> Exercise {
    let words = best.mv.san.as_ref().unwrap_or(&best.mv.text);
    let path = reviewed.best.drawing.as_ref().map(|drawing| &drawing.path[..]);
    let piece = match path {
        Some([from, _, ..]) => format!("Look at {}.", piece_words(board, *from)),
        _ => format!("{} is to move, and one move alone holds.", reviewed.side),
    };
    let idea = kind.and_then(|kind| Some(format!("{kind}: {}", kind_description(board, kind)?)));
    let idea = idea.unwrap_or_else(|| "Every other move is clearly worse.".to_owned());
    let solution = best.line.iter().take(MOST_MOVES).map(|mv| mv.text.clone());
    Exercise {
        ply: reviewed.ply,
        position: board.state().position,
        side_to_move: reviewed.side,
        played: reviewed.mv.clone(),
        solution: solution.collect(),
        kind,
        hints: [piece, idea, format!("Play {words}.")],
    }
}
