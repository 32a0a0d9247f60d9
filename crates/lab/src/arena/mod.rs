//! Matches between two players, in process, from random balanced openings.

mod player;
mod result;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

pub(crate) use self::player::serve;
use self::player::{Choice, Player};
pub(crate) use self::result::MatchResult;
use crate::adjudication::{Adjudication, Adjudicator};
use crate::in_order::in_order;
use crate::play::{after, board_after, random_opening, result_of, search};
use crate::record::Points;
use crate::resumable::Resumable;
use bestmove_engine::games::any::{AnyGame, SearchParameters};
use clap::Args;
use serde::Serialize;

/// The conditions of a match.
#[derive(Args, Clone, Debug, Serialize)]
pub(crate) struct Conditions {
    /// The name of the game
    game: String,
    /// Games at most, two from each opening with sides changed
    #[arg(long, default_value_t = 400)]
    #[serde(skip)]
    games: u64,
    /// Random plies with which each game begins
    #[arg(long, default_value_t = 8)]
    opening_plies: usize,
    /// Keep openings in which one side is far ahead
    #[arg(long)]
    any_opening: bool,
    /// Play every game to its end, even if both players have long been certain of the winner
    #[arg(long)]
    play_out: bool,
    /// The seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once
    #[arg(long, default_value_t = 1)]
    #[serde(skip)]
    threads: usize,
}

/// A player is written as settings with commas between: nodes=8000,evaluator=material, with any of depth,
/// nodes, `time_ms`, algorithm, evaluator, networks (a file, none or embedded) and tables=kept (a search goes on with those of
/// the one before), or with level alone; or as random. The serialised fields, the networks and the builds determine the result.
#[derive(Args, Clone, Debug, Serialize)]
#[serde(tag = "command", rename = "match")]
pub(crate) struct Match {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) conditions: Conditions,
    /// The first player
    #[arg(long, default_value = "nodes=8000")]
    pub(crate) a: String,
    /// The second player
    #[arg(long, default_value = "nodes=8000")]
    pub(crate) b: String,
    /// The laboratory of another build, by which the second player is moved
    #[arg(long)]
    #[serde(skip)]
    pub(crate) against: Option<PathBuf>,
    /// End as soon as a sequential test decides between these two gains in Elo
    #[arg(long, num_args = 2, value_names = ["LOW", "HIGH"], allow_negative_numbers = true)]
    #[serde(skip)]
    pub(crate) sprt: Option<Vec<f64>>,
    /// A file to go on with: the half points of the first player in the two games of each pair, a pair a line
    #[arg(long)]
    #[serde(skip)]
    pub(crate) out: Option<PathBuf>,
}

/// The pairs between two reports.
const REPORTED: u32 = 50;

impl Match {
    /// Plays the match, and reports on standard output after every [`REPORTED`] pairs and at the end.
    pub(crate) fn run(&self) -> io::Result<MatchResult> {
        let report = |result: &MatchResult| {
            let ratio = self.bounds().map(|sprt| result.likelihood_ratio(sprt));
            println!(
                "{result}{}",
                ratio.map(|ratio| format!(", ratio {ratio:.2}")).unwrap_or_default()
            );
        };
        let result = self.play(&|result| {
            if result.pairs().is_multiple_of(REPORTED) {
                report(result);
            }
        })?;
        report(&result);
        Ok(result)
    }

    /// The bounds of the sequential test.
    fn bounds(&self) -> Option<[f64; 2]> {
        self.sprt.as_deref().and_then(|sprt| sprt.try_into().ok())
    }

    /// Plays the match; `observer` gets the result after every pair of games.
    pub(crate) fn play(&self, observer: &dyn Fn(&MatchResult)) -> io::Result<MatchResult> {
        let conditions = &self.conditions;
        let count = conditions.games.div_ceil(2);
        let mut pairs = Resumable::open(self.out.as_deref(), self, count)?;
        let mut result: MatchResult = pairs.known.join("\n").parse()?;
        let game = crate::game::game(&conditions.game)?;
        let players = (0..conditions.threads.max(1)).map(|_| self.players());
        let players = players.collect::<io::Result<_>>()?;
        let rest = u64::from(result.pairs())..count;
        let pair = |players: &mut [Player; 2], number| conditions.pair(game, players, number);
        in_order(rest, players, pair, |[first, second]| {
            result.add([first, second]);
            pairs.append(&format!("{first} {second}"))?;
            observer(&result);
            let is_decided = self.bounds().is_some_and(|sprt| result.decision(sprt).is_some());
            Ok(if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(result)
    }

    fn players(&self) -> io::Result<[Player; 2]> {
        let game = &self.conditions.game;
        let first = Player::new(None, game, &self.a)?;
        Ok([first, Player::new(self.against.as_deref(), game, &self.b)?])
    }
}

/// Plies. A longer game is drawn.
const LONGEST: usize = 300;

/// When both players are certain of the winner.
const ADJUDICATION: Adjudication = Adjudication { decided: 0.9, plies: 6, even: None };

/// The greatest advantage of a side after the opening, as a value from -1 to 1 by a search of [`BALANCE_NODES`].
const BALANCED: f64 = 0.2;
const BALANCE_NODES: u64 = 4_000;

impl Conditions {
    /// The half points of the first player in the two games of a pair.
    fn pair(
        &self,
        game: &dyn AnyGame,
        players: &mut [Player; 2],
        number: u64,
    ) -> io::Result<[u32; 2]> {
        let opening = self.opening(game, number)?;
        let mut half_points = [0, 0];
        for (first, half_points) in half_points.iter_mut().enumerate() {
            for (place, player) in (0..).zip(&mut *players) {
                player.begin_game(2 * number + first as u64, place);
            }
            *half_points = self.points(game, players, first, &opening)?;
        }
        Ok(half_points)
    }

    /// The random opening with this number. It follows from the conditions.
    fn opening(&self, game: &dyn AnyGame, number: u64) -> io::Result<Vec<String>> {
        let mut random = crate::play::stream(self.seed, number);
        let nodes = Some(BALANCE_NODES);
        let parameters = SearchParameters { nodes, ..SearchParameters::default() };
        loop {
            let opening = random_opening(game, self.opening_plies, &mut random)?;
            let Some((moves, end)) = opening else { continue };
            let is_balanced = || -> io::Result<bool> {
                Ok(search(&*end, &parameters)?.evaluation.value.abs() <= BALANCED)
            };
            if self.any_opening || is_balanced()? {
                return Ok(moves);
            }
        }
    }

    /// The half points of the first player in a game in which the player with index `first` moves first.
    fn points(
        &self,
        game: &dyn AnyGame,
        players: &mut [Player; 2],
        first: usize,
        opening: &[String],
    ) -> io::Result<u32> {
        let mut moves = opening.to_vec();
        let mut adjudicator = Adjudicator::new(ADJUDICATION);
        let mut board = board_after(game, opening)?;
        let points = loop {
            if let Some(points) = result_of(game, &*board) {
                break points;
            }
            if moves.len() >= LONGEST {
                break Points::Half;
            }
            let to_move = moves.len() % 2;
            let Choice { mv, value } = players[to_move ^ first].choose(game, &*board, &moves)?;
            if let Some(points) = adjudicator.judge(to_move == 0, value, false)
                && !self.play_out
            {
                break points;
            }
            board = after(&*board, &mv)?;
            moves.push(mv);
        };
        Ok(if first == 0 { points.halves() } else { points.reversed().halves() })
    }
}
