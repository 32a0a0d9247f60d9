//! The `info` lines of a search: a line for each of the best moves, as many as `MultiPV` says.

use std::fmt::Write;
use std::time::Duration;

use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{Answer, Evaluation, GameStatus, MoveText};

/// The answer in a position without a move.
pub(super) const NO_MOVE: &str = "bestmove (none)";

/// The `info` line of a position in which the game is over: a mate, or else a draw.
pub(super) fn of_ended(status: &GameStatus) -> String {
    let score = if matches!(status, GameStatus::Won { .. }) { "mate 0" } else { "cp 0" };
    format!("info depth 0 score {score}\n{NO_MOVE}")
}

/// The line with the best move and the expected reply.
pub(super) fn best_move(answer: &Answer) -> String {
    let best = &answer.best_move.text;
    match &answer.principal_variation[..] {
        [first, reply, ..] if first.text == *best => {
            format!("bestmove {best} ponder {}", reply.text)
        }
        _ => format!("bestmove {best}"),
    }
}

/// The `info` lines of an answer.
pub(super) fn lines(answer: &Answer, elapsed: Duration) -> String {
    let best = (&answer.evaluation, &answer.principal_variation);
    let others = answer.variations.iter().map(|it| (&it.evaluation, &it.principal_variation));
    let shown: Vec<_> = if answer.variations.is_empty() { vec![best] } else { others.collect() };
    let micros = elapsed.as_micros().max(1);
    let speed = u128::from(answer.search.nodes) * 1_000_000 / micros;
    let (depth, nodes, time) = (answer.search.depth, answer.search.nodes, micros / 1000);
    let usage =
        answer.search.table_usage.map(|usage| format!(" hashfull {usage}")).unwrap_or_default();
    let lines = (1..).zip(shown).map(|(place, (evaluation, line))| {
        let (score, moves) = (score(evaluation), moves(line));
        format!(
            "info depth {depth} multipv {place} score {score} nodes {nodes} nps {speed}{usage} time {time} pv{moves}"
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn moves(line: &[MoveText]) -> String {
    let mut moves = String::new();
    for mv in line {
        // Writing to a string cannot fail.
        let _ = write!(moves, " {}", mv.text);
    }
    moves
}

/// The value in centipawns, or the moves to mate, below zero for the side that is mated.
fn score(evaluation: &Evaluation) -> String {
    match (evaluation.outcome, evaluation.plies) {
        (Some(Outcome::Win), Some(plies)) => format!("mate {}", plies.div_ceil(2)),
        (Some(Outcome::Loss), Some(plies)) => format!("mate -{}", plies.div_ceil(2)),
        _ => format!("cp {}", evaluation.score),
    }
}

/// Whether a win of the side to move within `plies` is proven.
pub(super) fn is_win_within(evaluation: &Evaluation, plies: u64) -> bool {
    evaluation.outcome == Some(Outcome::Win)
        && evaluation.plies.is_some_and(|it| u64::from(it) <= plies)
}
