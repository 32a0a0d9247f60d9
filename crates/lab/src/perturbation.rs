//! Perturbed games: positions a few random moves off a game. A search meets such positions more often
//! than those of games.

use std::io;

use crate::error::refused;
use crate::game::{evaluator, follow, for_game, is_learnable, random_move, read_move};
use crate::knowledge::knowledge;
use crate::play::search;
use crate::record::{Played, texts};
use bestmove_engine::game::{Game, MoveOf, Position, PositionText};
use bestmove_engine::games::any::{AnyGame, SearchParameters};
use fastrand::Rng;

const REPLY_NODES: u64 = 100;

/// The moves to a quiet position up to `most` plies off the game after `moves`, and one random move from there; `None`
/// where the random moves led to no quiet position. One side moves at random and the other replies by a
/// small search, as in a search tree, where one good move refutes every move of the other side.
pub(crate) fn perturbed(
    game: &dyn AnyGame,
    moves: &[Played],
    most: usize,
    random: &mut Rng,
) -> io::Result<Option<Vec<Played>>> {
    for_game!(game.info().name, G => perturbed_of::<G>(game, moves, most, random))
}

fn perturbed_of<G: Game>(
    game: &dyn AnyGame,
    moves: &[Played],
    most: usize,
    random: &mut Rng,
) -> io::Result<Option<Vec<Played>>> {
    let (mut position, mut moves) = (follow::<G>(moves, |_, _, _| ())?, texts(moves));
    let (plies, random_side) = (1 + random.usize(..most), random.usize(..2));
    for ply in 0..=plies {
        if position.outcome().is_some() {
            return Ok(None);
        }
        if ply == plies && !is_learnable(&evaluator::<G>(None, &*knowledge()?)?, &position) {
            return Ok(None);
        }
        let is_reply = ply < plies && ply % 2 != random_side;
        let drawn = if is_reply { None } else { random_move(&position, random) };
        let mv = drawn.map_or_else(|| reply::<G>(game, &position), Ok)?;
        moves.push(G::write_move(&position, mv).text);
        position = position.play(mv);
    }
    Ok(Some(moves.into_iter().map(|mv| Played { mv, score: None }).collect()))
}

fn reply<G: Game>(game: &dyn AnyGame, position: &G::Position) -> io::Result<MoveOf<G>> {
    let text = PositionText::Text(G::write_position(position));
    let board = game.board(Some(&text), &[]).map_err(|error| refused(&error))?;
    let parameters = SearchParameters { nodes: Some(REPLY_NODES), ..SearchParameters::default() };
    read_move::<G>(position, &search(&*board, &parameters)?.best_move.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::board_after;
    use crate::record::Record;

    const GAME: &str =
        "1 10-14 22-17 12-16:9 17x10:0 6x15:0 21-17:0 8-12:0 17-14:10 9x18:0 23x14:0";

    fn perturbed(most: usize, seed: u64) -> Option<Vec<Played>> {
        let game = crate::game::game("checkers").expect("a game");
        let record: Record = GAME.parse().expect("a game");
        super::perturbed(game, &record.moves[..5], most, &mut crate::play::stream(1, seed))
            .expect("moves of the game")
    }

    #[test]
    fn a_perturbation_leaves_the_game_for_as_many_plies_as_allowed_at_most() {
        let before: Record = GAME.parse().expect("a game");
        let all: Vec<_> = (0..200).filter_map(|seed| perturbed(3, seed)).collect();
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
        let game = crate::game::game("checkers").expect("a game");
        for moves in (0..50).filter_map(|seed| perturbed(8, seed)) {
            let board =
                board_after(game, &texts(&moves[..moves.len() - 1])).expect("moves of the game");
            assert!(board.legal_moves().iter().all(|legal| !legal.mv.text.contains('x')));
        }
    }
}
