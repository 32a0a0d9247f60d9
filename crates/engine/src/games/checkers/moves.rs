//! The legal moves, in the game's own order. Captures are compulsory, so a position has either captures or steps.

use smallvec::SmallVec;

use super::super::bits::Bits;
use super::board::{CheckersBoard, DIRECTIONS, is_forward, square_at, step};

/// A move: where a piece begins and every square on which it comes down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckersMove {
    /// The pieces taken. No piece on the outermost squares can be jumped, and all others lie below
    /// bit 30.
    captured: u32,
    /// The directions of the jumps, two bits each, the first in the lowest bits.
    directions: u32,
    /// The bit of the square on which the move begins.
    pub(super) from: u8,
    /// The bit of the square on which the move ends.
    pub(super) to: u8,
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

/// The squares to which a king on bit 5 can step.
const KING_REACH: u64 = 0b11 | 0b11 << 9;
/// The squares to which a man of Black and a man of White on bit 5 can step.
const MAN_REACH: [u64; 2] = [0b11 << 9, 0b11];

/// A list of moves. Few positions have more than 32.
type Moves = SmallVec<[CheckersMove; 32]>;

/// The legal moves of a position, in ascending order of the start, then of the squares of the route.
pub type CheckersMoves = smallvec::IntoIter<[CheckersMove; 32]>;

/// The legal moves on `board`.
pub(super) fn legal_moves(board: &CheckersBoard) -> CheckersMoves {
    let mut moves = Moves::new();
    let jumpers = board.jumpers();
    if jumpers == 0 {
        add_steps(board, &mut moves);
    }
    for from in Bits(jumpers) {
        add_captures(board, CheckersMove::at(from), &mut moves);
    }
    moves.into_iter()
}

/// Adds the moves that capture nothing.
fn add_steps(board: &CheckersBoard, moves: &mut Moves) {
    let empty = board.empty();
    for from in Bits(board.steppers()) {
        let is_king = board.kings >> from & 1 != 0;
        let reach = if is_king { KING_REACH } else { MAN_REACH[board.side as usize] };
        for to in Bits(reach << from >> 5 & empty) {
            moves.push(CheckersMove { from, to, ..CheckersMove::default() });
        }
    }
}

/// Adds the captures that begin with the jumps of `mv`, depth first: a capture goes on while it can. A piece that began as
/// a man stays a man, so its capture ends on the king row by itself.
fn add_captures(board: &CheckersBoard, mv: CheckersMove, moves: &mut Moves) {
    let is_king = board.kings >> mv.from & 1 != 0;
    let (at, prey) = (1 << mv.to, board.other & !mv.captured());
    // The square on which the capture began counts as empty.
    let open = board.empty() | 1 << mv.from;
    let mut is_complete = true;
    for direction in DIRECTIONS {
        let goes_on = (is_king || is_forward(board.side, direction))
            && step(step(at, direction) & prey, direction) & open != 0;
        if goes_on {
            is_complete = false;
            add_captures(board, mv.extended(direction), moves);
        }
    }
    if is_complete {
        moves.push(mv);
    }
}
