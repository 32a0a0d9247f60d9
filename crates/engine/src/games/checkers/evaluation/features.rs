//! The features of [`Full`](super::CheckersEvaluatorKind::Full), side by side.

use super::super::board::{
    CheckersBoard, DIRECTIONS, KING_ROWS, SQUARES, seen_from, step, take_lowest,
};
use super::attack_info::AttackInfo;
use crate::game::linear::{Accumulator, Group, Layout};
use crate::game::{Position, Side};

/// The weights of [`Full`](super::CheckersEvaluatorKind::Full). Squares are told by their bits, as the side that
/// the piece belongs to sees them.
pub(super) const LAYOUT: Layout = Layout(&[
    Group::guessed("value of a man", 100),
    Group::guessed("value of a king", 140),
    Group::new("man by square", 35),
    Group::new("king by square", 35),
    Group::new("king where the opponent has none", 1),
    Group::new("king in the double corner of the side that is behind", 1),
    Group::new("men on the king row, by the squares they guard", 16),
    Group::new("step of a man", 1),
    Group::new("step of a king", 1),
    Group::new("man that is blocked", 1),
    Group::new("king that is trapped", 1),
    Group::new("man that is backed up", 1),
    Group::new("piece that is attacked", 1),
    Group::new("man whose way to the king row is free, by its steps", 7),
    Group::new("side to move", 1),
    Group::new("the move, by the pieces of each side", 13),
]);

const MAN: usize = LAYOUT.first("value of a man");
const KING: usize = LAYOUT.first("value of a king");
const MAN_BY_SQUARE: usize = LAYOUT.first("man by square");
const KING_BY_SQUARE: usize = LAYOUT.first("king by square");
const LONE_KING: usize = LAYOUT.first("king where the opponent has none");
const REFUGE: usize = LAYOUT.first("king in the double corner of the side that is behind");
const GUARD: usize = LAYOUT.first("men on the king row, by the squares they guard");
const MAN_STEP: usize = LAYOUT.first("step of a man");
const KING_STEP: usize = LAYOUT.first("step of a king");
const BLOCKED: usize = LAYOUT.first("man that is blocked");
const TRAPPED: usize = LAYOUT.first("king that is trapped");
const BACKED: usize = LAYOUT.first("man that is backed up");
const ATTACKED: usize = LAYOUT.first("piece that is attacked");
const RUNAWAY: usize = LAYOUT.first("man whose way to the king row is free, by its steps");
const TURN: usize = LAYOUT.first("side to move");
const MOVE: usize = LAYOUT.first("the move, by the pieces of each side");

/// The two squares of each double corner, 1 and 5, 28 and 32.
const DOUBLE_CORNERS: u64 = 1 | 1 << 4 | 1 << 30 | 1 << 34;

/// Extracts the features of one side, its men going up.
struct FeatureExtractor<'a, T> {
    men: u64,
    kings: u64,
    other_men: u64,
    other_kings: u64,
    empty: u64,
    /// Where to count.
    accumulator: &'a mut T,
    /// 1 for the first side, -1 for the second one.
    sign: i32,
}

/// Counts all features of the board.
#[inline]
pub(super) fn extract<T: Accumulator>(board: &CheckersBoard, accumulator: &mut T) {
    accumulator.count(TURN, sign(board.side_to_move()));
    count_the_move(board, accumulator);
    for side in [Side::First, Side::Second] {
        let mut extractor = FeatureExtractor::new(board, side, accumulator);
        extractor.count_squares();
        extractor.count_kings();
        extractor.count_mobility();
        extractor.count_support();
        extractor.count_runaways();
    }
}

