//! `bestmove uci`: the Universal Chess Interface (UCI), by which chess programs ask engines.
//!
//! One thread reads commands, one searches, and the present one answers, so a command is answered at
//! once while a search runs.

mod go;
mod info;
mod options;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use self::go::Go;
use self::options::Options;
use crate::http::Problem;
use bestmove_engine::game::PositionText;
use bestmove_engine::games::any::{Answer, AnyBoard, AnyGame, AnySearch};
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
        let options = Options::new(game);
        Session { game, knowledge, options, board, search: None, next: None, sender, output }
            .serve(&events)
    }
}

/// What the answering thread waits for.
enum Event {
    /// A command.
    Line(String),
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
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// What is wrong with a request, on one line.
fn message(error: impl Into<Problem>) -> String {
    error.into().to_string()
}

/// A session with one chess program.
struct Session<'a, W> {
    knowledge: &'a Knowledge,
    game: &'static dyn AnyGame,
    options: Options,
    board: Box<dyn AnyBoard>,
    search: Option<Running>,
    /// The search that starts once the present one, which has been stopped, has ended.
    next: Option<Prepared>,
    sender: Sender<Event>,
    output: W,
}

/// A search that is ready to run, and how it will.
struct Prepared {
    search: Box<dyn AnySearch>,
    running: Running,
}

/// A search that runs, or has ended and whose result waits for `stop`.
struct Running {
    stop: Arc<AtomicBool>,
    /// When it was asked for.
    start: Instant,
    /// The time after which no further depth is begun.
    soft_limit: Option<Duration>,
    /// The plies within which a forced win ends the search.
    mate: Option<u64>,
    /// Whether its result waits for the command `stop`.
    is_infinite: bool,
    /// The positions visited when the last `info` was sent.
    reported_nodes: u64,
    /// Its result, which waits.
    found: Option<Box<Answer>>,
}

