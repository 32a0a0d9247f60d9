//! The service without HTTP: commands that answer without a server, the terminal game, the Universal Chess Interface, and
//! the Model Context Protocol.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]
#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

mod best_move;
pub mod mcp;
mod options;
mod play;
mod progress;
mod review;
mod uci;

use std::fmt::Display;
use std::io;
use std::sync::atomic::AtomicBool;

pub use self::best_move::BestMove;
pub use self::play::Play;
use self::progress::ProgressLine;
pub use self::review::ReviewCommand;
pub use self::uci::Uci;
use bestmove_api::{BoardRequest, Context, Control, Include, Job, Problem, Refusal, Wanted};
use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{
    Answer, AnyBoard, Bound, Evaluation, MoveText, RequestError, SearchParameters,
};

fn board(request: &BoardRequest) -> io::Result<Box<dyn AnyBoard>> {
    request.board().map_err(|refusal| refused(request, refusal))
}

/// Prepares a job about a board and runs it on the present thread.
fn answer(
    request: &BoardRequest,
    parameters: &SearchParameters,
    wanted: Wanted,
    context: &Context,
) -> io::Result<Answer> {
    let include = Include { wanted, ..Include::default() };
    let job = Job::new(request, parameters, include, context);
    let job = job.map_err(|refusal| refused(request, refusal))?;
    let progress = ProgressLine::new();
    let mut show = |so_far: Answer| {
        let (depth, nodes) = (so_far.search.depth, so_far.search.nodes);
        let (best, value) = (move_words(&so_far.best_move), value_words(&so_far.evaluation));
        progress.show(&format!("depth {depth}, {nodes} nodes: {best}, {value}"));
    };
    let observer = progress.is_enabled.then_some(&mut show as &mut dyn FnMut(Answer));
    Ok(job.run(Control { stop: &AtomicBool::new(false), observer }))
}

/// An error with the text of `error`.
fn io_error(error: impl Display) -> io::Error {
    io::Error::other(error.to_string())
}

/// The error of a refused request, with the legal moves as people write them.
fn refused(request: &BoardRequest, refusal: Refusal) -> io::Error {
    if let Refusal::Game(refused) = &refusal
        && let RequestError::Move { list, index, text, error, .. } = &**refused
    {
        let played = if *list == "moves" { *index } else { request.moves.len() };
        let moves = request.moves.iter().take(played).cloned().collect();
        if let Ok(board) = (BoardRequest { moves, ..request.clone() }).board() {
            let allowed = legal_moves(&*board).join(" ");
            let text = format!("{list}[{index}] '{text}': {error}; legal moves: {allowed}");
            return io::Error::other(text);
        }
    }
    io_error(Problem::from(refusal))
}

/// The legal moves as people write them.
fn legal_moves(board: &dyn AnyBoard) -> Vec<String> {
    board.legal_moves().iter().map(|legal| move_words(&legal.mv).to_owned()).collect()
}

/// A move as people write it.
fn move_words(mv: &MoveText) -> &str {
    mv.san.as_deref().unwrap_or(&mv.text)
}

/// An evaluation in words.
fn value_words(evaluation: &Evaluation) -> String {
    let (at_most, at_least) =
        (bound_words(evaluation.plies_bound), bound_words(evaluation.score_bound));
    let outcome = match evaluation.outcome {
        Some(Outcome::Win) => "win",
        Some(Outcome::Loss) => "loss",
        Some(Outcome::Draw) => return "draw".to_owned(),
        None => return format!("{at_least}{:+} ({:+.2})", evaluation.score, evaluation.value),
    };
    match evaluation.plies {
        Some(plies) => format!("{outcome} in {at_most}{plies}"),
        None => outcome.to_owned(),
    }
}

fn bound_words(bound: Option<Bound>) -> &'static str {
    match bound {
        None => "",
        Some(Bound::AtLeast) => "at least ",
        Some(Bound::AtMost) => "at most ",
    }
}
