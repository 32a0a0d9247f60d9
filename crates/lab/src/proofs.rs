//! The time of the prover, position by position.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::Instant;

use crate::game::{evaluator, for_game};
use crate::knowledge::knowledge;
use bestmove_engine::game::{Game, Position, PositionText, outcome_and_score_of};
use bestmove_engine::search::Solver;

/// Proves the positions of `input`, one a line, each by a prover of its own without any book. In games that count, the
/// network orders moves. Writes each position with its outcome, the plies to the end (`-` for a draw; the margin in games
/// that count), the positions visited and the time in nanoseconds. Each table has up to `entries` slots, by
/// default those of a search. Fails where a position is unreadable, finished or of a game that need not end.
pub(crate) fn prove(
    name: &str,
    entries: Option<usize>,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    for_game!(name, G => {
        input.lines().try_for_each(|line| {
            let text = line?;
            let proof = proof::<G>(&text, entries);
            let proof = proof.ok_or_else(|| crate::error::invalid(&format!("'{text}' can't be proven")));
            writeln!(output, "{text} {}", proof?)
        })
    })
}

/// The outcome, distance and cost of a position in words.
fn proof<G: Game>(text: &str, entries: Option<usize>) -> Option<String> {
    let position = G::VARIANTS[0].read_position(&PositionText::Text(text.to_owned())).ok()?;
    position.plies_left().filter(|_| position.outcome().is_none())?;
    let counts = <G::Position as Position>::PROPERTIES.margin_step > 0;
    let knowledge = if counts { knowledge().ok()? } else { Arc::default() };
    let evaluator = evaluator::<G>(None, &knowledge).ok()?;
    let start = Instant::now();
    let mut solver = match entries {
        None => Solver::of(&evaluator, &position),
        Some(entries) => Solver::new(&evaluator, entries),
    };
    let value = solver.value(&position);
    let time = start.elapsed().as_nanos();
    let outcome = match value {
        0 => "draw",
        1.. => "win",
        _ => "loss",
    };
    let score = outcome_and_score_of(value, &position).1;
    let plies = score.margin().or(score.plies().map(|plies| plies as i32));
    let plies = plies.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
    Some(format!("{outcome} {plies} {} {time}", solver.nodes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_written_with_its_outcome_and_the_plies_to_its_end() {
        let proven = |text: &str| {
            let mut output = Vec::new();
            prove("connect-four", Some(1 << 10), text.as_bytes(), &mut output)?;
            Ok::<_, io::Error>(String::from_utf8(output).expect("text"))
        };
        let won = proven("2233531575313362771\n").expect("a proof");
        assert!(won.starts_with("2233531575313362771 win 3 "), "{won}");
        assert!(proven("11223344").is_err(), "the game is over");
    }
}
