//! Access to the games of the catalogue by name.

use std::io;

use crate::knowledge::knowledge;
use crate::play::board_after;
use crate::record::{Played, texts};
use bestmove_engine::game::{
    Doubt, Evaluator, Game, MoveOf, Position, SelectiveHooks, known_value,
};
use bestmove_engine::games::any::AnyGame;
use bestmove_engine::games::{self, Knowledge};
use bestmove_engine::network::NetworkSize;
use fastrand::Rng;

/// Evaluates `for_game!(name, G => result)` with `G`, the type of the game called `name`. An unknown name is an error.
macro_rules! for_game {
    ($name:expr, $alias:ident => $result:expr) => {
        match $name {
            "tic-tac-toe" => {
                type $alias = bestmove_engine::games::tic_tac_toe::TicTacToe;
                $result
            }
            "connect-four" => {
                type $alias = bestmove_engine::games::connect_four::ConnectFour;
                $result
            }
            "checkers" => {
                type $alias = bestmove_engine::games::checkers::Checkers;
                $result
            }
            "chess" => {
                type $alias = bestmove_engine::games::chess::Chess;
                $result
            }
            "othello" => {
                type $alias = bestmove_engine::games::othello::Othello;
                $result
            }
            name => Err($crate::game::unknown(name)),
        }
    };
}
pub(crate) use for_game;

pub(crate) fn unknown(name: &str) -> io::Error {
    io::Error::other(format!("no game '{name}'"))
}

pub(crate) fn game(name: &str) -> io::Result<&'static dyn AnyGame> {
    games::find(name).ok_or_else(|| unknown(name))
}

/// The dimensions of the network of a game. An error where it has none.
pub(crate) fn network_size(game: &str) -> io::Result<NetworkSize> {
    let size = self::game(game)?.info().network;
    size.ok_or_else(|| crate::error::invalid("the game has no network"))
}

/// The half value of the evaluator called `name`, or of the default one.
pub(crate) fn half_value(game: &str, name: Option<&str>) -> io::Result<i32> {
    for_game!(game, G => Ok(half_value_of::<G>(&evaluator::<G>(name, &*knowledge()?)?)))
}

fn half_value_of<G: Game>(evaluator: &G::Evaluator) -> i32 {
    evaluator.scale().half_value
}

/// The evaluator called `name`, or the default one.
pub(crate) fn evaluator<G: Game>(
    name: Option<&str>,
    knowledge: &Knowledge,
) -> io::Result<G::Evaluator> {
    let name = name
        .or(G::VARIANTS[0].game_info().evaluators.first().map(|&(name, _)| name))
        .unwrap_or_default();
    G::evaluator(name, &knowledge.of::<G>())
        .ok_or_else(|| crate::error::invalid(&format!("no evaluator '{name}'")))
}

/// Whether a network may learn from an unfinished position: no table knows it, the side to move is not forced, and no noisy
/// move gains anything.
pub(crate) fn is_learnable<P: Position, E: SelectiveHooks<P>>(evaluator: &E, position: &P) -> bool {
    let mut is_quiet = !evaluator.doubts(position, Doubt::Forced);
    evaluator
        .noisy_moves(position, |mv, _| is_quiet &= !evaluator.exchange_at_least(position, mv, 1));
    is_quiet && known_value(evaluator, position).is_none()
}

/// Calls `see` with each position from the start in which one of `moves` is played, its number and the move; returns the
/// position after them.
pub(crate) fn follow<G: Game>(
    moves: &[Played],
    mut see: impl FnMut(usize, &G::Position, MoveOf<G>),
) -> io::Result<G::Position> {
    let mut position = G::VARIANTS[0].start();
    for (number, played) in moves.iter().enumerate() {
        let mv = read_move::<G>(&position, &played.mv)?;
        see(number, &position, mv);
        position = position.play(mv);
    }
    Ok(position)
}

/// The legal move that `text` means.
pub(crate) fn read_move<G: Game>(position: &G::Position, text: &str) -> io::Result<MoveOf<G>> {
    G::read_move(position, text).map_err(|error| crate::error::invalid(&error.0))
}

/// A random legal move; `None` where the game is over.
pub(crate) fn random_move<P: Position>(position: &P, random: &mut Rng) -> Option<P::Move> {
    let moves: Vec<_> = position.legal_moves().into_iter().collect();
    random.choice(moves)
}

/// The indices in `moves`, played from the start, before which the position is quiet and in no table.
pub(crate) fn quiet_positions(game: &dyn AnyGame, moves: &[Played]) -> io::Result<Vec<usize>> {
    for_game!(game.info().name, G => quiet_positions_of::<G>(game, moves))
}

fn quiet_positions_of<G: Game>(game: &dyn AnyGame, moves: &[Played]) -> io::Result<Vec<usize>> {
    let evaluator = evaluator::<G>(None, &*knowledge()?)?;
    // Illegal moves, and moves after the end of the game, are refused here.
    board_after(game, &texts(moves))?;
    let mut numbers = Vec::new();
    follow::<G>(moves, |number, position, _| {
        if is_learnable(&evaluator, position) {
            numbers.push(number);
        }
    })?;
    Ok(numbers)
}
