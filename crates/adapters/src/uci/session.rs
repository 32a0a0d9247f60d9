//! A session with one chess program, command by command.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

use super::event::SessionEvent;
use super::go::{Go, TimeBudget};
use super::info;
use super::options::Options;
use super::running::{Prepared, Running, spawn};
use bestmove_engine::game::PositionText;
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{AnyBoard, AnyGame, AnySearch, RequestError, SearchParameters};
use bestmove_engine::search::SearchTables;
use parking_lot::Mutex;

/// The first words of all commands.
const COMMANDS: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// A session with one chess program.
pub(super) struct Session<'a, W> {
    knowledge: &'a Knowledge,
    options: Options,
    /// The position; `None` after a position that was refused.
    board: Option<Box<dyn AnyBoard>>,
    search: Option<Running>,
    /// The search that starts once the stopped one has ended.
    next: Option<Prepared>,
    /// The tables of the searches of the present game.
    tables: Arc<Mutex<SearchTables>>,
    sender: Sender<SessionEvent>,
    output: W,
}

impl<'a, W: Write> Session<'a, W> {
    pub(super) fn new(
        game: &'static dyn AnyGame,
        board: Box<dyn AnyBoard>,
        knowledge: &'a Knowledge,
        sender: Sender<SessionEvent>,
        output: W,
    ) -> Self {
        let (options, board) = (Options::new(game), Some(board));
        let (search, next, tables) = (None, None, Arc::default());
        Self { knowledge, options, board, search, next, tables, sender, output }
    }

