//! The king: the pawns before it, and the attack on it.

use cozy_chess::{BitBoard, File, Piece, Square, get_king_moves};

use super::attack_info::{AttackInfo, upwards};
use super::features::FeatureExtractor;
use super::layout::FULL;
use crate::game::linear::Accumulator;

const BESIDE: usize = FULL.first("pawn before the king by rank, beside its file");
const BEFORE: usize = FULL.first("pawn before the king by rank, on its file");
const STORM: usize = FULL.first("pawn against the king by rank");
const BLOCKED_STORM: usize = FULL.first("pawn against the king by rank, blocked");
const KING_ATTACK: [usize; 2] = [
    FULL.first("attack on the king by weight, without a queen"),
    FULL.first("attack on the king by weight, with a queen"),
];
const MAX_KING_ATTACK: u32 = 23;
const CHECK: usize = FULL.first("safe check by a knight, bishop, rook, queen");

impl<T: Accumulator> FeatureExtractor<'_, T> {
    /// Counts the pawns on the three files nearest to the own king.
    #[inline]
    pub(super) fn count_shelter(&mut self) {
        let king = self.own.king;
        let not_behind = upwards(king.rank().bitboard());
        let middle = (king.file() as usize).clamp(1, 6);
        for file in middle - 1..=middle + 1 {
            let squares = File::index(file).bitboard() & not_behind;
            let shelter = lowest_rank(self.own.pawns() & squares);
            let is_kings = file == king.file() as usize;
            self.count(if is_kings { BEFORE } else { BESIDE } + shelter);
            let attackers = self.other.pawns() & squares;
            let storm = lowest_rank(attackers);
            let is_blocked = storm > 0 && shelter + 1 == storm;
            self.count(if is_blocked { BLOCKED_STORM } else { STORM } + storm);
        }
    }

    /// Counts the attack on the other king. How much it weighs is told by its sum: an attacked square
    /// is one, for every piece that attacks it; a square that only king and queen defend another one;
    /// a kind of pieces with a safe check two.
    #[inline]
    pub(super) fn count_king_attack(&mut self) {
        let has_queen = !self.own.by_kind[Piece::Queen as usize].is_empty();
        if self.king_attack.attackers + u32::from(has_queen) < 2 {
            return;
        }
        let king = self.other.king;
        let weak = self.weakly_defended();
        let around = get_king_moves(king);
        let checks = self.count_safe_checks(king, weak);
        let weight = self.king_attack.hits + (around & weak).len() + 2 * checks;
        self.count(KING_ATTACK[usize::from(has_queen)] + weight.min(MAX_KING_ATTACK) as usize);
    }

    /// The squares that are attacked, and defended by the other king or queen alone, if at all.
    fn weakly_defended(&self) -> BitBoard {
        let [.., queen, king] = self.other.attacks;
        let defended = self.other.attacked & (self.other.twice | !(queen | king));
        self.own.attacked - defended
    }

    /// The kinds of pieces that can give check without being captured for nothing.
    fn count_safe_checks(&mut self, king: Square, weak: BitBoard) -> u32 {
        let safe = (!self.other.attacked | weak & self.own.twice) - self.own.all;
        let pieces = self.own.all | self.other.all;
        let mut kinds = 0;
        for (place, piece) in
            [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate()
        {
            let attacks = self.own.attacks[piece as usize] & safe;
            if !attacks.is_empty() && !(AttackInfo::reach(piece, king, pieces) & attacks).is_empty()
            {
                self.count(CHECK + place);
                kinds += 1;
            }
        }
        kinds
    }
}

/// The rank of the lowest of these squares; 0 where there is none, since no pawn stands there.
fn lowest_rank(pawns: BitBoard) -> usize {
    pawns.next_square().map_or(0, |square| square.rank() as usize)
}
