//! The legal moves, one at a time and in the game's own order.
//!
//! Captures are compulsory, so a position has either captures or steps. Both are found lazily: a
//! search that is content with the first move has not paid for the others.

use super::board::{CheckersBoard, DIRECTIONS, is_forward, square_at, step, take_lowest};
use crate::game::{Position, Side};

/// The greatest number of pieces that one capture takes. A jump changes row and column by two, which leaves a
/// piece eight squares to land on and nine to jump over.
const MOST_JUMPS: usize = 9;

/// A move: where a piece begins and every square on which it comes down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckersMove {
    /// The pieces taken. No piece on the outermost squares can be jumped, and all others lie below
    /// bit 30.
    captured: u32,
    /// The directions of the jumps, two bits each, the first in the lowest bits.
    directions: u32,
    from: u8,
    to: u8,
}

impl crate::game::Move for CheckersMove {
    const INDICES: u16 = 35 * 35;

    #[inline]
    fn move_index(self) -> u16 {
        u16::from(self.from) * 35 + u16::from(self.to)
    }
}

impl CheckersMove {
    /// A piece that has not moved yet.
    #[inline]
    fn at(from: u8) -> Self {
        Self { from, to: from, ..Self::default() }
    }

    /// The bit of the square on which the move begins.
    #[inline]
    pub(super) fn from(self) -> u8 {
        self.from
    }

    /// The bit of the square on which the move ends.
    #[inline]
    pub(super) fn to(self) -> u8 {
        self.to
    }

    /// The pieces taken.
    #[inline]
    pub(super) fn captured(self) -> u64 {
        u64::from(self.captured)
    }

    /// The number of pieces taken.
    #[inline]
    pub(super) fn jumps(self) -> u32 {
        self.captured.count_ones()
    }

    /// The capture, continued by a jump.
    #[inline]
    fn extended(self, direction: usize) -> Self {
        let over = step(1 << self.to, direction);
        Self {
            captured: self.captured | over as u32,
            directions: self.directions | (direction as u32) << (2 * self.jumps()),
            from: self.from,
            to: step(over, direction).trailing_zeros() as u8,
        }
    }

    /// The numbers of the squares on which the piece stands, from the first to the last.
    pub fn squares(self) -> Vec<u8> {
        let mut squares = vec![square_at(self.from)];
        let mut at = 1 << self.from;
        for jump in 1..self.jumps() {
            let direction = (self.directions >> (2 * (jump - 1)) & 3) as usize;
            at = step(step(at, direction), direction);
            squares.push(square_at(at.trailing_zeros() as u8));
        }
        squares.push(square_at(self.to));
        squares
    }
}

/// The legal moves of a position, in ascending order of the start, then of the squares of the route.
#[derive(Clone, Debug)]
pub enum CheckersMoves {
    /// No piece can capture.
    Steps(Steps),
    /// Some piece can.
    Captures(Captures),
}

impl CheckersMoves {
    #[inline]
    pub(super) fn new(board: &CheckersBoard) -> Self {
        match board.jumpers() {
            0 => Self::Steps(Steps::new(board)),
            jumpers => Self::Captures(Captures::new(board, jumpers)),
        }
    }
}

impl Iterator for CheckersMoves {
    type Item = CheckersMove;

    #[inline]
    fn next(&mut self) -> Option<CheckersMove> {
        match self {
            Self::Steps(steps) => steps.next(),
            Self::Captures(captures) => captures.next(),
        }
    }
}

/// The moves that capture nothing.
#[derive(Clone, Debug)]
pub struct Steps {
    empty: u64,
    kings: u64,
    man_reach: u64,
    /// The pieces whose turn is still to come.
    pieces: u64,
    /// The piece whose turn it is, and where it can still go.
    from: u8,
    targets: u64,
}

/// Where a king on bit 5 can step.
const KING_REACH: u64 = 0b11 | 0b11 << 9;
/// Where a man on bit 5 can step, Black's and White's.
const MAN_REACH: [u64; 2] = [0b11 << 9, 0b11];

impl Steps {
    #[inline]
    fn new(board: &CheckersBoard) -> Self {
        Self {
            empty: board.empty(),
            kings: board.kings(),
            man_reach: MAN_REACH[board.side_to_move() as usize],
            pieces: board.steppers(),
            from: 0,
            targets: 0,
        }
    }
}

impl Iterator for Steps {
    type Item = CheckersMove;

    #[inline]
    fn next(&mut self) -> Option<CheckersMove> {
        if self.targets == 0 {
            if self.pieces == 0 {
                return None;
            }
            self.from = take_lowest(&mut self.pieces);
            let is_king = self.kings >> self.from & 1 != 0;
            let reach = if is_king { KING_REACH } else { self.man_reach };
            self.targets = reach << self.from >> 5 & self.empty;
        }
        let to = take_lowest(&mut self.targets);
        Some(CheckersMove { from: self.from, to, ..CheckersMove::default() })
    }
}

/// The captures, found depth first: each goes on while it can.
#[derive(Clone, Debug)]
pub struct Captures {
    other: u64,
    empty: u64,
    kings: u64,
    side: Side,
    /// The pieces whose turn is still to come.
    pieces: u64,
    /// The capture being looked at, from its beginning to its last jump but one.
    unfinished: [Unfinished; MOST_JUMPS],
    length: usize,
}

/// A capture that can go on.
#[derive(Clone, Copy, Debug, Default)]
struct Unfinished {
    mv: CheckersMove,
    /// The directions still to be tried, one bit each.
    directions: u8,
}

impl Captures {
    #[inline]
    fn new(board: &CheckersBoard, jumpers: u64) -> Self {
        Self {
            other: board.other(),
            empty: board.empty(),
            kings: board.kings(),
            side: board.side_to_move(),
            pieces: jumpers,
            unfinished: [Unfinished::default(); MOST_JUMPS],
            length: 0,
        }
    }

    /// The directions in which `route` can go on, one bit each. A piece that began as a man stays
    /// one, so its capture ends on the king row by itself.
    #[inline]
    fn continuations(&self, mv: CheckersMove) -> u8 {
        let is_king = self.kings >> mv.from & 1 != 0;
        let at = 1 << mv.to;
        let prey = self.other & !mv.captured();
        // The square on which the capture began counts as empty.
        let open = self.empty | 1 << mv.from;
        DIRECTIONS.iter().fold(0, |directions, &direction| {
            let goes_on = (is_king || is_forward(self.side, direction))
                && step(step(at, direction) & prey, direction) & open != 0;
            directions | u8::from(goes_on) << direction
        })
    }

    #[inline]
    fn push(&mut self, mv: CheckersMove, directions: u8) {
        self.unfinished[self.length] = Unfinished { mv, directions };
        self.length += 1;
    }
}

impl Iterator for Captures {
    type Item = CheckersMove;

    fn next(&mut self) -> Option<CheckersMove> {
        loop {
            let Some(last) = self.unfinished[..self.length].last_mut() else {
                if self.pieces == 0 {
                    return None;
                }
                let mv = CheckersMove::at(take_lowest(&mut self.pieces));
                self.push(mv, self.continuations(mv));
                continue;
            };
            if last.directions == 0 {
                self.length -= 1;
                continue;
            }
            let direction = last.directions.trailing_zeros() as usize;
            last.directions &= last.directions - 1;
            let mv = last.mv.extended(direction);
            match self.continuations(mv) {
                0 => return Some(mv),
                directions => self.push(mv, directions),
            }
        }
    }
}
