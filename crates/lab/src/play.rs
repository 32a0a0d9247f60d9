//! Moves and searches for self-play and matches.

use std::io;
use std::sync::atomic::AtomicBool;

use crate::error::refused;
use crate::knowledge::knowledge;
use crate::record::Points;
use bestmove_engine::games::any::{
    Answer, AnyBoard, AnyGame, AnySearch, GameStatus, SearchParameters, State,
};
use fastrand::Rng;

/// The position after `moves` from the start of the game.
pub(crate) fn board_after(game: &dyn AnyGame, moves: &[String]) -> io::Result<Box<dyn AnyBoard>> {
    game.board(None, moves).map_err(|error| refused(&error))
}

/// The position after a move.
pub(crate) fn after(board: &dyn AnyBoard, mv: &str) -> io::Result<Box<dyn AnyBoard>> {
    board.after(mv, 0).map_err(|error| refused(&error))
}

/// The search of a board.
pub(crate) fn prepared(
    board: &dyn AnyBoard,
    parameters: &SearchParameters,
) -> io::Result<Box<dyn AnySearch>> {
    board.search(parameters, &*knowledge()?).map_err(|error| refused(&error))
}

pub(crate) fn search(board: &dyn AnyBoard, parameters: &SearchParameters) -> io::Result<Answer> {
    Ok(prepared(board, parameters)?.run(&AtomicBool::new(false)))
}

/// Whether the game is over. A draw that may be claimed ends it too.
pub(crate) fn is_over(state: &State) -> bool {
    state.status != GameStatus::Ongoing || state.claim.is_some()
}

/// The points of the first side; `None` where the game is not over.
pub(crate) fn result_of(game: &dyn AnyGame, board: &dyn AnyBoard) -> Option<Points> {
    let state = board.state();
    match state.status {
        _ if !is_over(&state) => None,
        GameStatus::Ongoing | GameStatus::Drawn { .. } => Some(Points::Half),
        GameStatus::Won { winner, .. } if winner == game.info().sides[0] => Some(Points::All),
        GameStatus::Won { .. } => Some(Points::None),
    }
}

/// A random legal move; `None` where the game is over.
pub(crate) fn random_move(board: &dyn AnyBoard, random: &mut Rng) -> Option<String> {
    if is_over(&board.state()) {
        return None;
    }
    random.choice(board.legal_moves()).map(|legal| legal.mv.text)
}

/// The random numbers of item `index` of a run with `seed`. The index is mixed first, since `fastrand` gives similar
/// numbers for seeds that differ in few bits.
pub(crate) fn stream(seed: u64, index: u64) -> Rng {
    Rng::with_seed(seed ^ Rng::with_seed(index).u64(..))
}

/// The moves of an opening, and the position after them.
pub(crate) type Opening = (Vec<String>, Box<dyn AnyBoard>);

/// An opening of `plies` random moves; `None` where the game ends by then.
pub(crate) fn random_opening(
    game: &dyn AnyGame,
    plies: usize,
    random: &mut Rng,
) -> io::Result<Option<Opening>> {
    let (mut moves, mut board) = (Vec::new(), board_after(game, &[])?);
    while moves.len() < plies {
        let Some(mv) = random_move(&*board, random) else { return Ok(None) };
        board = after(&*board, &mv)?;
        moves.push(mv);
    }
    Ok((!is_over(&board.state())).then_some((moves, board)))
}
