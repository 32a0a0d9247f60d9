//! Games of the engine against itself, as training data.

use std::io;
use std::path::PathBuf;

use crate::adjudication::{Adjudication, Adjudicator, Even};
use crate::game::half_value;
use crate::play::{Opening, after, prepared, random_move, random_opening, result_of};
use crate::record::{Played, Points, Record};
use crate::resumable::extend;
use bestmove_engine::game::Outcome;
use bestmove_engine::games::any::{Answer, AnyBoard, AnyGame, Evaluation, SearchParameters};
use bestmove_engine::search::{Algorithm, SearchTables};
use clap::Args;
use clap::builder::PossibleValuesParser;
use fastrand::Rng;
use serde::Serialize;

/// Games to play. The serialised fields, the networks and the build determine the games.
#[derive(Args, Clone, Debug, Serialize)]
#[serde(tag = "command", rename = "self-play")]
pub(crate) struct SelfPlay {
    /// The name of the game
    game: String,
    /// The number of games in the file when all is done
    #[arg(long)]
    #[serde(skip)]
    games: u64,
    /// The positions to visit for a move
    #[arg(long)]
    nodes: u64,
    /// Let a search complete the depth in which it reaches that number, within five times the number
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    soft: bool,
    /// The seed of the random moves; a game follows from it and from its number
    #[arg(long)]
    seed: u64,
    /// The file to go on with: a game a line
    #[arg(long)]
    #[serde(skip)]
    out: PathBuf,
    /// The algorithm of both sides [default: the game's]
    #[arg(long, value_parser = PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)))]
    algorithm: Option<String>,
    /// The evaluator of both sides [default: the game's]
    #[arg(long)]
    evaluator: Option<String>,
    /// Random plies with which each game begins; half of the games have one more
    #[arg(long, default_value_t = 6)]
    random_plies: usize,
    /// Up to which ply any move is played whose value is close to that of the best
    #[arg(long, default_value_t = 0)]
    loose_plies: usize,
    /// One in how many moves up to the fiftieth is random; 0 for none
    #[arg(long, default_value_t = 0, alias = "stray")]
    perturbation: usize,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    #[serde(skip)]
    threads: usize,
}

/// The ply after which no move is random: mistakes in an ending would decide the game.
const PERTURBED_PLIES: usize = 50;
/// The number of best moves of which a loose ply draws one.
const LOOSE_MOVES: u64 = 4;
/// The greatest difference in value, -1 to 1, between that move and the best one.
const LOOSE_WORTH: f64 = 0.08;
/// The hard limit of a search, as a multiple of its soft limit.
const SOFT_SHARE: u64 = 5;
/// Plies. A longer game is a draw.
const MAX_PLIES: usize = 400;
/// A game ends when both sides have long expected a win of one side or a proven draw, or have expected an even game for
/// longer.
const ADJUDICATION: Adjudication =
    Adjudication { decided: 0.8, plies: 8, even: Some(Even { value: 0.02, plies: 20, after: 70 }) };

/// The largest score in a record, in hundredths of the half value.
const MAX_SCORE: f64 = 1000.0;

impl SelfPlay {
    /// Appends the games that the file lacks, one a line.
    pub(crate) fn run(&self) -> io::Result<()> {
        let game = crate::game::game(&self.game)?;
        extend(&self.out, self, self.games, self.threads, |number| {
            Ok(self.play(game, &mut crate::play::stream(self.seed, number))?.to_string())
        })
    }

    /// One game, from a random opening.
    fn play(&self, game: &dyn AnyGame, random: &mut Rng) -> io::Result<Record> {
        let (opening, mut board) = self.opening(game, random)?;
        let mut moves: Vec<_> = opening.into_iter().map(|mv| Played { mv, score: None }).collect();
        let half_value = half_value(&self.game, self.evaluator.as_deref())?;
        let mut adjudicator = Adjudicator::new(ADJUDICATION);
        let mut tables = SearchTables::default();
        loop {
            if let Some(result) = result_of(game, &*board) {
                return Ok(Record { result: Some(result), moves });
            }
            let is_loose = moves.len() < self.loose_plies;
            let answer = self.search(&*board, is_loose, &mut tables)?;
            let is_first = answer.side_to_move == game.info().sides[0];
            let Evaluation { value, outcome, score, .. } = answer.evaluation;
            if let Some(result) = adjudicator.judge(is_first, value, outcome == Some(Outcome::Draw))
            {
                return Ok(Record { result: Some(result), moves });
            }
            let score = Some(hundredths(score, half_value));
            let is_random = self.perturbs(moves.len(), random);
            let drawn = if is_random { random_move(&*board, random) } else { None };
            let played = match drawn {
                Some(mv) => Played { mv, score: None },
                None if is_loose => Played { mv: nearly_best(&answer, random), score },
                None => Played { mv: answer.best_move.text, score },
            };
            board = after(&*board, &played.mv)?;
            moves.push(played);
            if moves.len() >= MAX_PLIES {
                return Ok(Record { result: Some(Points::Half), moves });
            }
        }
    }

    /// Random moves that do not end the game.
    fn opening(&self, game: &dyn AnyGame, random: &mut Rng) -> io::Result<Opening> {
        loop {
            let plies = self.random_plies + random.usize(..2);
            if let Some(opening) = random_opening(game, plies, random)? {
                return Ok(opening);
            }
        }
    }

    /// Whether the move after `plies` is random.
    fn perturbs(&self, plies: usize, random: &mut Rng) -> bool {
        self.perturbation > 0 && plies < PERTURBED_PLIES && random.usize(..self.perturbation) == 0
    }

    /// A search for the best move, or, for a loose ply, for the few best moves with twice the nodes. The search goes on with
    /// the tables of the one before, which are those of the opponent.
    fn search(
        &self,
        board: &dyn AnyBoard,
        is_loose: bool,
        tables: &mut SearchTables,
    ) -> io::Result<Answer> {
        let nodes = if is_loose { 2 * self.nodes } else { self.nodes };
        let parameters = SearchParameters {
            nodes: Some(if self.soft { SOFT_SHARE * nodes } else { nodes }),
            soft_nodes: self.soft.then_some(nodes),
            top: is_loose.then_some(LOOSE_MOVES),
            algorithm: self.algorithm.as_deref().and_then(Algorithm::named),
            evaluator: self.evaluator.clone(),
            ..SearchParameters::default()
        };
        let search = prepared(board, &parameters)?;
        Ok(search.run_with(&false.into(), tables, None))
    }
}

/// The score of a search in hundredths of the half value of the evaluator.
pub(crate) fn hundredths(score: i32, half_value: i32) -> i32 {
    (100.0 * f64::from(score) / f64::from(half_value)).clamp(-MAX_SCORE, MAX_SCORE).round() as i32
}

/// A random move whose value is close to that of the best one.
fn nearly_best(answer: &Answer, random: &mut Rng) -> String {
    let least = answer.evaluation.value - LOOSE_WORTH;
    let moves = answer.variations.iter().filter(|variation| variation.evaluation.value >= least);
    let mv = random.choice(moves.collect::<Vec<_>>()).map(|variation| &variation.mv);
    mv.unwrap_or(&answer.best_move).text.clone()
}
