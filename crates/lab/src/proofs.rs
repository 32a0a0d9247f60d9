//! How long the prover takes, position by position.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use super::game;
use bestmove_engine::game::{Outcome, PositionText};

/// Proves each position of `input`, one a line and each by a prover of its own without any book, and
/// writes it with its outcome, the plies to the end (of a draw `-`), the positions visited and the
/// nanoseconds that it took. Each table has up to `entries` slots; if `None`, as many as in a search.
///
/// # Errors
/// Where there is no such game, a position is unreadable, finished or of a game that need not end,
/// or `output` can't be written.
pub fn prove(
    name: &str,
    entries: Option<usize>,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let game = game(name)?;
    for line in input.lines() {
        let text = line?;
        let unprovable = || io::Error::other(format!("'{text}' can't be proven"));
        let board = game.board(Some(&PositionText::Text(text.clone())), &[]);
        let board = board.map_err(io::Error::other)?;
        let start = Instant::now();
        let proof = board.prove(entries).ok_or_else(unprovable)?;
        let time = start.elapsed().as_nanos();
        let outcome = match proof.outcome {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        };
        let plies = proof.plies.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
        writeln!(output, "{text} {outcome} {plies} {} {time}", proof.nodes)?;
    }
    Ok(())
}
