//! Openings drawn by lot and kept where they favour neither side much.

use std::io;

use super::player::{board, searched};
use crate::games::any::{AnyGame, Standing, Terms};

/// The most that one side may be ahead, as the expected result.
const BALANCED: f64 = 0.2;

/// The nodes by which the balance is judged.
const JUDGING_NODES: u64 = 4_000;

/// The moves of the opening of this number: always the same for the same seed.
pub(super) fn opening(
    game: &dyn AnyGame,
    plies: usize,
    seed: u64,
    number: u64,
) -> io::Result<Vec<String>> {
    let mut dice = Dice(seed.wrapping_add(number.wrapping_mul(0xD134_2543_DE82_EF95)));
    loop {
        let mut moves = Vec::new();
        while moves.len() < plies {
            let legal = board(game, &moves)?.legal_moves();
            if legal.is_empty() {
                break;
            }
            moves.push(legal[dice.below(legal.len())].mv.text.clone());
        }
        let end = board(game, &moves)?;
        if end.state().standing != Standing::Ongoing {
            continue;
        }
        let terms = Terms { nodes: Some(JUDGING_NODES), ..Terms::default() };
        if searched(end.as_ref(), &terms)?.value.abs() <= BALANCED {
            return Ok(moves);
        }
    }
}

/// Numbers that look random (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number
/// Generators*, 2014).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ word >> 31) % count as u64) as usize
    }
}
