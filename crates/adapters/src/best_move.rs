//! `bestmove best-move`: one answer.

use std::io::{self, Write};

use clap::Args;

use super::options::SearchOptions;
use super::{answer, board, move_words, value_words, write_json};
use bestmove_api::{Context, Wanted};
use bestmove_engine::games::any::SearchSummary;

/// Find the best move of a position, without a server
#[derive(Args, Clone, Debug)]
pub struct BestMove {
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
        let (request, parameters) = self.options.request()?;
        let wanted = Wanted { reasons: self.reasons, threat: self.reasons };
        let answer = answer(&request, &parameters, wanted, context)?;
        if self.json {
            return write_json(output, &answer);
        }
        write!(output, "{}", board(&request)?.drawing())?;
        writeln!(output, "{} to move", answer.side_to_move)?;
        if let Some(threat) = &answer.threat {
            writeln!(output, "the other side: {}", threat.text)?;
        }
        writeln!(output, "best move: {}", move_words(&answer.best_move))?;
        for reason in answer.reasons.iter().flatten() {
            writeln!(output, "- {}", reason.text)?;
        }
        writeln!(output, "evaluation: {}", value_words(&answer.evaluation))?;
        let line: Vec<_> = answer.principal_variation.iter().map(move_words).collect();
        writeln!(output, "line: {}", line.join(" "))?;
        let SearchSummary { algorithm, depth, nodes, stopped_by, .. } = answer.search;
        let (name, end) = (algorithm.name(), stopped_by.name());
        writeln!(output, "search: {name}, depth {depth}, {nodes} nodes, stopped by {end}")
    }
}
