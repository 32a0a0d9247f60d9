//! `bestmove explain`: the best move, and why it is good.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::options::{GameOptions, SearchOptions};
use super::{answer, board, move_words, value_words};
use bestmove_engine::games::Knowledge;
use bestmove_service::{Wanted, explain};

/// Say why the best move is good, or, with --search-moves, why that move is good or bad
#[derive(Args, Clone, Debug)]
pub struct Explain {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    options: SearchOptions,
    /// Answer as the service does, in JSON
    #[arg(long)]
    json: bool,
}

impl Explain {
    /// Writes the answer.
    ///
    /// # Errors
    /// Where the request is refused, or the answer can't be written.
    pub fn run(&self, output: &mut impl Write, knowledge: &Knowledge) -> io::Result<()> {
        let (request, parameters) = self.options.request(&self.game)?;
        let mut answer = answer(&request, &parameters, knowledge)?;
        let wanted = Wanted { reasons: true, threat: true };
        let board = board(&request)?;
        explain(&mut answer, &*board, wanted, false, knowledge, &AtomicBool::new(false));
        if self.json {
            serde_json::to_writer(&mut *output, &answer)?;
            return writeln!(output);
        }
        write!(output, "{}", board.drawing())?;
        if let Some(threat) = &answer.threat {
            writeln!(output, "the other side: {}", threat.text)?;
        }
        writeln!(output, "{} to move", answer.side_to_move)?;
        let (mv, value) = (move_words(&answer.best_move), value_words(&answer.evaluation));
        writeln!(output, "{mv}: {value}")?;
        for reason in answer.reasons.iter().flatten() {
            writeln!(output, "- {}", reason.text)?;
        }
        Ok(())
    }
}
