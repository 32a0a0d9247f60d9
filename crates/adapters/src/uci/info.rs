//! The `info` lines of a search: one for each of the moves that are asked for.

use std::fmt::Write;
use std::time::Duration;

use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{Answer, Evaluation, GameStatus, MoveText};

/// The answer where there is no move to tell.
pub(super) const NO_MOVE: &str = "bestmove (none)";

/// What a search of a position in which the game is over has to tell: a mate, or else a draw.
pub(super) fn of_ended(status: &GameStatus) -> String {
    let score = if matches!(status, GameStatus::Won { .. }) { "mate 0" } else { "cp 0" };
    format!("info depth 0 score {score}\n{NO_MOVE}")
}

/// The best move of an answer, and the reply that is expected.
pub(super) fn best_move(answer: &Answer) -> String {
    let best = &answer.best_move.text;
    match &answer.principal_variation[..] {
        [first, reply, ..] if first.text == *best => {
            format!("bestmove {best} ponder {}", reply.text)
        }
        _ => format!("bestmove {best}"),
    }
}

/// The `info` lines of an answer after so much time.
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
        // A string takes whatever is written.
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

/// Whether the side to move wins within so many plies, as far as is proven.
pub(super) fn is_win_within(evaluation: &Evaluation, plies: u64) -> bool {
    evaluation.outcome == Some(Outcome::Win)
        && evaluation.plies.is_some_and(|it| u64::from(it) <= plies)
}
