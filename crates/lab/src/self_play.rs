//! Games of the engine against itself, from which a tuner learns.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::record::{Played, Points, Record, resume, texts};
use super::refused;
use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{Answer, AnyBoard, AnyGame, GameStatus, SearchParameters};
use fastrand::Rng;

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
    /// What makes the games differ.
    pub variety: Variety,
}

/// What makes games differ. A learner wants positions of all kinds: those that good play leads to, and
/// those that follow on mistakes.
#[derive(Clone, Copy, Debug)]
pub struct Variety {
    /// The first plies of a game that are drawn by lot: so many, or one more so that either side may be
    /// to move.
    pub random_plies: usize,
    /// Up to this ply any of the moves is played that look nearly as good as the best.
    pub loose_plies: usize,
    /// One in so many moves up to the fiftieth is drawn by lot; none where this is 0.
    pub stray: usize,
}

/// After so many plies there are no more strays: the mistakes of an ending would decide it.
const STRAY_PLIES: usize = 50;
/// How many moves are compared where one of them will do, ...
const LOOSE_MOVES: u64 = 4;
/// ... and by how much less than the best a move may be expected to bring.
const LOOSE_WORTH: f64 = 0.08;
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
        let (known, mut output) = resume(file)?;
        for number in known as u64..self.games {
            let record = self.game(game, &mut crate::stream(self.seed, number))?;
            writeln!(output, "{record}")?;
            output.flush()?;
        }
        Ok(())
    }

    /// One game, from a random opening.
    fn game(&self, game: &dyn AnyGame, random: &mut Rng) -> io::Result<Record> {
        let mut moves = self.opening(game, random);
        let mut agreed = Agreement::default();
        loop {
            let board = board_after(game, &moves)?;
            if let Some(result) = result_of(game, board.as_ref()) {
                return Ok(Record { result, moves });
            }
            let is_loose = moves.len() < self.variety.loose_plies;
            let answer = self.search(board.as_ref(), is_loose)?;
            let is_first = answer.before.side_to_move == game.info().sides[0];
            if let Some(result) = agreed.with(expected(&answer, is_first)) {
                return Ok(Record { result, moves });
            }
            let score = Some(hundredths(answer.evaluation.value));
            moves.push(if self.strays(moves.len(), random) {
                Played { mv: any_of(&board.legal_moves(), random).mv.text.clone(), score: None }
            } else if is_loose {
                Played { mv: nearly_best(&answer, random), score }
            } else {
                Played { mv: answer.best_move.text, score }
            });
            if moves.len() >= MAX_PLIES {
                return Ok(Record { result: Points::Half, moves });
            }
        }
    }

    /// Random moves after which the game still goes on.
    fn opening(&self, game: &dyn AnyGame, random: &mut Rng) -> Vec<Played> {
        loop {
            let plies = self.variety.random_plies + random.usize(..2);
            let mut moves = Vec::new();
            while let Ok(board) = board_after(game, &moves) {
                let legal = board.legal_moves();
                if legal.is_empty() {
                    break;
                }
                if moves.len() == plies {
                    return moves;
                }
                moves.push(Played { mv: any_of(&legal, random).mv.text.clone(), score: None });
            }
        }
    }

    /// Whether the move after so many is drawn by lot.
    fn strays(&self, plies: usize, random: &mut Rng) -> bool {
        let Variety { stray, .. } = self.variety;
        stray > 0 && plies < STRAY_PLIES && random.usize(..stray) == 0
    }

    /// A search for the best move, or for the few best ones with twice the nodes.
    fn search(&self, board: &dyn AnyBoard, is_loose: bool) -> io::Result<Answer> {
        let parameters = SearchParameters {
            nodes: Some(if is_loose { 2 * self.nodes } else { self.nodes }),
            top: is_loose.then_some(LOOSE_MOVES),
            algorithm: self.algorithm.clone(),
            evaluator: self.evaluator.clone(),
            ..SearchParameters::default()
        };
        searched(board, &parameters)
    }
}

/// The score in hundredths of the half value, from the expected result that follows from it.
pub(super) fn hundredths(value: f64) -> i32 {
    (100.0 * value / (1.0 - value.abs())).clamp(-MAX_SCORE, MAX_SCORE).round() as i32
}

/// What a search of a position on these parameters finds.
pub(super) fn searched(board: &dyn AnyBoard, parameters: &SearchParameters) -> io::Result<Answer> {
    Ok(board.search(parameters).map_err(|refusal| refused(&refusal))?.run(&AtomicBool::new(false)))
}

/// The position after `moves` from the start of the game.
pub(super) fn board_after(game: &dyn AnyGame, moves: &[Played]) -> io::Result<Box<dyn AnyBoard>> {
    game.board(None, &texts(moves)).map_err(|refusal| refused(&refusal))
}

/// One of these, drawn by lot.
pub(super) fn any_of<'a, T>(all: &'a [T], random: &mut Rng) -> &'a T {
    &all[random.usize(..all.len())]
}

/// A move that is expected to bring nearly as much as the best.
fn nearly_best(answer: &Answer, random: &mut Rng) -> String {
    let least = answer.evaluation.value - LOOSE_WORTH;
    let moves = answer.variations.iter().filter(|variation| variation.evaluation.value >= least);
    any_of(&moves.collect::<Vec<_>>(), random).mv.text.clone()
}

/// What the first side gets where the game is over.
fn result_of(game: &dyn AnyGame, board: &dyn AnyBoard) -> Option<Points> {
    match board.state().status {
        GameStatus::Ongoing => None,
        GameStatus::Drawn { .. } => Some(Points::Half),
        GameStatus::Won { winner, .. } if winner == game.info().sides[0] => Some(Points::All),
        GameStatus::Won { .. } => Some(Points::None),
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
