//! `bestmove best-move`: one answer.

use std::io::{self, Write};

use clap::Args;

use super::{SearchOptions, answer, game_names, told};
use crate::http;
use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{Answer, Evaluation, MoveText};

/// Find the best move of a position, without a server
#[derive(Args, Clone, Debug)]
pub struct BestMove {
    /// The game
    #[arg(value_parser = game_names())]
    game: String,
    /// The position in the notation of the game; its start where absent
    position: Option<String>,
    #[command(flatten)]
    options: SearchOptions,
    /// Answer as the service does, in JSON
    #[arg(long)]
    json: bool,
}

impl BestMove {
    /// Writes the answer.
    ///
    /// # Errors
    /// Where the question can't be answered, or the answer not be written.
    pub fn run(&self, output: &mut impl Write) -> io::Result<()> {
        let request = self.options.request(&self.game, self.position.as_deref());
        let (board, parameters) = request.map_err(told)?;
        let answer = answer(&board, &parameters).map_err(told)?;
        if self.json {
            return writeln!(output, "{}", http::best_move_json(&answer));
        }
        write!(output, "{}", board.board().map_err(told)?.drawing())?;
        describe(&answer, output)
    }
}

fn describe(answer: &Answer, output: &mut impl Write) -> io::Result<()> {
    let line: Vec<_> = answer.principal_variation.iter().map(spoken).collect();
    writeln!(output, "{} to move", answer.before.side_to_move)?;
    writeln!(output, "best move: {}", spoken(&answer.best_move))?;
    writeln!(output, "evaluation: {}", value(&answer.evaluation))?;
    writeln!(output, "line: {}", line.join(" "))?;
    let (algorithm, stopped_by) = (answer.algorithm.name(), answer.stopped_by.name());
    let (depth, nodes) = (answer.depth, answer.nodes);
    writeln!(output, "search: {algorithm}, depth {depth}, {nodes} nodes, stopped by {stopped_by}")
}

/// A move as people write it.
pub(super) fn spoken(mv: &MoveText) -> &str {
    mv.san.as_deref().unwrap_or(&mv.text)
}

/// A value as people say it, from the view of the side to move.
pub(super) fn value(evaluation: &Evaluation) -> String {
    match (evaluation.outcome, evaluation.plies) {
        (Some(Outcome::Win), Some(plies)) => format!("win in {plies}"),
        (Some(Outcome::Win), None) => "win".to_owned(),
        (Some(Outcome::Loss), Some(plies)) => format!("loss in {plies}"),
        (Some(Outcome::Loss), None) => "loss".to_owned(),
        (Some(Outcome::Draw), _) => "draw".to_owned(),
        (None, _) => format!("{:+} ({:+.2})", evaluation.score, evaluation.value),
    }
}
