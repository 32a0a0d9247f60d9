//! The rules of checkers.

use super::super::bits::mixed;
use super::board::CheckersBoard;
use super::moves::{CheckersMove, CheckersMoves, legal_moves};
use crate::game::{Outcome, Position, Properties, Side};

/// The plies without a capture or a man's move after which a draw may be claimed: forty moves of each
/// side.
const CLAIM_PLIES: u8 = 80;

/// The plies without a capture or a man's move after which the game is drawn. The rules of the federation have no such
/// number, but a game must end even if no player claims a draw.
pub(super) const DRAWING_PLIES: u8 = 150;

impl Position for CheckersBoard {
    type Move = CheckersMove;
    type Moves = CheckersMoves;

    /// Searches of 1 000 000 positions are 19 % faster where moves are played in advance.
    const PROPERTIES: Properties =
        Properties { repeats: true, plays_cheaply: true, ..Properties::DEFAULT };

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.steppers() == 0 && self.jumpers() == 0).then_some(Outcome::Loss)
    }

    #[inline]
    fn legal_moves(&self) -> CheckersMoves {
        legal_moves(self)
    }

    #[inline]
    fn play(&self, mv: CheckersMove) -> Self {
        self.after(mv.from, mv.to, mv.captured())
    }

    /// Mixes two words that hold the whole position. Positions that differ in the second word alone never share a key; other
    /// positions share keys as rarely as random numbers do.
    #[inline]
    fn key(&self) -> u64 {
        const UPPER_KINGS: u32 = 29;
        let first = self.own | self.kings << 35;
        let second = self.other | self.kings >> UPPER_KINGS << 35 | (self.side as u64) << 63;
        mixed(first) ^ second
    }

    fn reversible_plies(&self) -> u32 {
        u32::from(self.quiet)
    }

    fn plies_to_draw(&self) -> Option<u32> {
        Some(u32::from(CLAIM_PLIES.saturating_sub(self.quiet)))
    }

    fn plies_to_forced_draw(&self) -> Option<u32> {
        Some(u32::from(DRAWING_PLIES.saturating_sub(self.quiet)))
    }
}
