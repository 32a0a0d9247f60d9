//! `bestmove review`: a whole game, move by move.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use clap::Args;
use tabwriter::TabWriter;

use super::options::GameOptions;
use super::{io_error, refused, show_progress, write_json};
use bestmove_api::{
    Context, Label, Review, ReviewAnswer, ReviewInclude, ReviewRequest, ReviewStep, ReviewedMove,
    SearchCount, SideReview, move_words, value_words,
};

/// Review a game: what each of its moves was worth
///
/// The game is its moves, the name of a file with its record, or `-` for a record on standard input.
/// All values are from the view of the side that moves first in the game.
#[derive(Args, Clone, Debug)]
pub struct ReviewCommand {
    #[command(flatten)]
    game: GameOptions,
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
            return write_json(output, &review);
        }
        write!(output, "{}", table(&review.moves)?)?;
        review.sides.iter().try_for_each(|side| writeln!(output, "{}", side_words(side)))
    }

    /// Searches the positions of the game one after the other.
    fn review(&self, context: &Context) -> io::Result<ReviewAnswer> {
        let fields = self.game.request::<ReviewRequest>(&self.game)?;
        let (request, parameters) = ReviewRequest::split(fields).map_err(io_error)?;
        let review = Review::new(&request, parameters, ReviewInclude::default(), context);
        let mut review = review.map_err(|refusal| refused(&request, refusal))?;
        let stop = AtomicBool::new(false);
        loop {
            let tasks = review.tasks();
            if tasks.is_empty() {
                show_progress("");
                return Ok(review.answer());
            }
            for task in tasks {
                let task = task.prepare().map_err(|refusal| refused(&request, refusal))?;
                let taken = review.take(task.run(&stop));
                if let ReviewStep::Search(SearchCount { searched, searches }) = taken {
                    show_progress(&format!("searched {searched} of {searches} times"));
                }
            }
        }
    }
}

/// The moves in rows. The best move stands only where another one was played.
fn table(moves: &[ReviewedMove]) -> io::Result<String> {
    let mut table = TabWriter::new(Vec::new());
    writeln!(table, "ply\tside\tmove\tvalue\tloss\tlabel\tbest")?;
    for ReviewedMove { ply, side, mv, evaluation, loss, label, hastened, best, .. } in moves {
        let (played, value) = (move_words(mv), value_words(evaluation));
        let sooner = |plies| format!("{}, lost {plies} plies sooner", label.name());
        let label = hastened.map_or_else(|| label.name().to_owned(), sooner);
        let best = if *mv == best.mv { "" } else { move_words(&best.mv) };
        writeln!(table, "{ply}\t{side}\t{played}\t{value}\t{loss:.4}\t{label}\t{best}")?;
    }
    let rows = table.into_inner().map_err(io_error)?;
    let rows = String::from_utf8_lossy(&rows);
    Ok(rows.lines().map(|row| row.trim_end().to_owned() + "\n").collect())
}

/// A line with the accuracy and the labels of a side.
fn side_words(side: &SideReview) -> String {
    let counts = Label::ALL.iter().zip(side.counts).filter(|(_, count)| *count > 0);
    let counts: Vec<_> = counts.map(|(label, count)| format!("{count} {}", label.name())).collect();
    let accuracy = side.accuracy.map_or_else(|| "none".to_owned(), |it| format!("{it:.2} %"));
    format!("{}: accuracy {accuracy}; {}", side.side, counts.join(", "))
}
