//! Pawns: how they stand together, and which of them may become queens.

use cozy_chess::{BitBoard, Piece, Rank, Square};

use super::attack_info::{distance, down, downwards, files, left, right, up, upwards};
use super::features::FeatureExtractor;
use super::layout::FULL;
use crate::game::linear::Accumulator;

const ISOLATED: usize = FULL.first("isolated pawn, on a half-open file");
const BACKWARD: usize = FULL.first("backward pawn, on a half-open file");
const DOUBLED: usize = FULL.first("doubled pawn");
const SUPPORTED: usize = FULL.first("supported pawn by rank");
const BESIDE: usize = FULL.first("pawn beside a pawn by rank");

const PASSED: usize = FULL.first("passed pawn by rank");
const BLOCKED: usize = FULL.first("passed pawn that is blocked by rank");
const SAFE: usize = FULL.first("passed pawn whose next square is safe by rank");
const FREE: usize = FULL.first("passed pawn whose way is free by rank");
const OWN_KING: usize = FULL.first("own king's distance to a passed pawn, by rank above the third");
const OTHER_KING: usize =
    FULL.first("other king's distance to a passed pawn, by rank above the third");
const ROOK_BEHIND: usize = FULL.first("rook behind a passed pawn");
const OUTRUNS: usize = FULL.first("passed pawn that outruns the king");

/// The structure of the pawns.
impl<T: Accumulator> FeatureExtractor<'_, T> {
    #[inline]
    pub(super) fn count_pawns(&mut self) {
        let (own, other) = (self.own.pawns(), self.other.pawns());
        let attacks = self.own.pawn_attacks();
        let half_open = own - downwards(down(other));
        let isolated = own - files(left(own) | right(own));
        let backward = down(up(own) & (self.other.pawn_attacks() - upwards(attacks))) - isolated;
        for (index, weak) in [(ISOLATED, isolated), (BACKWARD, backward)] {
            self.count_each(index, weak - half_open);
            self.count_each(index + 1, weak & half_open);
        }
        self.count_each(DOUBLED, own & upwards(up(own)));
        for square in own & attacks {
            self.count(SUPPORTED + square.rank() as usize);
        }
        for square in own & (left(own) | right(own)) {
            self.count(BESIDE + square.rank() as usize);
        }
    }

    /// The pawns that no pawn can stop or capture on their way; of two on a file, the first.
    fn passed_pawns(&self) -> BitBoard {
        let (own, other) = (self.own.pawns(), self.other.pawns());
        let guarded = downwards(down(other) | self.other.pawn_attacks());
        own - guarded - downwards(down(own))
    }

    #[inline]
    pub(super) fn count_passed_pawns(&mut self) {
        for pawn in self.passed_pawns() {
            let rank = pawn.rank() as usize;
            self.count(PASSED + rank);
            self.count_way(pawn);
            if rank >= Rank::Fourth as usize {
                let next = pawn.offset(0, 1);
                let above_third = (rank - 2) as u32;
                self.count_times(OWN_KING + distance(self.own.king, next), above_third);
                self.count_times(OTHER_KING + distance(self.other.king, next), above_third);
            }
            let rooks = self.own.by_kind[Piece::Rook as usize];
            if !(rooks & downwards(down(pawn.bitboard()))).is_empty() {
                self.count(ROOK_BEHIND);
            }
        }
    }

    /// What stands in the way of a passed pawn.
    fn count_way(&mut self, pawn: Square) {
        let rank = pawn.rank() as usize;
        let next = up(pawn.bitboard());
        let way = upwards(next);
        let pieces = self.own.all | self.other.all;
        if !pieces.is_disjoint(next) {
            self.count(BLOCKED + rank);
        } else if self.other.attacked.is_disjoint(next) {
            self.count(SAFE + rank);
        }
        if (pieces | self.other.attacked).is_disjoint(way) {
            self.count(FREE + rank);
        }
        if self.other.pieces().is_empty() && pieces.is_disjoint(way) && self.outruns(pawn) {
            self.count(OUTRUNS);
        }
    }

    /// Whether the other king comes too late, by the rule of the square.
    fn outruns(&self, pawn: Square) -> bool {
        let queening = Square::new(pawn.file(), Rank::Eighth);
        let first_steps = usize::from(pawn.rank() == Rank::Second);
        let plies = Rank::Eighth as usize - pawn.rank() as usize - first_steps;
        distance(self.other.king, queening) > plies + usize::from(!self.moves_next)
    }
}
