//! Threats: pieces of the opponent that may be captured soon.

use cozy_chess::{BitBoard, Piece, Rank};

use super::attack_info::{left, right, up};
use super::features::FeatureExtractor;
use super::layout::FULL;
use crate::game::linear::Accumulator;

const BY_PAWN: usize = FULL.first("pawn's threat to a pawn, knight, bishop, rook, queen");
const BY_MINOR: [usize; 2] = [
    FULL.first("minor piece's threat to the defended"),
    FULL.first("minor piece's threat to the weak"),
];
const BY_ROOK: [usize; 2] =
    [FULL.first("rook's threat to the defended"), FULL.first("rook's threat to the weak")];
const BY_QUEEN: usize = FULL.first("queen's threat to the weak");
const BY_KING: usize = FULL.first("king's threat to the weak");
const BY_ADVANCE: usize = FULL.first("threat by a pawn's advance");

/// The pieces that can be threatened.
const VICTIMS: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

impl<T: Accumulator> FeatureExtractor<'_, T> {
    /// Counts the pieces of the opponent that are attacked: by whom, what they are, and whether they are
    /// weak, that is, not defended by a pawn and no better defended than attacked.
    #[inline]
    pub(super) fn count_threats(&mut self) {
        let [pawns, knights, bishops, rooks, queens, king] = self.own.attacks;
        let minors = knights | bishops;
        let outnumbered = !self.other.attacked | (self.own.twice - self.other.twice);
        let weak = outnumbered - self.other.pawn_attacks();
        for (place, victim) in VICTIMS.into_iter().enumerate() {
            let pieces = self.other.by_kind[victim as usize] & self.own.attacked;
            if pieces.is_empty() {
                continue;
            }
            self.count_each(BY_PAWN + place, pieces & pawns);
            for (attacks, indices) in [(minors, BY_MINOR), (rooks, BY_ROOK)] {
                self.count_each(indices[0] + place, pieces & (attacks - weak));
                self.count_each(indices[1] + place, pieces & attacks & weak);
            }
            self.count_each(BY_QUEEN + place, pieces & queens & weak);
            self.count_each(BY_KING + place, pieces & king & weak);
        }
        self.count_each(BY_ADVANCE, self.threats_by_advance());
    }

    /// The pieces that a pawn would attack if it advanced to a safe square.
    fn threats_by_advance(&self) -> BitBoard {
        let empty = !(self.own.all | self.other.all);
        let once = up(self.own.pawns()) & empty;
        let twice = up(once & Rank::Third.bitboard()) & empty;
        let safe = (!self.other.attacked | self.own.attacked) - self.other.pawn_attacks();
        let ahead = up((once | twice) & safe);
        (left(ahead) | right(ahead)) & (self.other.pieces() - self.own.pawn_attacks())
    }
}
