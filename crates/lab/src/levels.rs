//! How far apart the levels of a game are.

use std::io;
use std::ops::RangeInclusive;

use super::arena::{Conditions, Tally, stage};
use bestmove_engine::game::LevelNumber;

/// Lets each of these levels of a game play against the one below it, and level 1 against random
/// moves; `sink` sees the names of the two and how it went, from the view of the stronger one.
///
/// # Errors
/// As [`stage`].
pub fn compare_levels(
    conditions: &Conditions,
    levels: &RangeInclusive<u8>,
    sink: &mut dyn FnMut([&str; 2], &Tally),
) -> io::Result<()> {
    for level in LevelNumber::all().map(LevelNumber::get).filter(|level| levels.contains(level)) {
        let below = if level == 1 { "random".to_owned() } else { format!("level={}", level - 1) };
        let players = [format!("level={level}"), below];
        let conditions = Conditions { players, ..conditions.clone() };
        let tally = stage(&conditions, &|_| {})?;
        let [above, below] = &conditions.players;
        sink([above, below], &tally);
    }
    Ok(())
}
