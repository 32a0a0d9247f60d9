//! Games of the engine against itself, from which a tuner learns.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::record::{Played, Points, Record, texts};
use crate::game::Outcome;
use crate::game::random::Random;
use crate::games::any::{Answer, AnyBoard, AnyGame, Standing, Terms};

/// How the games are played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The number of games in the file when all is done.
    pub games: u64,
    /// The positions that a search visits for a move.
    pub nodes: u64,
    /// The seed of the random openings. A game follows from it and from its number.
    pub seed: u64,
    /// The algorithm that both sides search by; the game's default where nothing is said.
    pub algorithm: Option<String>,
    /// The evaluator of both sides; the game's default where nothing is said.
    pub evaluator: Option<String>,
}

/// The first plies of a game, drawn by lot: this many, or one more so that either side may be to
/// move.
const RANDOM_PLIES: usize = 6;
/// A game that has lasted so many plies is a draw.
const MAX_PLIES: usize = 400;
/// A game is decided when for so many plies both sides expect the same result: a draw that is proven, or
/// a win ...
const AGREED_PLIES: usize = 8;
/// ... at an expected result of at least this.
const DECIDED: f64 = 0.8;

/// The largest score that is written down, in hundredths of the half value.
const MAX_SCORE: f64 = 1000.0;

impl SelfPlay {
    /// Appends the games that the file lacks, one a line.
    ///
    /// # Errors
    /// Where there is no such game, it does not offer what is asked for, or the file can't be read
    /// or written.
    pub fn play(&self, name: &str, file: &Path) -> io::Result<()> {
        let game = super::game(name)?;
        let known = match fs::read_to_string(file) {
            Ok(lines) => lines.lines().count() as u64,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        let output = OpenOptions::new().create(true).append(true).open(file)?;
        let mut output = BufWriter::new(output);
        for number in known..self.games {
            let record = self.game(game, &mut Random::stream(self.seed, number))?;
            writeln!(output, "{record}")?;
            output.flush()?;
        }
        Ok(())
    }

    /// One game, from a random opening.
    fn game(&self, game: &dyn AnyGame, random: &mut Random) -> io::Result<Record> {
        let mut moves = opening(game, random);
        let mut agreed = Agreement::default();
        loop {
            let board = board_after(game, &moves)?;
            if let Some(result) = result_of(game, board.as_ref()) {
                return Ok(Record { result, moves });
            }
            let answer = self.search(board.as_ref())?;
            let is_first = answer.before.side_to_move == game.about().sides[0];
            if let Some(result) = agreed.with(expected(&answer, is_first)) {
                return Ok(Record { result, moves });
            }
            let (mv, score) = (answer.best_move.text, Some(hundredths(answer.evaluation.value)));
            moves.push(Played { mv, score });
            if moves.len() >= MAX_PLIES {
                return Ok(Record { result: Points::Half, moves });
            }
        }
    }

    fn search(&self, board: &dyn AnyBoard) -> io::Result<Answer> {
        let terms = Terms {
            nodes: Some(self.nodes),
            algorithm: self.algorithm.clone(),
            evaluator: self.evaluator.clone(),
            ..Terms::default()
        };
        let search = board.search(&terms).map_err(|refusal| refused(format!("{refusal:?}")))?;
        Ok(search.run(&AtomicBool::new(false)))
    }
}

/// The score in hundredths of the half value, from the expected result that follows from it.
fn hundredths(value: f64) -> i32 {
    (100.0 * value / (1.0 - value.abs())).clamp(-MAX_SCORE, MAX_SCORE).round() as i32
}

fn refused(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

/// The position after `moves` from the start of the game.
pub(super) fn board_after(game: &dyn AnyGame, moves: &[Played]) -> io::Result<Box<dyn AnyBoard>> {
    game.board(None, &texts(moves)).map_err(|refusal| refused(format!("{refusal:?}")))
}

/// Random moves after which the game still goes on.
fn opening(game: &dyn AnyGame, random: &mut Random) -> Vec<Played> {
    loop {
        let plies = RANDOM_PLIES + random.below(2);
        let mut moves = Vec::new();
        while let Ok(board) = board_after(game, &moves) {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            if moves.len() == plies {
                return moves;
            }
            let mv = legal[random.below(legal.len())].mv.text.clone();
            moves.push(Played { mv, score: None });
        }
    }
}

/// What the first side gets where the game is over.
fn result_of(game: &dyn AnyGame, board: &dyn AnyBoard) -> Option<Points> {
    match board.state().standing {
        Standing::Ongoing => None,
        Standing::Drawn { .. } => Some(Points::Half),
        Standing::Won { winner, .. } if winner == game.about().sides[0] => Some(Points::All),
        Standing::Won { .. } => Some(Points::None),
    }
}

/// For how many plies the sides have expected the same result.
#[derive(Default)]
struct Agreement {
    /// What the first side gets; none where the game is open.
    result: Option<Points>,
    plies: usize,
}

impl Agreement {
    /// The result, once the searches have agreed upon it for long enough; the last one expects this.
    fn with(&mut self, expected: Option<Points>) -> Option<Points> {
        self.plies = if expected == self.result { self.plies + 1 } else { 1 };
        self.result = expected;
        expected.filter(|_| self.plies >= AGREED_PLIES)
    }
}

/// What the first side will get, as far as the search knows; none where the game is open.
fn expected(answer: &Answer, is_first: bool) -> Option<Points> {
    match answer.evaluation.value {
        value if value.abs() >= DECIDED => {
            Some(if (value > 0.0) == is_first { Points::All } else { Points::None })
        }
        _ => (answer.evaluation.outcome == Some(Outcome::Draw)).then_some(Points::Half),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_ends_once_both_sides_have_expected_the_same_for_long_enough() {
        for result in [Points::None, Points::Half, Points::All] {
            let mut agreed = Agreement::default();
            let other = if result == Points::Half { Points::All } else { Points::Half };
            for expected in [Some(result), None, Some(other)] {
                assert_eq!(agreed.with(expected), None);
            }
            for _ in 1..AGREED_PLIES {
                assert_eq!(agreed.with(Some(result)), None);
            }
            assert_eq!(agreed.with(Some(result)), Some(result));
        }
    }

    #[test]
    fn a_game_that_is_open_goes_on() {
        let mut agreed = Agreement::default();
        assert!((0..10 * AGREED_PLIES).all(|_| agreed.with(None).is_none()));
    }
}
