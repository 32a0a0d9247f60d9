//! The endings of chess with up to four men, from those with the fewest men up.

use std::io::{self, Write};

use bestmove_endgames::chess::{self, ChessPlacement, ChessSlice, MOST_MEN};
use bestmove_endgames::{Form, Plies};

use super::solution::{self, Moves};

/// Writes the table of all positions of up to `men` men. It has one form.
pub(super) fn write_table(men: u32, _: Form, sink: &mut dyn Write) -> io::Result<()> {
    chess::write(men as u8, &values_up_to(men)?, sink)
}

/// The values of all positions of up to `men` men.
fn values_up_to(men: u32) -> io::Result<Vec<Plies>> {
    solution::values_up_to::<ChessSlice>(men, MOST_MEN)
}

impl Moves for ChessSlice {
    fn each_after(placement: &ChessPlacement, each: impl FnMut(ChessPlacement)) {
        placement.each_after(each);
    }

    fn each_before(placement: &ChessPlacement, each: impl FnMut(ChessPlacement)) {
        placement.each_before(each);
    }

    fn value_without_moves(placement: &ChessPlacement) -> Plies {
        placement.value_without_moves()
    }
}

#[cfg(test)]
mod tests;
