//! `bestmove uci`: the Universal Chess Interface (UCI), by which chess programs ask engines.
//!
//! One thread reads commands, one searches, and the present one answers, so a command is answered at
//! once while a search runs.

mod go;
mod info;
mod options;
mod running;
mod session;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use clap::Args;

use self::session::Session;
use crate::http::Problem;
use bestmove_engine::games::any::Answer;
use bestmove_engine::games::{CATALOGUE, Knowledge};

/// Speak the Universal Chess Interface (UCI) over standard input and output, for chess programs
#[derive(Args, Clone, Copy, Debug)]
pub struct Uci {}

impl Uci {
    /// Answers commands until `quit`, or the end of the input.
    ///
    /// # Errors
    /// Where the answers can't be written.
    pub fn run(
        self,
        input: impl BufRead + Send + 'static,
        output: impl Write,
        knowledge: &Knowledge,
    ) -> io::Result<()> {
        let game = CATALOGUE.iter().find(|game| game.info().uci);
        let game = *game.ok_or_else(|| io::Error::other("no game has this interface"))?;
        let board = game.board(None, &[]).map_err(|error| io::Error::other(message(error)))?;
        let (sender, events) = channel();
        let lines = sender.clone();
        thread::spawn(move || read_lines(input, &lines));
        Session::new(game, board, knowledge, sender, output).serve(&events)
    }
}

/// What the answering thread waits for.
enum Event {
    /// A command, and when it came: a clock runs from there.
    Line(String, Instant),
    /// There are no more commands.
    EndOfInput,
    /// A depth is completed.
    Progress(Box<Answer>),
    /// The search has ended.
    Found(Box<Answer>),
}

/// Sends every line on, until the session ends. Bytes that are no text are replaced.
fn read_lines(input: impl BufRead, events: &Sender<Event>) {
    for line in input.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        if events.send(Event::Line(line, Instant::now())).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// What is wrong with a request, on one line.
fn message(error: impl Into<Problem>) -> String {
    error.into().to_string()
}
