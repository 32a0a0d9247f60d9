//! Matches between neighbouring levels of a game.

use std::io;

use super::arena::{Conditions, Match};
use bestmove_engine::game::{LEVEL_COUNT, LevelNumber};
use clap::Args;

/// Levels to compare.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("games", |games| games.default_value("200")))]
pub(crate) struct Levels {
    #[command(flatten)]
    conditions: Conditions,
    /// The first level to compare with the one below it; 1 is compared with random moves
    #[arg(long, default_value_t = 1)]
    from: u8,
    /// The last one
    #[arg(long, default_value_t = LEVEL_COUNT as u8)]
    to: u8,
}

impl Levels {
    /// Lets each level play against the one below it, and level 1 against random moves. Prints the result of each match, from
    /// the view of the stronger level.
    pub(crate) fn run(&self) -> io::Result<()> {
        let levels = LevelNumber::all().map(LevelNumber::get);
        for level in levels.filter(|level| (self.from..=self.to).contains(level)) {
            let (a, below) = (format!("level={level}"), level - 1);
            let b = if below == 0 { "random".to_owned() } else { format!("level={below}") };
            let conditions = self.conditions.clone();
            let contest = Match { conditions, a, b, against: None, sprt: None, out: None };
            let result = contest.play(&|_| {})?;
            println!("{} : {} {:.1} %, {result}", contest.a, contest.b, result.score() * 100.0);
        }
        Ok(())
    }
}
