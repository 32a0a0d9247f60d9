//! New scores for positions of games, by deeper searches.

use std::io;
use std::path::PathBuf;

use crate::game::{half_value, quiet_positions};
use crate::perturbation::perturbed;
use crate::play::{board_after, search};
use crate::record::{Record, no_game, texts};
use crate::resumable::{extend, read_lines};
use crate::self_play::hundredths;
use crate::targets::DECIDED;
use bestmove_engine::games::any::{AnyGame, SearchParameters};
use clap::Args;
use fastrand::Rng;
use serde::Serialize;

/// Positions to score again. The serialised fields, the games, the networks and the build determine the new scores.
#[derive(Args, Clone, Debug, Serialize)]
#[serde(tag = "command", rename = "rescore")]
pub(crate) struct Rescoring {
    /// The name of the game
    game: String,
    /// The file with the games
    #[arg(long)]
    #[serde(skip)]
    games: PathBuf,
    /// Positions to draw from each game, among its quiet and undecided ones
    #[arg(long)]
    positions: usize,
    /// If more than 0, positions up to this number of plies off the game instead, where random moves lead to a quiet position;
    /// each is a game of its own in the file
    #[arg(long, default_value_t = 0, alias = "stray")]
    perturbation: usize,
    /// The positions to visit for each score
    #[arg(long)]
    nodes: u64,
    /// The evaluator of the searches [default: the game's]
    #[arg(long)]
    evaluator: Option<String>,
    /// The seed of the draw
    #[arg(long)]
    seed: u64,
    /// The file to go on with: a game a line, with the new scores alone
    #[arg(long)]
    #[serde(skip)]
    out: PathBuf,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    #[serde(skip)]
    threads: usize,
}

/// A score from which positions are as good as decided, in hundredths of the half value.
const CLEAR: i32 = 500;

impl Rescoring {
    /// Appends to the file the games that it lacks, with the new scores alone.
    pub(crate) fn run(&self) -> io::Result<()> {
        let game = crate::game::game(&self.game)?;
        let lines = read_lines(&self.games)?.collect::<io::Result<Vec<_>>>()?;
        let rounds = if self.perturbation > 0 { self.positions } else { 1 };
        extend(&self.out, self, (lines.len() * rounds) as u64, self.threads, |number| {
            let game_number = number as usize % lines.len();
            let record = lines[game_number].parse().map_err(|_| no_game(game_number))?;
            let random = &mut crate::play::stream(self.seed, number);
            Ok(self.rescored(game, record, random)?.to_string())
        })
    }

    /// The game of `record` with the new scores alone.
    fn rescored(
        &self,
        game: &dyn AnyGame,
        mut record: Record,
        random: &mut Rng,
    ) -> io::Result<Record> {
        let chosen = self.choose(game, &record, random)?;
        record.moves.iter_mut().for_each(|played| played.score = None);
        if self.perturbation > 0 {
            return self.perturbed(game, record, &chosen, random);
        }
        for number in chosen {
            record.moves[number].score = Some(self.score(game, &record, number)?);
        }
        Ok(record)
    }

    /// The game up to the first of the chosen moves from which a perturbation succeeds, with the perturbation and without the
    /// result, which says nothing about it; the whole game where every perturbation fails.
    fn perturbed(
        &self,
        game: &dyn AnyGame,
        record: Record,
        chosen: &[usize],
        random: &mut Rng,
    ) -> io::Result<Record> {
        for &number in chosen {
            if let Some(moves) =
                perturbed(game, &record.moves[..number], self.perturbation, random)?
            {
                let mut record = Record { result: None, moves };
                let last = record.moves.len() - 1;
                record.moves[last].score = Some(self.score(game, &record, last)?);
                return Ok(record);
            }
        }
        Ok(record)
    }

    /// Draws the positions to score, by the indices of the moves after them.
    fn choose(
        &self,
        game: &dyn AnyGame,
        record: &Record,
        random: &mut Rng,
    ) -> io::Result<Vec<usize>> {
        let mut open = match self.perturbation {
            0 => quiet_positions(game, &record.moves)?,
            _ => (0..record.moves.len()).collect(),
        };
        open.retain(|&number| record.moves[number].score.is_some_and(|it| it.abs() < CLEAR));
        random.shuffle(&mut open);
        open.truncate(self.positions);
        Ok(open)
    }

    /// The score of the position before the move with this number. A proven win counts as the largest score that is not
    /// decided, so that it is learned too.
    fn score(&self, game: &dyn AnyGame, record: &Record, number: usize) -> io::Result<i32> {
        let board = board_after(game, &texts(&record.moves[..number]))?;
        let parameters = SearchParameters {
            nodes: Some(self.nodes),
            evaluator: self.evaluator.clone(),
            ..SearchParameters::default()
        };
        let score = search(board.as_ref(), &parameters)?.evaluation.score;
        let half_value = half_value(&self.game, self.evaluator.as_deref())?;
        Ok(hundredths(score, half_value).clamp(1 - DECIDED, DECIDED - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str =
        "1 10-14 22-17 12-16:900 17x10:0 6x15:0 21-17:0 8-12:0 17-14:10 9x18:0 23x14:0";

    fn rescored(positions: usize, perturbation: usize) -> Record {
        let game = crate::game::game("checkers").expect("a game");
        let rescoring = Rescoring {
            game: "checkers".to_owned(),
            games: PathBuf::new(),
            positions,
            perturbation,
            nodes: 2000,
            evaluator: None,
            seed: 1,
            out: PathBuf::new(),
            threads: 1,
        };
        let record = GAME.parse().expect("a game");
        rescoring.rescored(game, record, &mut Rng::with_seed(1)).expect("the game again")
    }

    #[test]
    fn quiet_positions_that_were_open_are_given_a_new_score_and_no_other() {
        let numbers = |record: &Record| -> Vec<_> {
            let scored = record.moves.iter().enumerate();
            scored.filter_map(|(number, played)| played.score.map(|_| number)).collect()
        };
        // Before the others a move was random, the game was decided, or a capture is compulsory.
        assert_eq!(numbers(&rescored(9, 0)), [5, 6, 7]);
        assert_eq!(numbers(&rescored(2, 0)).len(), 2);
    }

    #[test]
    fn the_game_is_the_same() {
        let before: Record = GAME.parse().expect("a game");
        let after = rescored(9, 0);
        assert_eq!((texts(&before.moves), before.result), (texts(&after.moves), after.result));
    }

    #[test]
    fn off_the_game_one_position_is_scored_the_last() {
        let (before, after): (Record, _) = (GAME.parse().expect("a game"), rescored(9, 4));
        let last = after.moves.len() - 1;
        assert!(after.moves[..last].iter().all(|played| played.score.is_none()));
        assert!(after.moves[last].score.is_some());
        assert_eq!(after.result, None);
        assert_ne!(texts(&before.moves), texts(&after.moves));
    }
}