impl<W: Write> Session<'_, W> {
    fn serve(mut self, events: &Receiver<Event>) -> io::Result<()> {
        let mut has_ended = false;
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(line) => {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    if words.first() == Some(&"quit") {
                        self.stop();
                        return Ok(());
                    }
                    if let Err(error) = self.command(&words)? {
                        self.report_error(&error)?;
                    }
                }
                Event::EndOfInput => has_ended = true,
                Event::Progress(answer) => self.progress(&answer)?,
                Event::Found(answer) => self.found(answer)?,
            }
            if has_ended {
                // What is bounded is finished.
                match &self.search {
                    None => return Ok(()),
                    Some(search) if search.is_infinite => self.end_search()?,
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Does what a command says; the inner error is for the other program.
    fn command(&mut self, words: &[&str]) -> io::Result<Result<(), String>> {
        match words {
            [] | ["debug" | "register" | "ponderhit", ..] => {}
            ["uci", ..] => self.identify()?,
            ["ucinewgame", ..] => self.options.seed = fastrand::u64(..),
            ["isready", ..] => self.send("readyok")?,
            ["setoption", setting @ ..] => return Ok(self.options.set(setting)),
            ["position", position @ ..] => return Ok(self.set_position(position)),
            ["go", _limits @ ..] if self.is_busy() => {
                return Ok(Err("a search is running already".to_owned()));
            }
            ["go", limits @ ..] => self.go(limits)?,
            ["stop", ..] => self.end_search()?,
            [unknown, ..] => return Ok(Err(format!("unknown command: {unknown}"))),
        }
        Ok(Ok(()))
    }

    fn identify(&mut self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        self.send(&format!("id name bestmove {version}\nid author the bestmove authors"))?;
        for option in self.options.declarations() {
            self.send(&format!("option name {option}"))?;
        }
        self.send("uciok")
    }

    fn send(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn report_error(&mut self, error: &str) -> io::Result<()> {
        self.send(&format!("info string {error}"))
    }

    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (position, moves) = words.split_at(moves);
        let position = match position {
            ["startpos"] => None,
            ["fen", fen @ ..] if !fen.is_empty() => Some(PositionText::Text(fen.join(" "))),
            _ => return Err("position: expected startpos or fen".to_owned()),
        };
        let moves: Vec<String> = moves.iter().skip(1).map(|&mv| mv.to_owned()).collect();
        self.board = self.game.board(position.as_ref(), &moves).map_err(message)?;
        Ok(())
    }

    /// Whether a search runs that has not been stopped, or another one waits already.
    fn is_busy(&self) -> bool {
        let is_running = |search: &Running| !search.stop.load(Ordering::Relaxed);
        self.next.is_some() || self.search.as_ref().is_some_and(is_running)
    }

    fn go(&mut self, words: &[&str]) -> io::Result<()> {
        let (go, errors) = Go::parse(words);
        for error in &errors {
            self.report_error(error)?;
        }
        if !errors.is_empty() && !go.infinite && go.is_infinite() {
            // Without the limit that can't be read it would not end.
            return self.send("bestmove (none)");
        }
        let is_first = self.board.state().side_to_move == self.game.info().sides[0];
        let budget = go.budget(is_first, self.board.has_choice(), self.options.overhead);
        let max_depth = self.game.info().max_depth;
        let parameters = self.options.parameters(&go, budget.hard_limit, max_depth);
        let search = match self.board.search(&parameters, self.knowledge) {
            Ok(search) => search,
            Err(error) => {
                self.report_error(&message(error))?;
                return self.send("bestmove (none)");
            }
        };
        let running = Running {
            start: Instant::now(),
            stop: Arc::default(),
            soft_limit: budget.soft_limit,
            mate: go.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1)),
            is_infinite: go.is_infinite(),
            reported_nodes: 0,
            found: None,
        };
        self.next = Some(Prepared { search, running });
        self.start_next();
        Ok(())
    }

    /// Starts the search that waits, once no other one runs.
    fn start_next(&mut self) {
        if self.search.is_none()
            && let Some(Prepared { search, running }) = self.next.take()
        {
            spawn(search, Arc::clone(&running.stop), self.sender.clone());
            self.search = Some(running);
        }
    }

    fn progress(&mut self, answer: &Answer) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        search.reported_nodes = answer.nodes;
        let elapsed = search.start.elapsed();
        let is_found = |plies| info::is_win_within(&answer.evaluation, plies);
        if search.soft_limit.is_some_and(|limit| elapsed >= limit)
            || search.mate.is_some_and(is_found)
        {
            search.stop.store(true, Ordering::Relaxed);
        }
        self.send(&info::lines(answer, elapsed))
    }

    fn found(&mut self, answer: Box<Answer>) -> io::Result<()> {
        match &mut self.search {
            Some(search) if search.is_infinite => {
                search.found = Some(answer);
                Ok(())
            }
            _ => self.send_best_move(&answer),
        }
    }

    /// The command `stop`: the best move of an infinite search that has ended is sent now.
    fn end_search(&mut self) -> io::Result<()> {
        self.stop();
        match self.search.as_mut().and_then(|search| search.found.take()) {
            Some(answer) => self.send_best_move(&answer),
            None => Ok(()),
        }
    }

    fn stop(&mut self) {
        let next = self.next.as_mut().map(|next| &mut next.running);
        for search in self.search.as_mut().into_iter().chain(next) {
            search.stop.store(true, Ordering::Relaxed);
            search.is_infinite = false;
        }
    }

    fn send_best_move(&mut self, answer: &Answer) -> io::Result<()> {
        if let Some(search) =
            self.search.take().filter(|search| search.reported_nodes != answer.nodes)
        {
            self.send(&info::lines(answer, search.start.elapsed()))?;
        }
        self.send(&format!("bestmove {}", answer.best_move.text))?;
        self.start_next();
        Ok(())
    }
}

/// Searches on a thread of its own until it is done or told to stop.
fn spawn(search: Box<dyn AnySearch>, stop: Arc<AtomicBool>, events: Sender<Event>) {
    thread::spawn(move || {
        // The session has ended if its channel is closed.
        let observer = &mut |answer| {
            let _ = events.send(Event::Progress(Box::new(answer)));
        };
        let answer = search.run_with_progress(&stop, observer);
        let _ = events.send(Event::Found(Box::new(answer)));
    });
}
