//! The file format of games: one a line, in the game's own notation of moves.
//!
//! `1 e2e4 e7e5 g1f3:31 b8c6:-24` is a game that the first side won, `?` begins one without a result. A move without a number was random. A number is the
//! score of the search that found the move, from the view of the side that moved, in hundredths of the score at which
//! that side expects three quarters of the points.

use std::fmt;
use std::io;
use std::str::FromStr;

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The result for the side that moves first in the game; `None` where the moves leave a game and none was played on.
    pub result: Option<Points>,
    /// The moves from the start of the game.
    pub moves: Vec<Played>,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    /// The move in the game's notation.
    pub mv: String,
    /// The score of the search; `None` where the move was random.
    pub score: Option<i32>,
}

/// The moves alone, in the game's notation.
pub(crate) fn texts(moves: &[Played]) -> Vec<String> {
    moves.iter().map(|played| played.mv.clone()).collect()
}

/// The error of an unreadable game. `number` counts the games of a file from 0.
pub(crate) fn no_game(number: usize) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("game {} of the file cannot be read", number + 1),
    )
}

/// The points of a side for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Points {
    None,
    Half,
    All,
}

impl Points {
    /// The points of the other side.
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::None => Self::All,
            Self::Half => Self::Half,
            Self::All => Self::None,
        }
    }

    /// In half points: 0, 1 or 2.
    pub(crate) fn halves(self) -> u32 {
        self as u32
    }

    /// As a share of the game: 0, a half or 1.
    pub(crate) fn share(self) -> f64 {
        f64::from(self.halves()) / 2.0
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.result {
            None => "?",
            Some(Points::None) => "0",
            Some(Points::Half) => "=",
            Some(Points::All) => "1",
        })?;
        for Played { mv, score } in &self.moves {
            match score {
                Some(score) => write!(f, " {mv}:{score}")?,
                None => write!(f, " {mv}")?,
            }
        }
        Ok(())
    }
}

/// A line that is no record of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

impl FromStr for Record {
    type Err = Unreadable;

    fn from_str(line: &str) -> Result<Self, Unreadable> {
        let mut words = line.split(' ');
        let result = match words.next() {
            Some("?") => None,
            Some("0") => Some(Points::None),
            Some("=") => Some(Points::Half),
            Some("1") => Some(Points::All),
            _ => return Err(Unreadable),
        };
        let moves = words.map(|word| match word.split_once(':') {
            Some((mv, score)) => {
                let score = score.parse().map_err(|_| Unreadable)?;
                Ok(Played { mv: mv.to_owned(), score: Some(score) })
            }
            None => Ok(Played { mv: word.to_owned(), score: None }),
        });
        Ok(Self { result, moves: moves.collect::<Result<_, _>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_back_as_it_was_written() {
        for line in ["1 e2e4 e7e5 g1f3:31 b8c6:-24", "= 11-15 23x18:0", "0", "? f5d6:3"] {
            assert_eq!(
                line.parse::<Record>().map(|record| record.to_string()),
                Ok(line.to_owned())
            );
        }
        for line in ["", "2 e2e4", "1 e2e4:x"] {
            assert_eq!(line.parse::<Record>(), Err(Unreadable), "{line}");
        }
    }
}
