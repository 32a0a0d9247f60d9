//! The service without HTTP: commands that answer without a server, the terminal game, the Universal Chess Interface, and
//! the Model Context Protocol.

// What a caller can influence never panics; tests may.
#![warn(clippy::expect_used, clippy::panic, clippy::unwrap_used)]
#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

mod best_move;
pub mod mcp;
mod options;
mod play;
mod review;
mod uci;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::AtomicBool;

pub use self::best_move::BestMove;
pub use self::play::Play;
pub use self::review::ReviewCommand;
pub use self::uci::Uci;
use serde::Serialize;

use bestmove_api::{
    BoardRequest, Context, Control, Include, Job, Problem, Refusal, Wanted, move_words, value_words,
};
use bestmove_engine::games::any::{Answer, AnyBoard, RequestError, SearchParameters};

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
    let observer = &mut |Answer { search, best_move, evaluation, .. }: Answer| {
        let (best, value) = (move_words(&best_move), value_words(&evaluation));
        show_progress(&format!("depth {}, {} nodes: {best}, {value}", search.depth, search.nodes));
    };
    let control = Control { stop: &AtomicBool::new(false), observer: Some(observer) };
    let answer = job.run(control);
    show_progress("");
    Ok(answer)
}

/// Shows a text on standard error in place of the one before, where that is a terminal.
fn show_progress(text: &str) {
    if io::stderr().is_terminal() {
        // To the start of the line, and nothing to its end (ECMA-48). Progress that can't be shown is no reason to stop.
        let _ = write!(io::stderr(), "\r\x1b[K{text}");
    }
}

/// Writes an answer as the service does.
fn write_json(mut output: impl Write, answer: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut output, answer)?;
    writeln!(output)
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
