//! What the laboratory asks of a game, for every game of the catalogue.

use std::io;

use crate::play::board_after;
use crate::record::{Played, texts};
use bestmove_engine::game::linear::{Layout, Trace};
use bestmove_engine::game::{EndgameSource, Evaluator, Game, Position, SelectiveHooks, Trainable};
use bestmove_engine::games::any::AnyGame;
use bestmove_engine::games::{self, Knowledge};
use bestmove_engine::nn::{NetworkInput, NetworkShape};

/// Evaluates `for_game!(name, G => result)`, with `G` the type of the game of that name. An error where there is
/// no such game.
macro_rules! for_game {
    (($name:expr, $alias:ident => $result:expr) $($game:path,)*) => {
        match $name {
            $(name if name == <$game as bestmove_engine::game::Game>::INFO.name => {
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

/// The trainable parts of an evaluator.
pub(crate) struct Model {
    /// The weights of a linear evaluation; `None` where the score is no sum.
    pub layout: Option<Layout>,
    /// The networks; `None` where there are none.
    pub networks: Option<NetworkShape>,
    /// The score at which three quarters of the points are expected.
    pub half_value: i32,
}

/// What can be trained of the evaluator of that name, or of the default one.
pub(crate) fn model(game: &dyn AnyGame, evaluator: Option<&str>) -> io::Result<Model> {
    for_game!(game.info().name, G => model_of::<G>(evaluator))
}

fn model_of<G: Game>(name: Option<&str>) -> io::Result<Model> {
    let evaluator = evaluator::<G>(name, &Knowledge::default())?;
    let trainable = trainable::<G>(&evaluator)?;
    let (layout, networks) = (trainable.layout(), trainable.network_shape());
    Ok(Model { layout, networks, half_value: evaluator.half_value() })
}

/// As [`Game::ENDGAMES`].
pub(crate) fn endgames(game: &dyn AnyGame) -> io::Result<&'static dyn EndgameSource> {
    for_game!(game.info().name, G => G::ENDGAMES.ok_or_else(|| io::ErrorKind::Unsupported.into()))
}

/// The traces of the quiet positions before `moves`, played from the start; each with the number of its move.
pub(crate) fn traces(
    game: &dyn AnyGame,
    evaluator: Option<&str>,
    moves: &[Played],
) -> io::Result<Vec<(usize, Trace)>> {
    for_game!(game.info().name, G => {
        of_quiet_positions::<G, _>(game, evaluator, moves, |trainable, it| trainable.trace(it))
    })
}

/// As [`traces`], with the network input of each position.
pub(crate) fn network_inputs(
    game: &dyn AnyGame,
    evaluator: Option<&str>,
    moves: &[Played],
) -> io::Result<Vec<(usize, NetworkInput)>> {
    for_game!(game.info().name, G => {
        of_quiet_positions::<G, _>(game, evaluator, moves, |trainable, it| trainable.network_input(it))
    })
}

/// The evaluator of that name, or the default one.
pub(crate) fn evaluator<G: Game>(
    name: Option<&str>,
    knowledge: &Knowledge,
) -> io::Result<G::Evaluator> {
    let name = name.or(G::INFO.evaluators.first().map(|&(name, _)| name)).unwrap_or_default();
    G::evaluator(name, &knowledge.of::<G>())
        .ok_or_else(|| crate::invalid(&format!("no evaluator '{name}'")))
}

fn trainable<G: Game>(evaluator: &G::Evaluator) -> io::Result<&dyn Trainable<G::Position>> {
    G::training(evaluator).ok_or_else(|| io::ErrorKind::Unsupported.into())
}

/// What `ask` returns for the quiet positions before `moves`, each with the number of its move.
fn of_quiet_positions<G: Game, T>(
    game: &dyn AnyGame,
    name: Option<&str>,
    moves: &[Played],
    ask: impl Fn(&dyn Trainable<G::Position>, &G::Position) -> Option<T>,
) -> io::Result<Vec<(usize, T)>> {
    let evaluator = evaluator::<G>(name, crate::knowledge())?;
    let trainable = trainable::<G>(&evaluator)?;
    // Refuses moves that are illegal or follow the end of the game.
    board_after(game, &texts(moves))?;
    let (mut position, mut answers) = (G::start(), Vec::new());
    for (number, played) in moves.iter().enumerate() {
        if evaluator.is_quiet(&position) {
            answers.extend(ask(trainable, &position).map(|answer| (number, answer)));
        }
        let mv = G::read_move(&position, &played.mv);
        position = position.play(mv.map_err(|error| crate::invalid(&error.0))?);
    }
    Ok(answers)
}
