//! `bestmove review`: a whole game, move by move.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::options::{GameOptions, LimitOptions};
use super::{ProgressLine, move_words, refused, value_words};
use bestmove_api::{
    Context, Label, Review, ReviewAnswer, ReviewInclude, ReviewStep, ReviewedMove, SearchCount,
    SideReview,
};

/// Review a game: what each of its moves was worth
///
/// The game is its moves, the name of a file with its record, or `-` for a record on standard input.
/// All values are from the view of the side that moves first in the game.
#[derive(Args, Clone, Debug)]
pub struct ReviewCommand {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    limits: LimitOptions,
    /// Answer as the service does, in JSON
    #[arg(long)]
    json: bool,
}

impl ReviewCommand {
    /// Writes the review.
    ///
    /// # Errors
    /// Where the game can't be reviewed, or the review not be written.
    pub fn run(&self, output: &mut impl Write, context: &Context) -> io::Result<()> {
        let review = self.review(context)?;
        if self.json {
            serde_json::to_writer(&mut *output, &review)?;
            return writeln!(output);
        }
        table(&review.moves, output)?;
        for side in &review.sides {
            writeln!(output, "{}", side_words(side))?;
        }
        Ok(())
    }

    /// Searches the positions of the game one after the other.
    fn review(&self, context: &Context) -> io::Result<ReviewAnswer> {
        let (request, parameters) = self.limits.review(&self.game)?;
        let refused = |refusal| refused(&request, refusal);
        let review = Review::new(&request, parameters, ReviewInclude::default(), context);
        let mut review = review.map_err(refused)?;
        let (mut progress, stop) = (ProgressLine::stderr(), AtomicBool::new(false));
        loop {
            let tasks = review.tasks();
            if tasks.is_empty() {
                return Ok(review.answer());
            }
            for task in tasks {
                let result = task.prepare().map_err(refused)?.run(&stop);
                if let ReviewStep::Search(SearchCount { searched, searches }) = review.take(result)
                {
                    progress.show(&format!("searched {searched} of {searches} times"));
                }
            }
        }
    }
}

/// The moves in rows.
fn table(moves: &[ReviewedMove], output: &mut impl Write) -> io::Result<()> {
    const HEAD: [&str; 7] = ["ply", "side", "move", "value", "loss", "label", "best"];
    let rows: Vec<_> =
        std::iter::once(HEAD.map(str::to_owned)).chain(moves.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; 7] = std::array::from_fn(|column| width(column).unwrap_or(0));
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(output, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A row of the table. It names the best move only where another move was played.
fn row(reviewed: &ReviewedMove) -> [String; 7] {
    let is_best = reviewed.mv == reviewed.best.mv;
    let best = if is_best { "" } else { move_words(&reviewed.best.mv) };
    [
        reviewed.ply.to_string(),
        reviewed.side.to_owned(),
        move_words(&reviewed.mv).to_owned(),
        value_words(&reviewed.evaluation),
        format!("{:.4}", reviewed.loss),
        reviewed.label.name().to_owned(),
        best.to_owned(),
    ]
}

/// A line with the accuracy and the labels of a side.
fn side_words(side: &SideReview) -> String {
    let counts = Label::ALL.iter().zip(side.counts).filter(|(_, count)| *count > 0);
    let counts: Vec<_> = counts.map(|(label, count)| format!("{count} {}", label.name())).collect();
    let accuracy = side.accuracy.map_or_else(|| "none".to_owned(), |it| format!("{it:.2} %"));
    format!("{}: accuracy {accuracy}; {}", side.side, counts.join(", "))
}
