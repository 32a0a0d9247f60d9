//! `bestmove uci`: the Universal Chess Interface (UCI), by which chess programs ask engines.
//!
//! One thread reads commands, one searches, and the present thread answers, so that a command is answered at once while a
//! search runs.

mod event;
mod go;
mod info;
mod options;
mod running;
mod session;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::channel;
use std::thread;

use clap::Args;

use self::event::read_lines;
use self::session::Session;
use bestmove_engine::games::{Knowledge, catalogue};

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
        let game = catalogue().iter().find(|game| game.info().uci);
        let game = *game.ok_or_else(|| io::Error::other("no game has this interface"))?;
        let board = game.board(None, &[]).map_err(io::Error::other)?;
        let (sender, events) = channel();
        let lines = sender.clone();
        thread::spawn(move || read_lines(input, &lines));
        Session::new(game, board, knowledge, sender, output).serve(&events)
    }
}
