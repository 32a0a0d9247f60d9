//! Matches between two ways to search, in process, from random balanced openings.

mod openings;
mod player;
mod tally;

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use self::openings::opening;
pub use self::player::serve;
use self::player::{Choice, Player};
pub use self::tally::Tally;
use bestmove_engine::games::any::{AnyGame, GameStatus};

/// What a match is played under.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The name of the game.
    pub game: String,
    /// How the players search, as `nodes=8000,evaluator=material`: any of `depth`, `nodes`,
    /// `time_ms`, `algorithm` and `evaluator`, or `level`.
    pub players: [String; 2],
    /// The laboratory of another build, by which the second player is moved.
    pub other_build: Option<PathBuf>,
    /// Games at most; two from each opening, with sides changed.
    pub games: u64,
    /// Random plies with which each game begins.
    pub opening_plies: usize,
    /// Whether openings are kept in which one side is far ahead.
    pub any_opening: bool,
    /// Which openings.
    pub seed: u64,
    /// Games at once.
    pub threads: usize,
    /// The two gains in Elo between which a sequential test decides; it ends the match.
    pub sprt: Option<[f64; 2]>,
}

/// A game that is longer is drawn.
const LONGEST: usize = 300;

/// How certain both players must be of the winner, and for how many plies, to end a game.
const CERTAIN: f64 = 0.9;
const TIMEOUT: u32 = 6;

/// Plays a match; `watch` sees the tally after every pair of games.
///
/// # Errors
/// Where there is no such game, a player can't be understood or searches no such way.
pub fn stage(conditions: &Conditions, watch: &(dyn Fn(&Tally) + Sync)) -> io::Result<Tally> {
    let game = super::game(&conditions.game)?;
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    let is_over =
        |tally: &Tally| conditions.sprt.is_some_and(|sprt| tally.decision(sprt).is_some());
    let play = || -> io::Result<()> {
        let mut players = conditions.players()?;
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if 2 * pair >= conditions.games {
                return Ok(());
            }
            let opening = opening(game, conditions, pair)?;
            for player in &mut players {
                player.begin_game(pair);
            }
            let halves = [0, 1].map(|first| points(game, &mut players, first, &opening));
            let [white, black] = halves;
            let mut tally = tally.lock().map_err(|_| io::Error::other("a player panicked"))?;
            if is_over(&tally) {
                return Ok(());
            }
            tally.add([white?, black?]);
            watch(&tally);
        }
    };
    let played: io::Result<()> = thread::scope(|scope| {
        let threads: Vec<_> = (0..conditions.threads).map(|_| scope.spawn(play)).collect();
        let panicked = |_| Err(io::Error::other("a player panicked"));
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(panicked))
    });
    played?;
    tally.into_inner().map_err(|_| io::Error::other("a player panicked"))
}

impl Conditions {
    fn players(&self) -> io::Result<[Player; 2]> {
        let [first, second] = &self.players;
        let second = match &self.other_build {
            Some(lab) => Player::elsewhere(lab, &self.game, second)?,
            None => Player::here(second)?,
        };
        Ok([Player::here(first)?, second])
    }
}

/// The half points that the first player makes in a game in which the player of index `first` moves
/// first.
fn points(
    game: &dyn AnyGame,
    players: &mut [Player; 2],
    first: usize,
    opening: &[String],
) -> io::Result<u32> {
    let mut moves = opening.to_vec();
    let mut certainty = Certainty::default();
    let sides = game.info().sides;
    let winner = loop {
        let board = player::board(game, &moves)?;
        match board.state().status {
            GameStatus::Ongoing if moves.len() < LONGEST => {}
            GameStatus::Won { winner, .. } => break Some(usize::from(winner != sides[0])),
            _ => break None,
        }
        let to_move = moves.len() % 2;
        let Choice { mv, value } = players[to_move ^ first].choice(game, board.as_ref(), &moves)?;
        if let Some(winner) = certainty.winner(to_move, value) {
            break Some(winner);
        }
        moves.push(mv);
    };
    Ok(winner.map_or(1, |side| if side ^ first == 0 { 2 } else { 0 }))
}

/// How long both players have been certain of the same winner.
#[derive(Default)]
struct Certainty {
    side: usize,
    plies: u32,
}

impl Certainty {
    /// The side that wins for certain, after the side `to_move` expects `value`.
    fn winner(&mut self, to_move: usize, value: f64) -> Option<usize> {
        let side = if value > 0.0 { to_move } else { 1 - to_move };
        let goes_on = value.abs() >= CERTAIN && side == self.side;
        self.plies = if goes_on { self.plies + 1 } else { u32::from(value.abs() >= CERTAIN) };
        self.side = side;
        (self.plies >= TIMEOUT).then_some(side)
    }
}
