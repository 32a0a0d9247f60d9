//! Answers in words, as a terminal shows them.

use std::fmt::{self, Write};

use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{Answer, AnyBoard, Bound, Evaluation, MoveText, SearchSummary};

/// A move as people write it.
pub fn move_words(mv: &MoveText) -> &str {
    mv.san.as_deref().unwrap_or(&mv.text)
}

/// An evaluation in words.
pub fn value_words(evaluation: &Evaluation) -> String {
    let is_proven = evaluation.outcome.is_some();
    let bound = match if is_proven { evaluation.plies_bound } else { evaluation.score_bound } {
        None => "",
        Some(Bound::AtLeast) => "at least ",
        Some(Bound::AtMost) => "at most ",
    };
    let outcome = match evaluation.outcome {
        Some(Outcome::Win) => "win",
        Some(Outcome::Loss) => "loss",
        Some(Outcome::Draw) => return "draw".to_owned(),
        None => return format!("{bound}{:+} ({:+.2})", evaluation.score, evaluation.value),
    };
    let plies = evaluation.plies.map(|plies| format!(" in {bound}{plies}"));
    format!("{outcome}{}", plies.unwrap_or_default())
}

/// The answer to a search of `board` in lines: the board, the best move with its reasons, the evaluation and the expected
/// line.
pub fn answer_words(board: &dyn AnyBoard, answer: &Answer) -> String {
    let mut words = board.drawing();
    // Writing to a text does not fail.
    let _ = write_answer(&mut words, answer);
    words
}

fn write_answer(output: &mut String, answer: &Answer) -> fmt::Result {
    writeln!(output, "{} to move", answer.side_to_move)?;
    if let Some(threat) = &answer.threat {
        writeln!(output, "the other side: {}", threat.text)?;
    }
    writeln!(output, "best move: {}", move_words(&answer.best_move))?;
    for reason in answer.reasons.iter().flatten() {
        writeln!(output, "- {}", reason.text)?;
    }
    writeln!(output, "evaluation: {}", value_words(&answer.evaluation))?;
    let line: Vec<_> = answer.principal_variation.iter().map(move_words).collect();
    writeln!(output, "line: {}", line.join(" "))?;
    let SearchSummary { algorithm, depth, nodes, stopped_by, .. } = answer.search;
    let (name, end) = (algorithm.name(), stopped_by.name());
    writeln!(output, "search: {name}, depth {depth}, {nodes} nodes, stopped by {end}")
}
