//! What the laboratory asks of a game, for every game of the catalogue.

use std::io;

use crate::knowledge::knowledge;
use crate::play::board_after;
use crate::record::{Played, texts};
use crate::trace::Trace;
use bestmove_engine::game::linear::Layout;
use bestmove_engine::game::{Evaluator, Game, Position, SelectiveHooks, Trainable};
use bestmove_engine::games::any::AnyGame;
use bestmove_engine::games::{self, Knowledge};
use bestmove_engine::network::NetworkSize;
use bestmove_engine::nn::{NetworkInput, NetworkShape};

/// Evaluates `for_game!(name, G => result)`, with `G` the type of the game of that name. An error where there is
/// no such game.
macro_rules! for_game {
    (($name:expr, $alias:ident => $result:expr) $($game:path $(| $other:path)*,)*) => {
        match $name {
            $(name if name == <$game as bestmove_engine::game::Game>::VARIANTS[0].game_info().name => {
                type $alias = $game;
                $result
            })*
            name => Err($crate::game::unknown(name)),
        }
    };
    ($($arguments:tt)*) => {
        bestmove_engine::with_games!(for_game! ($($arguments)*))
    };
}
pub(crate) use for_game;

pub(crate) fn unknown(name: &str) -> io::Error {
    io::Error::other(format!("no game '{name}'"))
}

/// The game of that name.
pub(crate) fn game(name: &str) -> io::Result<&'static dyn AnyGame> {
    games::find(name).ok_or_else(|| unknown(name))
}

/// The weights of the evaluator of that name, or of the default one, and its half value. An error where its score
/// is no weighted sum.
pub(crate) fn layout(game: &str, name: Option<&str>) -> io::Result<(Layout, i32)> {
    for_game!(game, G => {
        let evaluator = evaluator::<G>(name, &Knowledge::default())?;
        Ok((layout_of::<PositionOf<G>>(&evaluator)?, half_value_of::<G>(&evaluator)))
    })
}

/// The networks of the evaluator of that name, or of the default one, and its half value. An error where it has no
/// network.
pub(crate) fn network_shape(game: &str, name: Option<&str>) -> io::Result<(NetworkShape, i32)> {
    for_game!(game, G => {
        let evaluator = evaluator::<G>(name, &Knowledge::default())?;
        Ok((network_shape_of::<PositionOf<G>>(&evaluator)?, half_value_of::<G>(&evaluator)))
    })
}

/// The dimensions of the network of a game. An error where it has none.
pub(crate) fn network_size(game: &str) -> io::Result<NetworkSize> {
    for_game!(game, G => {
        let evaluator = evaluator::<G>(None, &Knowledge::default())?;
        let size = Trainable::<PositionOf<G>>::network_size(&evaluator);
        size.ok_or_else(|| crate::error::invalid("the game has no network"))
    })
}

/// The half value of the evaluator of that name, or of the default one.
pub(crate) fn half_value(game: &str, name: Option<&str>) -> io::Result<i32> {
    for_game!(game, G => {
        Ok(half_value_of::<G>(&evaluator::<G>(name, &Knowledge::default())?))
    })
}

type PositionOf<G> = <G as Game>::Position;

fn half_value_of<G: Game>(evaluator: &G::Evaluator) -> i32 {
    evaluator.half_value()
}

fn layout_of<P: Position>(evaluator: &impl Trainable<P>) -> io::Result<Layout> {
    evaluator.layout().ok_or_else(|| crate::error::invalid("the score is no sum of weights"))
}

fn network_shape_of<P: Position>(evaluator: &impl Trainable<P>) -> io::Result<NetworkShape> {
    evaluator
        .network_shape()
        .ok_or_else(|| crate::error::invalid("there is no network in the score"))
}

/// The features of the quiet positions before `moves`, played from the start; each with the number of its move.
pub(crate) fn traces(
    game: &dyn AnyGame,
    evaluator: Option<&str>,
    moves: &[Played],
) -> io::Result<Vec<(usize, Trace)>> {
    for_game!(game.info().name, G => of_quiet_positions::<G, _, _>(
        game, evaluator, moves, layout_of::<PositionOf<G>>, Trace::of,
    ))
}

/// As [`traces`], with the network input of each position.
pub(crate) fn network_inputs(
    game: &dyn AnyGame,
    evaluator: Option<&str>,
    moves: &[Played],
) -> io::Result<Vec<(usize, NetworkInput)>> {
    for_game!(game.info().name, G => of_quiet_positions::<G, _, _>(
        game, evaluator, moves, network_shape_of::<PositionOf<G>>, Trainable::network_input,
    ))
}

/// The evaluator of that name, or the default one.
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

/// What `ask` returns for the quiet positions before `moves` whose value no table has, each with the number of its
/// move. The error of `check` where the evaluator has nothing to train.
fn of_quiet_positions<G: Game, C, T>(
    game: &dyn AnyGame,
    name: Option<&str>,
    moves: &[Played],
    check: impl Fn(&G::Evaluator) -> io::Result<C>,
    ask: impl Fn(&G::Evaluator, &G::Position) -> Option<T>,
) -> io::Result<Vec<(usize, T)>> {
    let evaluator = evaluator::<G>(name, &knowledge())?;
    check(&evaluator)?;
    // Refuses moves that are illegal or follow the end of the game.
    board_after(game, &texts(moves))?;
    let (mut position, mut answers) = (G::VARIANTS[0].start(), Vec::new());
    for (number, played) in moves.iter().enumerate() {
        if evaluator.is_quiet(&position) && evaluator.known(&position).is_none() {
            answers.extend(ask(&evaluator, &position).map(|answer| (number, answer)));
        }
        let mv = G::read_move(&position, &played.mv);
        position = position.play(mv.map_err(|error| crate::error::invalid(&error.0))?);
    }
    Ok(answers)
}
