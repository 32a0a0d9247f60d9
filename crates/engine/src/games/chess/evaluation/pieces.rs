//! Knights, bishops, rooks and queens: where they can go, and where they stand well.

use cozy_chess::{BitBoard, Piece, get_king_moves};

use super::attack_info::{AttackInfo, OUTPOSTS, down, downwards, files};
use super::features::FeatureExtractor;
use super::layout::FULL;
use crate::game::linear::Accumulator;

/// By kind, from the knight.
const MOBILITY: [usize; 4] = [
    FULL.first("knight mobility"),
    FULL.first("bishop mobility"),
    FULL.first("rook mobility"),
    FULL.first("queen mobility"),
];
const PAIR: usize = FULL.first("bishop pair");
const BAD_BISHOP: usize = FULL.first("pawns on a bishop's colour");
const OUTPOST: usize = FULL.first("knight outpost, bishop outpost");
const BEHIND_PAWN: usize = FULL.first("minor piece behind a pawn");
const HALF_OPEN: usize = FULL.first("rook on a half-open file, on an open one");

impl<T: Accumulator> FeatureExtractor<'_, T> {
    /// Counts the pieces, and finds what they attack.
    #[inline]
    pub(super) fn count_pieces(&mut self) {
        let around = get_king_moves(self.other.king) | self.other.king.bitboard();
        let around = around | down(around);
        // Not a square to go to: own pawns and the king, who stay, and what pawns would punish.
        let safe = !(self.own.pawns() | self.own.king.bitboard() | self.other.pawn_attacks());
        self.count_kind::<{ Piece::Knight as usize }>(around, safe);
        self.count_kind::<{ Piece::Bishop as usize }>(around, safe);
        self.count_kind::<{ Piece::Rook as usize }>(around, safe);
        self.count_kind::<{ Piece::Queen as usize }>(around, safe);
        self.count_minor_pieces();
        self.count_rooks();
    }

    /// Counts the pieces of one kind: the squares to which they can go safely, and those `around` the
    /// other king. A function for each kind, so that none is told from the others at every piece.
    fn count_kind<const PIECE: usize>(&mut self, around: BitBoard, safe: BitBoard) {
        let piece = Piece::index(PIECE);
        let blockers = self.blockers(piece);
        for square in self.own.by_kind[PIECE] {
            let reach = AttackInfo::reach(piece, square, blockers);
            self.own.attack(piece, reach);
            self.count(MOBILITY[PIECE - 1] + (reach & safe).len() as usize);
            let hits = reach & around;
            if !hits.is_empty() {
                self.king_attack.hits += hits.len();
                self.king_attack.attackers += 1;
            }
        }
    }

    /// What stands in the way of a piece: not the own pieces that move in the same way.
    fn blockers(&self, piece: Piece) -> BitBoard {
        let all = self.own.all | self.other.all;
        let [_, _, _, rooks, queens, _] = self.own.by_kind;
        match piece {
            Piece::Bishop => all - queens,
            Piece::Rook => all - queens - rooks,
            _ => all,
        }
    }

    fn count_minor_pieces(&mut self) {
        let [pawns, knights, bishops, ..] = self.own.by_kind;
        let colours = [BitBoard::LIGHT_SQUARES, BitBoard::DARK_SQUARES];
        if colours.iter().all(|&colour| !bishops.is_disjoint(colour)) {
            self.count(PAIR);
        }
        for colour in colours {
            self.count_times(BAD_BISHOP, (bishops & colour).len() * (pawns & colour).len());
        }
        let attackable = downwards(self.other.pawn_attacks());
        let outposts = OUTPOSTS & (self.own.pawn_attacks() - attackable);
        self.count_each(OUTPOST, knights & outposts);
        self.count_each(OUTPOST + 1, bishops & outposts);
        self.count_each(BEHIND_PAWN, (knights | bishops) & down(pawns));
    }

    fn count_rooks(&mut self) {
        let rooks = self.own.by_kind[Piece::Rook as usize] - files(self.own.pawns());
        let open = rooks - files(self.other.pawns());
        self.count_each(HALF_OPEN, rooks - open);
        self.count_each(HALF_OPEN + 1, open);
    }
}
