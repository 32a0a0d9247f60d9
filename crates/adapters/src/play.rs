//! `bestmove play`: a game in the terminal.

use std::io::{self, BufRead, Write};

use clap::Args;

use super::options::{GameOptions, SearchOptions};
use super::{answer, board, legal_moves, move_words, value_words};
use bestmove_api::{BoardRequest, Context, Include};
use bestmove_engine::games::any::{Answer, AnyBoard, GameStatus, SearchParameters, State};

const HELP: &str = "a move, or: hint, undo, moves, board, fen, draw, resign, help, quit\n";

/// Play a game in the terminal
#[derive(Args, Clone, Debug)]
pub struct Play {
    #[command(flatten)]
    game: GameOptions,
    /// The side that you play, or `both`; the one to move where absent
    #[arg(long)]
    side: Option<String>,
    #[command(flatten)]
    options: SearchOptions,
}

impl Play {
    /// Plays against the moves in `input`, until the game or the input ends.
    ///
    /// # Errors
    /// Where the game can't begin, or reading or writing fails.
    pub fn run(
        &self,
        input: impl BufRead,
        output: impl Write,
        context: &Context,
    ) -> io::Result<()> {
        let (request, parameters) = self.options.request(&self.game)?;
        let person = self.person(&*board(&request)?)?;
        let first = request.moves.len();
        let mut session =
            GameSession { request, parameters, context, first, person, input, output };
        write!(session.output, "{HELP}")?;
        session.play()
    }

    fn person(&self, board: &dyn AnyBoard) -> io::Result<Person> {
        let sides = board.game().sides;
        let Some(name) = &self.side else {
            return Ok(Person::Plays(board.state().side_to_move));
        };
        if name == "both" {
            return Ok(Person::PlaysBoth);
        }
        let side = sides.into_iter().find(|side| side == name).ok_or_else(|| {
            let [first, second] = sides;
            io::Error::other(format!("side: expected {first}, {second} or both but got '{name}'"))
        });
        side.map(Person::Plays)
    }
}

/// The sides that the person plays.
#[derive(Clone, Copy)]
enum Person {
    Plays(&'static str),
    PlaysBoth,
}

impl Person {
    fn is_to_move(self, state: &State) -> bool {
        match self {
            Self::Plays(side) => side == state.side_to_move,
            Self::PlaysBoth => true,
        }
    }
}

struct GameSession<'a, R, W> {
    request: BoardRequest,
    /// The search of the program.
    parameters: SearchParameters,
    context: &'a Context,
    /// The number of moves that were played before the session began.
    first: usize,
    person: Person,
    input: R,
    output: W,
}

impl<R: BufRead, W: Write> GameSession<'_, R, W> {
    fn play(&mut self) -> io::Result<()> {
        let mut is_new = true;
        loop {
            let board = self.board()?;
            let state = board.state();
            if is_new {
                write!(self.output, "\n{}", board.drawing())?;
            }
            if state.status != GameStatus::Ongoing {
                return self.announce(&state.status);
            }
            if !self.person.is_to_move(&state) {
                let answer = self.answer()?;
                writeln!(self.output, "{}: {}", state.side_to_move, move_words(&answer.best_move))?;
                self.request.moves.push(answer.best_move.text);
                continue;
            }
            if let Some(claim) = state.claim.filter(|_| is_new) {
                writeln!(self.output, "draw ends the game by {}", claim_words(claim))?;
            }
            write!(self.output, "{}> ", state.side_to_move)?;
            self.output.flush()?;
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 || line.trim() == "quit" {
                return writeln!(self.output);
            }
            is_new = match (line.trim(), state.claim) {
                ("draw", Some(claim)) => {
                    return writeln!(self.output, "a draw: {}, claimed", claim_words(claim));
                }
                ("resign", _) => return self.resign(&*board),
                (words, _) => self.execute(words, &*board)?,
            };
        }
    }

    /// Runs a command of the person, and returns whether the board has changed.
    fn execute(&mut self, words: &str, board: &dyn AnyBoard) -> io::Result<bool> {
        match words {
            "" => Ok(false),
            "board" => Ok(true),
            "undo" | "back" => self.take_back(),
            "hint" => {
                let answer = self.answer()?;
                let (best, value) =
                    (move_words(&answer.best_move), value_words(&answer.evaluation));
                writeln!(self.output, "{best}: {value}").map(|()| false)
            }
            "moves" => writeln!(self.output, "{}", legal_moves(board).join(" ")).map(|()| false),
            "draw" => writeln!(self.output, "no draw can be claimed here").map(|()| false),
            "fen" => writeln!(self.output, "{}", board.state().position).map(|()| false),
            "help" => write!(self.output, "{HELP}").map(|()| false),
            mv => self.try_move(mv),
        }
    }

    fn try_move(&mut self, text: &str) -> io::Result<bool> {
        self.request.moves.push(text.to_owned());
        if let Err(error) = self.board() {
            self.request.moves.pop();
            return writeln!(self.output, "{error}").map(|()| false);
        }
        Ok(true)
    }

    /// Takes back the person's last move and the replies after it.
    fn take_back(&mut self) -> io::Result<bool> {
        let played = self.request.moves.clone();
        while self.request.moves.len() > self.first {
            self.request.moves.pop();
            if self.person.is_to_move(&self.board()?.state()) {
                return Ok(true);
            }
        }
        self.request.moves = played;
        writeln!(self.output, "there is no move to take back").map(|()| false)
    }

    fn board(&self) -> io::Result<Box<dyn AnyBoard>> {
        board(&self.request)
    }

    fn answer(&self) -> io::Result<Answer> {
        answer(&self.request, &self.parameters, Include::default(), self.context)
    }

    fn resign(&mut self, board: &dyn AnyBoard) -> io::Result<()> {
        let loser = board.state().side_to_move;
        let winner = board.game().sides.into_iter().find(|&side| side != loser).unwrap_or_default();
        writeln!(self.output, "{loser} resigns: {winner} wins")
    }

    fn announce(&mut self, status: &GameStatus) -> io::Result<()> {
        match status {
            GameStatus::Won { winner, reason, .. } => {
                writeln!(self.output, "{winner} wins: {reason}")
            }
            GameStatus::Drawn { reason } => writeln!(self.output, "a draw: {reason}"),
            GameStatus::Ongoing => Ok(()),
        }
    }
}

/// The name of a claim in words.
fn claim_words(claim: &str) -> String {
    claim.replace('-', " ")
}
