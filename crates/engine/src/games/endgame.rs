//! The scores of values in endgame tables.

use bestmove_endgames::{DRAW, Plies, is_loss};

use crate::game::Score;

/// The score of a value of a table.
#[must_use]
pub fn score(plies: Plies) -> Score {
    match plies {
        DRAW => Score::DRAWN,
        plies if is_loss(plies) => Score::lost_in(plies.into()),
        plies => Score::won_in(plies.into()),
    }
}
