//! Positions off a game, as a search meets them: most of those that it judges come about by moves that
//! nobody would play.

use std::io;

use super::record::{Played, texts};
use super::refused;
use super::self_play::{any_of, board_after, searched};
use bestmove_engine::games::any::{AnyBoard, AnyGame, SearchParameters};
use fastrand::Rng;

/// The positions that a search for an answer visits: as few as near the leaves of a tree.
const ANSWER_NODES: u64 = 100;

/// The moves to a quiet position up to `most` plies off the game after `moves`, and any move from there;
/// none where the lot led elsewhere. One side's moves are drawn by lot and the other's answer them well: as
/// in the tree of a search, where to refute a line takes a good move, but all of the other side's are tried.
///
/// # Errors
/// Where `moves` are none of the game.
pub(super) fn stray(
    game: &dyn AnyGame,
    moves: &[Played],
    most: usize,
    random: &mut Rng,
) -> io::Result<Option<Vec<Played>>> {
    let unscored = |mv: &String| Played { mv: mv.clone(), score: None };
    let mut moves: Vec<_> = texts(moves).iter().map(unscored).collect();
    let (plies, careless) = (1 + random.usize(..most), random.usize(..2));
    for ply in 0..=plies {
        let board = board_after(game, &moves)?;
        if board.legal_moves().is_empty() {
            return Ok(None);
        }
        let is_good = ply < plies && ply % 2 != careless;
        let mv = if is_good { answer(board.as_ref())? } else { any_move(board.as_ref(), random) };
        moves.push(Played { mv, score: None });
    }
    Ok(is_quiet_before_the_last(game, &moves)?.then_some(moves))
}

fn any_move(board: &dyn AnyBoard, random: &mut Rng) -> String {
    any_of(&board.legal_moves(), random).mv.text.clone()
}

fn answer(board: &dyn AnyBoard) -> io::Result<String> {
    let parameters = SearchParameters { nodes: Some(ANSWER_NODES), ..SearchParameters::default() };
    Ok(searched(board, &parameters)?.best_move.text)
}

fn is_quiet_before_the_last(game: &dyn AnyGame, moves: &[Played]) -> io::Result<bool> {
    let mut is_quiet = false;
    let mut see = |number| is_quiet |= number + 1 == moves.len();
    let visited = game.traces(None, &texts(moves), &mut |number, _| see(number));
    visited.map_err(|refusal| refused(&refusal))?;
    Ok(is_quiet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;

    const GAME: &str =
        "1 10-14 22-17 12-16:9 17x10:0 6x15:0 21-17:0 8-12:0 17-14:10 9x18:0 23x14:0";

    fn strayed(most: usize, seed: u64) -> Option<Vec<Played>> {
        let game = crate::game("checkers").expect("a game");
        let record: Record = GAME.parse().expect("a game");
        stray(game, &record.moves[..5], most, &mut crate::stream(1, seed))
            .expect("moves of the game")
    }

    #[test]
    fn a_stray_leaves_the_game_for_as_many_plies_as_allowed_at_most() {
        let before: Record = GAME.parse().expect("a game");
        let all: Vec<_> = (0..200).filter_map(|seed| strayed(3, seed)).collect();
        for moves in &all {
            assert_eq!(texts(&moves[..5]), texts(&before.moves[..5]));
            assert!((7..=9).contains(&moves.len()), "{moves:?}");
            assert!(moves.iter().all(|played| played.score.is_none()));
        }
        for plies in 7..=9 {
            assert!(all.iter().any(|moves| moves.len() == plies));
        }
    }

    #[test]
    fn it_ends_where_nothing_has_to_be_captured() {
        let game = crate::game("checkers").expect("a game");
        for moves in (0..50).filter_map(|seed| strayed(8, seed)) {
            let board = board_after(game, &moves[..moves.len() - 1]).expect("moves of the game");
            assert!(board.legal_moves().iter().all(|legal| !legal.mv.text.contains('x')));
        }
    }
}
