//! `bestmove play`: a game in the terminal.

use std::io::{self, BufRead, Write};

use clap::Args;

use super::options::SearchOptions;
use super::{answer, board, legal_moves};
use bestmove_api::{BoardRequest, Context, Wanted, move_words, value_words};
use bestmove_engine::games::any::{Answer, AnyBoard, GameStatus, SearchParameters, State};

const HELP: &str = "a move, or: hint, undo, moves, board, fen, draw, resign, help, quit";

/// Play a game in the terminal
#[derive(Args, Clone, Debug)]
pub struct Play {
    #[command(flatten)]
    options: SearchOptions,
    /// The side that you play, or `both`; the one to move where absent
    #[arg(long)]
    side: Option<String>,
}

impl Play {
    /// Plays against the moves in `input`, until the game or the input ends.
    ///
    /// # Errors
    /// Where the game can't begin, or reading or writing fails.
    pub fn run(
        &self,
        input: impl BufRead,
        mut output: impl Write,
        context: &Context,
    ) -> io::Result<()> {
        let (request, parameters) = self.options.request()?;
        let board = board(&request)?;
        let (first, person, game) = (request.moves.len(), self.person(&*board)?, board.game());
        writeln!(output, "{HELP}")?;
        if let [first, second] = game.pieces
            && first.name != game.sides[0]
        {
            let [first_side, second_side] = game.sides;
            writeln!(output, "{} is {first_side}, {} is {second_side}", first.name, second.name)?;
        }
        GameSession { request, parameters, context, first, person }.play(input, output)
    }

    /// The side of the person; none where the person plays both.
    fn person(&self, board: &dyn AnyBoard) -> io::Result<Option<&'static str>> {
        let game = board.game();
        let Some(name) = &self.side else { return Ok(Some(board.state().side_to_move)) };
        let side = game.side(name).map(|side| game.sides[side as usize]);
        if side.is_none() && !name.eq_ignore_ascii_case("both") {
            let expected = game.sides.join(", ");
            let text = format!("side: expected {expected} or both but got '{name}'");
            return Err(io::Error::other(text));
        }
        Ok(side)
    }
}

struct GameSession<'a> {
    request: BoardRequest,
    /// The search of the program.
    parameters: SearchParameters,
    context: &'a Context,
    /// The number of moves that were played before the session began.
    first: usize,
    /// The side of the person; none where the person plays both.
    person: Option<&'static str>,
}

/// What follows a command.
enum Next {
    /// A text, and the next command.
    Say(String),
    /// The board, which may have changed.
    Show,
    /// A text, the last one.
    End(String),
}

impl GameSession<'_> {
    fn play(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut is_new = true;
        loop {
            let board = board(&self.request)?;
            let state = board.state();
            if is_new {
                write!(output, "\n{}", board.drawing())?;
            }
            match &state.status {
                GameStatus::Ongoing => {}
                GameStatus::Won { winner, reason, .. } => {
                    return writeln!(output, "{winner} wins: {reason}");
                }
                GameStatus::Drawn { reason } => return writeln!(output, "a draw: {reason}"),
            }
            if !self.is_person_to_move(&state) {
                let best = self.answer()?.best_move;
                writeln!(output, "{}: {}", state.side_to_move, move_words(&best))?;
                self.request.moves.push(best.text);
                continue;
            }
            if let Some(claim) = state.claim.filter(|_| is_new) {
                writeln!(output, "draw ends the game by {}", claim_words(claim))?;
            }
            write!(output, "{}> ", state.side_to_move)?;
            output.flush()?;
            let mut line = String::new();
            let is_end = input.read_line(&mut line)? == 0;
            let command = if is_end { "quit" } else { line.trim() };
            let next = self.execute(command, &*board, &state)?;
            is_new = matches!(next, Next::Show);
            match next {
                Next::Say(text) => writeln!(output, "{text}")?,
                Next::Show => {}
                Next::End(text) => return writeln!(output, "{text}"),
            }
        }
    }

    /// What follows a command of the person.
    fn execute(&mut self, command: &str, board: &dyn AnyBoard, state: &State) -> io::Result<Next> {
        Ok(match (command, state.claim) {
            ("quit", _) => Next::End(String::new()),
            ("resign", _) => {
                let loser = state.side_to_move;
                let winner = board.game().sides.into_iter().find(|&side| side != loser);
                Next::End(format!("{loser} resigns: {} wins", winner.unwrap_or_default()))
            }
            ("draw", Some(claim)) => Next::End(format!("a draw: {}, claimed", claim_words(claim))),
            ("draw", None) => Next::Say("no draw can be claimed here".to_owned()),
            ("undo" | "back", _) if self.take_back()? => Next::Show,
            ("undo" | "back", _) => Next::Say("there is no move to take back".to_owned()),
            ("board" | "", _) => Next::Show,
            ("hint", _) => {
                let Answer { best_move, evaluation, .. } = self.answer()?;
                Next::Say(format!("{}: {}", move_words(&best_move), value_words(&evaluation)))
            }
            ("moves", _) => Next::Say(legal_moves(board).join(" ")),
            ("fen", _) => Next::Say(state.position.clone()),
            ("help", _) => Next::Say(HELP.to_owned()),
            (mv, _) => {
                let moves = [&self.request.moves[..], &[mv.to_owned()]].concat();
                let request = BoardRequest { moves, ..self.request.clone() };
                if let Err(error) = self::board(&request) {
                    return Ok(Next::Say(error.to_string()));
                }
                self.request = request;
                Next::Show
            }
        })
    }

    /// Takes back the person's last move and what followed, if there is one.
    fn take_back(&mut self) -> io::Result<bool> {
        for length in (self.first..self.request.moves.len()).rev() {
            let moves = self.request.moves[..length].to_vec();
            let earlier = BoardRequest { moves, ..self.request.clone() };
            if self.is_person_to_move(&board(&earlier)?.state()) {
                self.request = earlier;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_person_to_move(&self, state: &State) -> bool {
        self.person.is_none_or(|side| side == state.side_to_move)
    }

    fn answer(&self) -> io::Result<Answer> {
        answer(&self.request, &self.parameters, Wanted::default(), self.context)
    }
}

/// The name of a claim in words.
fn claim_words(claim: &str) -> String {
    claim.replace('-', " ")
}
