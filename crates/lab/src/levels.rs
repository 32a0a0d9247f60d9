//! How far apart the levels of a game are.

use std::io;

use super::arena::{Conditions, Tally, stage};
use bestmove_engine::game::LEVELS;

/// Lets each level of a game play against the one below it; `sink` sees the names of the two and how
/// it went, from the view of the stronger one.
///
/// # Errors
/// As [`stage`].
pub fn compare_levels(
    conditions: &Conditions,
    sink: &mut dyn FnMut([&str; 2], &Tally),
) -> io::Result<()> {
    for pair in LEVELS.windows(2) {
        let (below, above) = (pair[0], pair[1]);
        let players = [above, below].map(|level| format!("level={level}"));
        let conditions = Conditions { players, ..conditions.clone() };
        sink([above, below], &stage(&conditions, &|_| {})?);
    }
    Ok(())
}
