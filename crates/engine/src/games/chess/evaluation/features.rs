//! The features of [`Full`](super::ChessEvaluator::Full), side by side.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Square};

use super::attack_info::AttackInfo;
use super::layout::FULL;
use crate::game::linear::Accumulator;

/// Extracts the features of one side, seen from its own end of the board.
pub(super) struct FeatureExtractor<'a, T> {
    /// The side.
    pub own: AttackInfo,
    /// Its opponent, moving down.
    pub other: AttackInfo,
    /// What its pieces do around the other king.
    pub king_attack: KingAttack,
    /// Whether it is to move.
    pub moves_next: bool,
    /// Where to count.
    accumulator: &'a mut T,
    /// 1 for the first side, -1 for the second one.
    sign: i32,
}

/// How many pieces attack the squares around a king, and how often.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KingAttack {
    /// The pieces.
    pub attackers: u32,
    /// The squares that they attack, each as often as it is attacked.
    pub hits: u32,
}

const TEMPO: usize = FULL.first("tempo");

/// Counts all features of the board.
#[inline]
pub(super) fn extract<T: Accumulator>(board: &Board, accumulator: &mut T) {
    let mut infos = Color::ALL.map(|color| AttackInfo::of(board, color));
    let mut king_attacks = [KingAttack::default(); 2];
    accumulator.count(TEMPO, if board.side_to_move() == Color::White { 1 } else { -1 });
    for side in Color::ALL {
        let mut extractor = FeatureExtractor::new(board, side, &infos, king_attacks, accumulator);
        extractor.count_squares();
        extractor.count_pawns();
        extractor.count_pieces();
        (infos[side as usize], king_attacks[side as usize]) =
            (extractor.own, extractor.king_attack);
    }
    for side in Color::ALL {
        let mut extractor = FeatureExtractor::new(board, side, &infos, king_attacks, accumulator);
        extractor.count_passed_pawns();
        extractor.count_shelter();
        extractor.count_king_attack();
        extractor.count_threats();
    }
}

impl<'a, T: Accumulator> FeatureExtractor<'a, T> {
    #[expect(clippy::inline_always, reason = "as a call it costs three hundredths of a search")]
    #[inline(always)]
    fn new(
        board: &Board,
        side: Color,
        infos: &[AttackInfo; 2],
        king_attacks: [KingAttack; 2],
        accumulator: &'a mut T,
    ) -> Self {
        Self {
            own: infos[side as usize].clone(),
            other: infos[!side as usize].across(),
            king_attack: king_attacks[side as usize],
            moves_next: board.side_to_move() == side,
            accumulator,
            sign: if side == Color::White { 1 } else { -1 },
        }
    }

    /// Counts the weight of this index once.
    #[inline]
    pub(super) fn count(&mut self, index: usize) {
        self.accumulator.count(index, self.sign);
    }

    /// Counts the weight of this index for each of these squares.
    #[inline]
    pub(super) fn count_each(&mut self, index: usize, squares: BitBoard) {
        // Most of what is looked for is not there, and counting bits takes longer than this test.
        if !squares.is_empty() {
            self.count_times(index, squares.len());
        }
    }

    #[inline]
    pub(super) fn count_times(&mut self, index: usize, times: u32) {
        self.accumulator.count(index, self.sign * times as i32);
    }
}

/// Each piece and its square, on a board mirrored by where the own king stands.
impl<T: Accumulator> FeatureExtractor<'_, T> {
    #[inline]
    fn count_squares(&mut self) {
        const VALUE: usize = FULL.first("value of a pawn");
        const TABLE: usize = FULL.first("pawn");
        let mirror = if (self.own.king.file() as usize) < File::E as usize { 7 } else { 0 };
        for piece in Piece::ALL {
            let pieces = self.own.by_kind[piece as usize];
            if piece != Piece::King {
                self.count_each(VALUE + piece as usize, pieces);
            }
            for square in pieces {
                self.count(TABLE + Square::NUM * piece as usize + (square as usize ^ mirror));
            }
        }
    }
}
