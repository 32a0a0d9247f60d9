//! `bestmove best-move`: one answer.

use std::io::{self, Write};

use clap::Args;

use super::options::SearchOptions;
use super::{answer, board, write_json};
use bestmove_api::{Context, Wanted, answer_words};

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
        write!(output, "{}", answer_words(&*board(&request)?, &answer))
    }
}
