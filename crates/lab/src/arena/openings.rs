//! Openings drawn by lot and kept where they favour neither side much.

use std::io;

use super::Conditions;
use super::player::{board, searched};
use bestmove_engine::games::any::{AnyGame, GameStatus, SearchParameters};

/// The most that one side may be ahead, as the expected result.
const BALANCED: f64 = 0.2;

/// The nodes by which the balance is judged.
const JUDGING_NODES: u64 = 4_000;

/// The moves of the opening of this number: always the same for the same conditions.
pub(super) fn opening(
    game: &dyn AnyGame,
    conditions: &Conditions,
    number: u64,
) -> io::Result<Vec<String>> {
    let mut random = crate::stream(conditions.seed, number);
    loop {
        let mut moves = Vec::new();
        while moves.len() < conditions.opening_plies {
            let legal = board(game, &moves)?.legal_moves();
            if legal.is_empty() {
                break;
            }
            moves.push(legal[random.usize(..legal.len())].mv.text.clone());
        }
        let end = board(game, &moves)?;
        if end.state().status != GameStatus::Ongoing {
            continue;
        }
        if conditions.any_opening {
            return Ok(moves);
        }
        let parameters =
            SearchParameters { nodes: Some(JUDGING_NODES), ..SearchParameters::default() };
        if searched(end.as_ref(), &parameters)?.value.abs() <= BALANCED {
            return Ok(moves);
        }
    }
}