const fn sign(side: Side) -> i32 {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

/// Whether the pieces on the rows of the colour of a side's first row are odd in number.
#[inline]
pub(super) fn has_odd_rows(board: &CheckersBoard, side: Side) -> bool {
    /// The first row and every second one from there.
    const ROWS: u64 = 0xf | 0xf << 9 | 0xf << 18 | 0xf << 27;
    let pieces = board.own() | board.other();
    !(pieces & seen_from(side, ROWS)).count_ones().is_multiple_of(2)
}

/// The move, which players also call the opposition: with as many pieces on both sides, the last one
/// to have a free step. The side to move has it where the pieces on the rows of the colour of its own
/// first row are odd in number (Sturges, *Guide to the Game of Draughts*, 1800).
#[inline]
fn count_the_move<T: Accumulator>(board: &CheckersBoard, accumulator: &mut T) {
    let pieces = board.own().count_ones();
    if pieces == board.other().count_ones() {
        let side = board.side_to_move();
        let holder = if has_odd_rows(board, side) { side } else { side.other() };
        accumulator.count(MOVE + pieces as usize, sign(holder));
    }
}

/// The squares next to these, upwards.
#[inline]
const fn up(squares: u64) -> u64 {
    (step(squares, 2) | step(squares, 3)) & SQUARES
}

/// The squares next to these, downwards.
#[inline]
const fn down(squares: u64) -> u64 {
    (step(squares, 0) | step(squares, 1)) & SQUARES
}

impl<'a, T: Accumulator> FeatureExtractor<'a, T> {
    #[inline]
    fn new(board: &CheckersBoard, side: Side, accumulator: &'a mut T) -> Self {
        let seen = |pieces| seen_from(side, pieces);
        let (own, other) = (seen(board.pieces(side)), seen(board.pieces(side.other())));
        let kings = seen(board.kings());
        Self {
            men: own & !kings,
            kings: own & kings,
            other_men: other & !kings,
            other_kings: other & kings,
            empty: SQUARES & !(own | other),
            accumulator,
            sign: sign(side),
        }
    }

    /// Counts the weight of this index once.
    #[inline]
    fn count(&mut self, index: usize) {
        self.accumulator.count(index, self.sign);
    }

    /// Counts the weight of this index for each of these squares.
    #[inline]
    fn count_each(&mut self, index: usize, squares: u64) {
        self.accumulator.count(index, self.sign * squares.count_ones() as i32);
    }

    #[inline]
    fn count_squares(&mut self) {
        self.count_each(MAN, self.men);
        self.count_each(KING, self.kings);
        let (mut men, mut kings) = (self.men, self.kings);
        while men != 0 {
            self.count(MAN_BY_SQUARE + usize::from(take_lowest(&mut men)));
        }
        while kings != 0 {
            self.count(KING_BY_SQUARE + usize::from(take_lowest(&mut kings)));
        }
        // The bridge is one of these: men on the squares 1 and 3.
        let guard = self.men & KING_ROWS[Side::Second as usize];
        self.count(GUARD + guard as usize);
    }

    #[inline]
    fn count_kings(&mut self) {
        if self.kings == 0 {
            return;
        }
        if self.other_kings == 0 {
            self.count(LONE_KING);
        }
        let own = (self.men | self.kings).count_ones();
        if own < (self.other_men | self.other_kings).count_ones() {
            self.count_each(REFUGE, self.kings & DOUBLE_CORNERS);
        }
    }

    /// Steps, and pieces without one.
    #[inline]
    fn count_mobility(&mut self) {
        for direction in DIRECTIONS {
            if direction >= 2 {
                self.count_each(MAN_STEP, step(self.men, direction) & self.empty);
            }
            self.count_each(KING_STEP, step(self.kings, direction) & self.empty);
        }
        self.count_each(BLOCKED, self.men & !down(self.empty));
        self.count_each(TRAPPED, self.kings & !down(self.empty) & !up(self.empty));
    }

    /// Supported men and attacked pieces.
    #[inline]
    fn count_support(&mut self) {
        self.count_each(BACKED, self.men & up(self.men | self.kings));
        let other = AttackInfo { down: self.other_men | self.other_kings, up: self.other_kings };
        let attacked = (self.men | self.kings) & other.covered(self.empty);
        self.count_each(ATTACKED, attacked);
    }

    /// Men that no piece meets on some way to the king row.
    #[inline]
    fn count_runaways(&mut self) {
        let met = down(self.other_men | self.other_kings) | up(self.other_kings);
        let free = self.empty & !met;
        let mut way = KING_ROWS[Side::First as usize] & free;
        for steps in 0..7 {
            let next = down(way);
            self.count_each(RUNAWAY + steps, self.men & next);
            way = next & free;
            if way == 0 {
                break;
            }
        }
    }
}
