//! The endings of chess with up to four men, from those with the fewest men up.

use std::io::{self, Write};

use bestmove_engine::game::{Game, TableForm};
use bestmove_engine::games::chess::Chess;
use bestmove_engine::games::chess::endgame::{ChessPlacement, ChessSlice, MOST_MEN};
use bestmove_engine::games::endgame::{DRAW, Plies};
use bestmove_engine::network::{NetworkSize, SparseInput};

use super::chess_format::write_buckets;
use super::game::{Endgames, Sampling};
use super::solution::{self, Moves};

pub(super) struct ChessEndgames;

impl Endgames for ChessEndgames {
    fn game(&self) -> &'static str {
        Chess::Standard.game_info().name
    }

    fn write_table(&self, pieces: u32, form: TableForm, sink: &mut dyn Write) -> io::Result<()> {
        if form != TableForm::Packed {
            return Err(crate::error::invalid("tables of chess are written with --packed"));
        }
        write_buckets(pieces, &values_up_to(pieces)?, sink)
    }

    fn sample(&self, _: Sampling, _: &mut dyn FnMut(&SparseInput, f64)) -> io::Result<NetworkSize> {
        Err(crate::error::invalid("chess has no distance network"))
    }
}

/// The values of all positions of up to `pieces` men.
fn values_up_to(pieces: u32) -> io::Result<Vec<Plies>> {
    if !(2..=MOST_MEN as u32).contains(&pieces) {
        let reason = format!("expected 2 to {MOST_MEN} men but got {pieces}");
        return Err(crate::error::invalid(&reason));
    }
    Ok(solution::values_up_to::<ChessSlice>(pieces as u8))
}

impl Moves for ChessSlice {
    fn each_after(placement: &ChessPlacement, each: impl FnMut(ChessPlacement)) {
        placement.each_after(each);
    }

    fn each_before(placement: &ChessPlacement, each: impl FnMut(ChessPlacement)) {
        placement.each_before(each);
    }

    fn value_without_moves(placement: &ChessPlacement) -> Plies {
        if placement.is_check() { 0 } else { DRAW }
    }
}

#[cfg(test)]
mod tests;
