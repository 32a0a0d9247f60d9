//! One who moves: a search of this build, or the laboratory of another one at the end of a pipe.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bestmove_engine::games::any::{AnyBoard, AnyGame, SearchParameters};

/// A move and what its player expects.
pub(super) struct Choice {
    pub mv: String,
    /// The expected result for the side to move, -1 to 1.
    pub value: f64,
}

/// One who moves.
pub(super) enum Player {
    Here(SearchParameters),
    Elsewhere { child: Child, stdin: ChildStdin, stdout: BufReader<ChildStdout>, settings: String },
}

impl Player {
    /// A search of this build.
    pub(super) fn here(settings: &str) -> io::Result<Self> {
        Ok(Self::Here(parameters(settings)?))
    }

    /// Lets a level make other choices in this game than in others.
    pub(super) fn begin_game(&mut self, number: u64) {
        if let Self::Here(parameters) = self
            && parameters.level.is_some()
        {
            parameters.seed = Some(number);
        }
    }

    /// A search of another build, which serves in its own process.
    pub(super) fn elsewhere(lab: &Path, game: &str, settings: &str) -> io::Result<Self> {
        let mut command = Command::new(lab);
        command.args(["engine", game]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the other build has no pipes"));
        };
        let settings = settings.to_owned();
        Ok(Self::Elsewhere { child, stdin, stdout: BufReader::new(stdout), settings })
    }

    /// The move to play on `board`, to which `moves` led from the start.
    pub(super) fn choice(
        &mut self,
        game: &dyn AnyGame,
        board: &dyn AnyBoard,
        moves: &[String],
    ) -> io::Result<Choice> {
        match self {
            Self::Here(parameters) => searched(board, parameters),
            Self::Elsewhere { stdin, stdout, settings, .. } => {
                writeln!(stdin, "{settings}\t{}", moves.join(" "))?;
                let mut line = String::new();
                stdout.read_line(&mut line)?;
                let garbled = || io::Error::other(format!("{}: '{line}'", game.info().name));
                let (mv, value) = line.trim().split_once(' ').ok_or_else(garbled)?;
                let value = value.parse().map_err(|_| garbled())?;
                Ok(Choice { mv: mv.to_owned(), value })
            }
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        if let Self::Elsewhere { child, .. } = self {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Answers each line of `input`, settings and the moves of a game after a tab, with a line: the move
/// to play and the result expected.
///
/// # Errors
/// Where a line can't be understood, or there is no such game.
pub fn serve(name: &str, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let game = super::super::game(name)?;
    for line in input.lines() {
        let line = line?;
        let (settings, moves) = line.split_once('\t').unwrap_or((&line, ""));
        let moves: Vec<String> = moves.split_whitespace().map(String::from).collect();
        let choice = searched(board(game, &moves)?.as_ref(), &parameters(settings)?)?;
        writeln!(output, "{} {}", choice.mv, choice.value)?;
        output.flush()?;
    }
    Ok(())
}

/// The board after these moves from the start.
pub(super) fn board(game: &dyn AnyGame, moves: &[String]) -> io::Result<Box<dyn AnyBoard>> {
    game.board(None, moves).map_err(|refusal| io::Error::other(format!("{refusal:?}")))
}

/// What a search of the board finds.
pub(super) fn searched(board: &dyn AnyBoard, parameters: &SearchParameters) -> io::Result<Choice> {
    let search = board.search(parameters);
    let search = search.map_err(|refusal| io::Error::other(format!("{refusal:?}")))?;
    let answer = search.run(&AtomicBool::new(false));
    Ok(Choice { mv: answer.best_move.text, value: answer.evaluation.value })
}

/// Reads settings such as `nodes=8000,evaluator=material`.
fn parameters(settings: &str) -> io::Result<SearchParameters> {
    let mut parameters = SearchParameters::default();
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let strange = || io::Error::other(format!("'{setting}' is no setting of a player"));
        let (name, value) = setting.split_once('=').ok_or_else(strange)?;
        let number = || value.parse::<u64>().map_err(|_| strange());
        match name {
            "depth" => parameters.depth = Some(number()?),
            "nodes" => parameters.nodes = Some(number()?),
            "time_ms" => parameters.time = Some(Duration::from_millis(number()?)),
            "algorithm" => parameters.algorithm = Some(value.to_owned()),
            "evaluator" => parameters.evaluator = Some(value.to_owned()),
            "level" => parameters.level = Some(value.to_owned()),
            _ => return Err(strange()),
        }
    }
    Ok(parameters)
}
