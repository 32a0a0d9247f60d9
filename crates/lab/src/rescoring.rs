//! Games that are looked at again, deeper: what a search of a few thousand positions says is nearer to
//! the truth than any number of searches of a thousand, which all err in the same way.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::expectation::DECIDED;
use super::record::{Record, no_game, resume, texts};
use super::refused;
use super::self_play::{board_after, hundredths, searched};
use super::straying::stray;
use bestmove_engine::games::any::{AnyGame, SearchParameters};
use fastrand::Rng;

/// Which positions are looked at, and how.
#[derive(Clone, Debug)]
pub struct Rescoring {
    /// The file with the games, one a line.
    pub games: PathBuf,
    /// How many positions of a game, drawn by lot among those that are quiet and not decided.
    pub positions: usize,
    /// If more than 0, one position instead that lies up to so many plies off the game: off the first of
    /// those positions from which the lot leads to a quiet one.
    pub stray: usize,
    /// Only those that the network of this number judges, from 0; all where nothing is said.
    pub network: Option<usize>,
    /// The positions that a search visits for each of them.
    pub nodes: u64,
    /// The seed of the draw.
    pub seed: u64,
}

/// Positions that were given such a score are as good as decided, in hundredths of the half value.
const CLEAR: i32 = 500;

impl Rescoring {
    /// Appends to `file` the games that it lacks, with scores only where they have been found anew.
    ///
    /// # Errors
    /// Where there is no such game, or a file can't be read or written or holds something else.
    pub fn rescore(&self, name: &str, file: &Path) -> io::Result<()> {
        let game = super::game(name)?;
        let games = BufReader::new(File::open(&self.games)?).lines();
        let (known, mut output) = resume(file)?;
        for (number, line) in (0..).zip(games).skip(known) {
            let record = line?.parse().map_err(|_| no_game(number))?;
            let random = &mut crate::stream(self.seed, number as u64);
            writeln!(output, "{}", self.rescored(game, record, random)?)?;
            output.flush()?;
        }
        Ok(())
    }

    /// The same game with the new scores alone.
    fn rescored(
        &self,
        game: &dyn AnyGame,
        mut record: Record,
        random: &mut Rng,
    ) -> io::Result<Record> {
        let chosen = self.choose(game, &record, random)?;
        record.moves.iter_mut().for_each(|played| played.score = None);
        if self.stray > 0 {
            return self.strayed(game, record, &chosen, random);
        }
        for number in chosen {
            record.moves[number].score = Some(self.score(game, &record, number)?);
        }
        Ok(record)
    }

    /// The game up to one of these moves and off it from there, or as it is where the lot leads nowhere.
    fn strayed(
        &self,
        game: &dyn AnyGame,
        record: Record,
        chosen: &[usize],
        random: &mut Rng,
    ) -> io::Result<Record> {
        for &number in chosen {
            if let Some(moves) = stray(game, &record.moves[..number], self.stray, random)? {
                let mut record = Record { moves, ..record };
                let last = record.moves.len() - 1;
                record.moves[last].score = Some(self.score(game, &record, last)?);
                return Ok(record);
            }
        }
        Ok(record)
    }

    /// The numbers of the moves before which the positions are looked at.
    fn choose(
        &self,
        game: &dyn AnyGame,
        record: &Record,
        random: &mut Rng,
    ) -> io::Result<Vec<usize>> {
        let mut open = Vec::new();
        let mut add = |number: usize| {
            if record.moves[number].score.is_some_and(|score| score.abs() < CLEAR) {
                open.push(number);
            }
        };
        let moves = texts(&record.moves);
        let visited = match self.network {
            None => game.traces(None, &moves, &mut |number, _| add(number)),
            Some(network) => game.network_inputs(None, &moves, &mut |number, sight| {
                if sight.network == network {
                    add(number);
                }
            }),
        };
        visited.map_err(|refusal| refused(&refusal))?;
        random.shuffle(&mut open);
        open.truncate(self.positions);
        Ok(open)
    }

    /// What the side to move expects before the move of this number. A win, too, is to be learned.
    fn score(&self, game: &dyn AnyGame, record: &Record, number: usize) -> io::Result<i32> {
        let board = board_after(game, &record.moves[..number])?;
        let parameters =
            SearchParameters { nodes: Some(self.nodes), ..SearchParameters::default() };
        let value = searched(board.as_ref(), &parameters)?.evaluation.value;
        Ok(hundredths(value).clamp(1 - DECIDED, DECIDED - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str =
        "1 10-14 22-17 12-16:900 17x10:0 6x15:0 21-17:0 8-12:0 17-14:10 9x18:0 23x14:0";

    fn rescored(positions: usize, stray: usize, network: Option<usize>) -> Record {
        let game = super::super::game("checkers").expect("a game");
        let again =
            Rescoring { games: PathBuf::new(), positions, stray, network, nodes: 2000, seed: 1 };
        let record = GAME.parse().expect("a game");
        again.rescored(game, record, &mut Rng::with_seed(1)).expect("the game again")
    }

    #[test]
    fn quiet_positions_that_were_open_are_given_a_new_score_and_no_other() {
        let numbers = |record: &Record| -> Vec<_> {
            let scored = record.moves.iter().enumerate();
            scored.filter_map(|(number, played)| played.score.map(|_| number)).collect()
        };
        // Before the others a move was drawn by lot, the game was decided, or a capture is compulsory.
        assert_eq!(numbers(&rescored(9, 0, None)), [5, 6, 7]);
        assert_eq!(numbers(&rescored(2, 0, None)).len(), 2);
        // All of them have men alone, which the first network judges.
        assert_eq!(numbers(&rescored(9, 0, Some(0))), [5, 6, 7]);
        assert!(numbers(&rescored(9, 0, Some(1))).is_empty());
    }

    #[test]
    fn the_game_is_the_same() {
        let before: Record = GAME.parse().expect("a game");
        let after = rescored(9, 0, None);
        assert_eq!((texts(&before.moves), before.result), (texts(&after.moves), after.result));
    }

    #[test]
    fn off_the_game_one_position_is_scored_the_last() {
        let (before, after): (Record, _) = (GAME.parse().expect("a game"), rescored(9, 4, None));
        let last = after.moves.len() - 1;
        assert!(after.moves[..last].iter().all(|played| played.score.is_none()));
        assert!(after.moves[last].score.is_some());
        assert_ne!(texts(&before.moves), texts(&after.moves));
    }
}
