//! One look at the board: everything that [`Full`](super::Opinion::Full) counts, side by side.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Square};

use super::camp::Camp;
use super::layout::FULL;
use crate::game::linear::Tally;

/// How one side stands against the other, seen from its own end of the board.
pub(super) struct Look<'a, T> {
    /// The side.
    pub own: Camp,
    /// Its opponent, moving down.
    pub other: Camp,
    /// What its men do around the other king.
    pub siege: Siege,
    /// Whether it is to move.
    pub moves_next: bool,
    /// Where to count.
    tally: &'a mut T,
    /// 1 for the first side, -1 for the second one.
    sign: i32,
}

/// How many men attack the squares around a king, and how often.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Siege {
    /// The men.
    pub attackers: u32,
    /// The squares that they attack, each as often as it is attacked.
    pub hits: u32,
}

const TEMPO: usize = FULL.first("tempo");

/// Counts all that matters on the board.
#[inline]
pub(super) fn look<T: Tally>(board: &Board, tally: &mut T) {
    let mut camps = Color::ALL.map(|color| Camp::of(board, color));
    let mut sieges = [Siege::default(); 2];
    tally.count(TEMPO, if board.side_to_move() == Color::White { 1 } else { -1 });
    for side in Color::ALL {
        let mut look = Look::new(board, side, &camps, sieges, tally);
        look.count_squares();
        look.count_pawns();
        look.count_pieces();
        (camps[side as usize], sieges[side as usize]) = (look.own, look.siege);
    }
    for side in Color::ALL {
        let mut look = Look::new(board, side, &camps, sieges, tally);
        look.count_passed_pawns();
        look.count_shelter();
        look.count_siege();
        look.count_threats();
    }
}

impl<'a, T: Tally> Look<'a, T> {
    #[inline]
    fn new(
        board: &Board,
        side: Color,
        camps: &[Camp; 2],
        sieges: [Siege; 2],
        tally: &'a mut T,
    ) -> Self {
        Self {
            own: camps[side as usize].clone(),
            other: camps[!side as usize].across(),
            siege: sieges[side as usize],
            moves_next: board.side_to_move() == side,
            tally,
            sign: if side == Color::White { 1 } else { -1 },
        }
    }

    /// Counts the weight of this index once.
    #[inline]
    pub(super) fn count(&mut self, index: usize) {
        self.tally.count(index, self.sign);
    }

    /// Counts the weight of this index for each of these squares.
    #[inline]
    pub(super) fn count_each(&mut self, index: usize, squares: BitBoard) {
        // Most of what is looked for is not there, and counting bits takes longer than a look.
        if !squares.is_empty() {
            self.count_times(index, squares.len());
        }
    }

    /// Counts the weight of this index so many times.
    #[inline]
    pub(super) fn count_times(&mut self, index: usize, times: u32) {
        self.tally.count(index, self.sign * times as i32);
    }
}

/// Each man and its square, on a board mirrored by where the own king stands.
impl<T: Tally> Look<'_, T> {
    #[inline]
    fn count_squares(&mut self) {
        const VALUE: usize = FULL.first("value of a pawn");
        const TABLE: usize = FULL.first("pawn");
        let mirror = if (self.own.king.file() as usize) < File::E as usize { 7 } else { 0 };
        for piece in Piece::ALL {
            let men = self.own.men[piece as usize];
            if piece != Piece::King {
                self.count_each(VALUE + piece as usize, men);
            }
            for square in men {
                self.count(TABLE + Square::NUM * piece as usize + (square as usize ^ mirror));
            }
        }
    }
}