    pub(super) fn serve(mut self, events: &Receiver<SessionEvent>) -> io::Result<()> {
        let mut has_ended = false;
        while let Some(event) = self.next_event(events) {
            match event {
                SessionEvent::Line(line, time) => {
                    // Unknown words before a command are skipped, as the protocol demands.
                    let words = line.split_whitespace();
                    let words: Vec<_> = words.skip_while(|it| !COMMANDS.contains(it)).collect();
                    match words[..] {
                        [] if line.trim().is_empty() => {}
                        [] => self.report_error(&format!("unknown command: {}", line.trim()))?,
                        ["quit", ..] => {
                            self.stop();
                            return Ok(());
                        }
                        [command, ref rest @ ..] => self.command(command, rest, time)?,
                    }
                }
                SessionEvent::EndOfInput => has_ended = true,
                SessionEvent::Progress(answer) => {
                    let lines = self.search.as_mut().map(|search| search.progress(&answer));
                    lines.map_or(Ok(()), |lines| self.send(&lines))?;
                }
                SessionEvent::Found(answer) => {
                    let lines = self.search.as_ref().map(|search| search.last_lines(&answer));
                    lines.map_or(Ok(()), |lines| self.conclude(lines))?;
                }
            }
            if has_ended {
                // After the end of the input a search with limits runs to its end.
                match &self.search {
                    None => return Ok(()),
                    Some(search) if search.waits() => self.end_search()?,
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Waits for the next event, and stops a search whose time is up.
    fn next_event(&mut self, events: &Receiver<SessionEvent>) -> Option<SessionEvent> {
        while let Some(search) = &mut self.search
            && let Some(deadline) = search.deadline
        {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                search.halt();
            } else if let Ok(event) = events.recv_timeout(left) {
                return Some(event);
            }
        }
        events.recv().ok()
    }

    fn command(&mut self, command: &str, words: &[&str], time: Instant) -> io::Result<()> {
        let done = match command {
            "uci" => return self.identify(),
            "isready" => return self.send("readyok"),
            "go" => return self.go(words, time),
            "stop" => return self.end_search(),
            "ponderhit" => return self.ponder_hit(time),
            "ucinewgame" => {
                self.options.seed = fastrand::u64(..);
                self.tables = Arc::default();
                Ok(())
            }
            "setoption" => self.options.set(words),
            "position" => self.set_position(words),
            // `debug` and `register` have nothing to do.
            _ => Ok(()),
        };
        done.or_else(|error| self.report_error(&error))
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

    /// Sets the position. A refused command leaves none, since the chess program does not ask about an earlier one.
    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        self.board = None;
        let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (position, moves) = words.split_at(moves);
        let position = match position {
            ["startpos"] => None,
            ["fen", fen @ ..] if !fen.is_empty() => Some(PositionText::Text(fen.join(" "))),
            ["startpos", ..] => {
                return Err("position: expected the word moves after startpos".to_owned());
            }
            _ => return Err("position: expected startpos or fen".to_owned()),
        };
        let moves: Vec<String> = moves.iter().skip(1).map(|&mv| mv.to_owned()).collect();
        let board = self.options.game().board(position.as_ref(), &moves);
        self.board = Some(board.map_err(|error| {
            let fischer_random = self.options.fischer_random;
            match fischer_random.map(|game| game.board(position.as_ref(), &moves)) {
                Some(Ok(_)) => {
                    "position: this is one of Chess960: set the option UCI_Chess960".to_owned()
                }
                _ => format!("{error:#}"),
            }
        })?);
        Ok(())
    }

    /// Whether a search runs without having been stopped, or another search waits.
    fn is_busy(&self) -> bool {
        self.next.is_some() || self.search.as_ref().is_some_and(|search| !search.is_stopped())
    }

    fn go(&mut self, words: &[&str], start: Instant) -> io::Result<()> {
        if self.is_busy() {
            return self.report_error("a search is running already");
        }
        let (go, mut notes) = Go::parse(words);
        let is_unreadable = !notes.is_empty() && !go.infinite && go.is_infinite();
        let budget = self.board.as_deref().map(|board| self.budget(&go, board));
        let mut running = Running::new(&go, budget.unwrap_or_default(), start);
        let search = match self.board.as_deref() {
            // Without the unreadable limit the search would not end.
            _ if is_unreadable => Err(info::NO_MOVE.to_owned()),
            None => {
                notes.push("there is no position: the last one was refused".to_owned());
                Err(info::NO_MOVE.to_owned())
            }
            Some(board) => {
                let max_depth = self.options.game().info().max_depth;
                let parameters = self.options.parameters(&go, running.time_left(), max_depth);
                search(board, parameters, self.knowledge, &mut notes)
            }
        };
        running.is_infinite |= search.is_ok() && go.is_infinite() && !go.ponder;
        for note in notes {
            self.report_error(&note)?;
        }
        self.next = Some(Prepared { search, running });
        self.start_next()
    }

    fn budget(&self, go: &Go, board: &dyn AnyBoard) -> TimeBudget {
        let is_first = board.state().side_to_move == self.options.game().info().sides[0];
        go.budget(is_first, board.has_choice(), self.options.overhead)
    }

    /// Starts the waiting search, if no other one runs.
    fn start_next(&mut self) -> io::Result<()> {
        if self.search.is_some() {
            return Ok(());
        }
        let Some(Prepared { search, running }) = self.next.take() else { return Ok(()) };
        let stop = Arc::clone(&running.stop);
        self.search = Some(running);
        match search {
            Ok(search) => {
                spawn(search, stop, Arc::clone(&self.tables), self.sender.clone());
                Ok(())
            }
            Err(answer) => self.conclude(answer),
        }
    }

    /// Sends the answer that ends a search, unless it has to wait for a command.
    fn conclude(&mut self, answer: String) -> io::Result<()> {
        match &mut self.search {
            Some(search) if search.waits() => {
                search.result = Some(answer);
                Ok(())
            }
            _ => {
                self.search = None;
                self.send(&answer)?;
                self.start_next()
            }
        }
    }

    /// Sends a waiting answer, if it need not wait any more.
    fn release(&mut self) -> io::Result<()> {
        let search = self.search.as_mut().filter(|search| !search.waits());
        match search.and_then(|search| search.result.take()) {
            Some(answer) => self.conclude(answer),
            None => Ok(()),
        }
    }

    fn end_search(&mut self) -> io::Result<()> {
        self.stop();
        self.release()
    }

    fn stop(&mut self) {
        self.searches().for_each(Running::stop);
    }

    fn ponder_hit(&mut self, time: Instant) -> io::Result<()> {
        self.searches().for_each(|search| search.ponder_hit(time));
        self.release()
    }

    /// The running search and the waiting one.
    fn searches(&mut self) -> impl Iterator<Item = &mut Running> {
        let next = self.next.as_mut().map(|next| &mut next.running);
        self.search.as_mut().into_iter().chain(next)
    }
}

/// The search of a position, or the answer of a position without one. Illegal moves of `searchmoves` are left out; where no
/// legal one remains, the answer is that there is no move, since the chess program excluded all others.
fn search(
    board: &dyn AnyBoard,
    mut parameters: SearchParameters,
    knowledge: &Knowledge,
    notes: &mut Vec<String>,
) -> Result<Box<dyn AnySearch>, String> {
    let mut found = board.search(&parameters, knowledge);
    if let (Err(RequestError::Move { .. }), Some(moves)) = (&found, &mut parameters.search_moves) {
        moves.retain(|mv| {
            let is_legal = board.after(mv, 0).is_ok();
            if !is_legal {
                notes.push(format!("go searchmoves: '{mv}' is illegal here and left out"));
            }
            is_legal
        });
        if moves.is_empty() {
            return Err(info::NO_MOVE.to_owned());
        }
        found = board.search(&parameters, knowledge);
    }
    found.map_err(|error| match error {
        RequestError::GameOver(state) => info::of_ended(&state.status),
        error => {
            notes.push(format!("{error:#}"));
            info::NO_MOVE.to_owned()
        }
    })
}
