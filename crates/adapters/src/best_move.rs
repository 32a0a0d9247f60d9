//! `bestmove best-move`: one answer.

use std::io::{self, Write};

use clap::Args;

use super::options::{GameOptions, SearchOptions};
use super::{answer, board, move_words, value_words};
use bestmove_api::{Context, Include, Wanted};
use bestmove_engine::games::any::Answer;

/// Find the best move of a position, without a server
#[derive(Args, Clone, Debug)]
pub struct BestMove {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    options: SearchOptions,
    /// Say why the best move is good, or, with --search-moves, why that move is good or bad; and what the other side
    /// threatens
    #[arg(long)]
    reasons: bool,
    /// Answer as the service does, in JSON
    #[arg(long)]
    json: bool,
}

impl BestMove {
    /// Writes the answer.
    ///
    /// # Errors
    /// Where the request is refused, or the answer can't be written.
    pub fn run(&self, output: &mut impl Write, context: &Context) -> io::Result<()> {
        let (request, parameters) = self.options.request(&self.game)?;
        let wanted = Wanted { reasons: self.reasons, threat: self.reasons };
        let include = Include { wanted, ..Include::default() };
        let answer = answer(&request, &parameters, include, context)?;
        if self.json {
            serde_json::to_writer(&mut *output, &answer)?;
            return writeln!(output);
        }
        write!(output, "{}", board(&request)?.drawing())?;
        describe(&answer, output)
    }
}

fn describe(answer: &Answer, output: &mut impl Write) -> io::Result<()> {
    let line: Vec<_> = answer.principal_variation.iter().map(move_words).collect();
    writeln!(output, "{} to move", answer.side_to_move)?;
    if let Some(threat) = &answer.threat {
        writeln!(output, "the other side: {}", threat.text)?;
    }
    writeln!(output, "best move: {}", move_words(&answer.best_move))?;
    for reason in answer.reasons.iter().flatten() {
        writeln!(output, "- {}", reason.text)?;
    }
    writeln!(output, "evaluation: {}", value_words(&answer.evaluation))?;
    writeln!(output, "line: {}", line.join(" "))?;
    let (algorithm, stopped_by) = (answer.search.algorithm.name(), answer.search.stopped_by.name());
    let (depth, nodes) = (answer.search.depth, answer.search.nodes);
    writeln!(output, "search: {algorithm}, depth {depth}, {nodes} nodes, stopped by {stopped_by}")
}
