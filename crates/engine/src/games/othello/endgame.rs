//! The last squares of a game: an exact search of its own, which needs no table and little ordering.
//!
//! Values are differences of discs at the end, the empty squares counted for the winner. They are even. A search answers
//! whether a value is `beta` or more, with a bound that tells how much more or less.

use super::board::{self, Geometry, final_difference, flips};
use crate::game::SolverScore;

/// Positions with so many empty squares or fewer are searched by [`LastSquares`].
pub(super) const LAST: u32 = 8;

/// What a search of few plies has found.
pub(super) struct LastSearch {
    /// As in [`Expansion::Decided`](crate::game::Expansion::Decided); `None` where the search is in doubt, or would have
    /// visited too many positions.
    pub(super) bound: Option<SolverScore>,
    /// The positions visited.
    pub(super) nodes: u64,
}

/// The exact search of positions with few empty squares.
pub(super) struct LastSquares {
    /// The board.
    pub(super) geometry: &'static Geometry,
    /// The positions visited.
    pub(super) nodes: u64,
    /// Beyond so many the search ends, and its value means nothing.
    pub(super) most: u64,
}

/// The empty squares of the quarters of the board in which their number is odd: to play there leaves an even number, of
/// which the opponent does not get the last. A side that plays last into each quarter has the last move of the game.
#[inline]
pub(super) fn odd_quarters(empty: u64) -> u64 {
    /// The first square of each quarter, and the squares of the first quarter.
    const FIRST: u64 = 0x0000_0011_0000_0011;
    const QUARTER: u64 = 0x0F0F_0F0F;
    let pairs = empty ^ empty >> 1;
    let rows = pairs ^ pairs >> 2;
    let two_rows = rows ^ rows >> 8;
    let quarters = two_rows ^ two_rows >> 16;
    ((quarters & FIRST) * QUARTER) & empty
}

/// With so many empty squares or more, moves are ordered by mobility.
const ORDERED_FROM: u32 = 7;

/// The squares around each square.
static AROUND: [u64; 64] = {
    let mut around = [0; 64];
    let mut square = 0;
    while square < 64 {
        around[square] = board::around(1 << square);
        square += 1;
    }
    around
};

/// A position after a move.
#[derive(Clone, Copy, Default)]
struct LastChild {
    own: u64,
    other: u64,
    empty: u64,
    legal: u64,
    rank: i32,
}

impl LastSquares {
    /// A bound of the value for the side with `own` discs, to move: at least `beta`, or at most a value below it.
    pub(super) fn at_least(&mut self, own: u64, other: u64, beta: i32) -> i32 {
        let empty = self.geometry.squares & !(own | other);
        match empty.count_ones() {
            0 => final_difference(own, other, self.geometry.count()),
            1 => self.last(own, other, empty.trailing_zeros() as u8),
            ORDERED_FROM.. => {
                let legal = board::mobility(own, other) & empty;
                self.ordered(own, other, empty, legal, beta)
            }
            _ => self.some(own, other, empty, beta, false),
        }
    }

    /// The same with the moves that leave the opponent the fewest replies first. `legal` are the squares of the moves.
    fn ordered(&mut self, own: u64, other: u64, empty: u64, legal: u64, beta: i32) -> i32 {
        if self.nodes > self.most {
            return beta;
        }
        if legal == 0 {
            let replies = board::mobility(other, own) & empty;
            if replies == 0 {
                return final_difference(own, other, self.geometry.count());
            }
            self.nodes += 1;
            return -self.ordered(other, own, empty, replies, 2 - beta);
        }
        let (children, count) = self.children(own, other, empty, legal);
        let mut best = i32::MIN;
        for &LastChild { own, other, empty, legal, .. } in &children[..count] {
            self.nodes += 1;
            best = best.max(-if empty.count_ones() >= ORDERED_FROM {
                self.ordered(own, other, empty, legal, 2 - beta)
            } else {
                self.some(own, other, empty, 2 - beta, false)
            });
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The positions after the moves to these squares, the fewest replies first, and their number.
    #[inline]
    fn children(
        &self,
        own: u64,
        other: u64,
        empty: u64,
        legal: u64,
    ) -> ([LastChild; LAST as usize], usize) {
        let odd = odd_quarters(empty);
        let corners = self.geometry.corners;
        let mut children = [LastChild::default(); LAST as usize];
        let (mut count, mut rest) = (0, legal);
        while rest != 0 {
            let square = rest.trailing_zeros() as u8;
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let turned = flips(own, other, square);
            let (own, other, empty) = (other & !turned, own | turned | bit, empty & !bit);
            let legal = board::mobility(own, other) & empty;
            let replies = legal.count_ones() + (legal & corners).count_ones();
            let rank =
                4 * replies as i32 - i32::from(bit & odd != 0) - i32::from(bit & corners != 0);
            // A sort from the standard library takes 5 % more time in all.
            let mut place = count;
            while place > 0 && children[place - 1].rank > rank {
                children[place] = children[place - 1];
                place -= 1;
            }
            children[place] = LastChild { own, other, empty, legal, rank };
            count += 1;
        }
        (children, count)
    }

    /// The same with two or more empty squares, in the order of [`odd_quarters`] and corners.
    fn some(&mut self, own: u64, other: u64, empty: u64, beta: i32, has_passed: bool) -> i32 {
        if self.nodes > self.most {
            return beta;
        }
        let odd = odd_quarters(empty);
        let odd_corners = odd & self.geometry.corners;
        let mut best = i32::MIN;
        for squares in [odd_corners, odd ^ odd_corners, empty ^ odd] {
            let mut rest = squares;
            while rest != 0 {
                let square = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                if AROUND[usize::from(square)] & other == 0 {
                    continue;
                }
                let turned = flips(own, other, square);
                if turned == 0 {
                    continue;
                }
                let bit = 1u64 << square;
                self.nodes += 1;
                let (own, other, empty) = (other & !turned, own | turned | bit, empty & !bit);
                best = best.max(-match empty.count_ones() {
                    1 => self.last(own, other, empty.trailing_zeros() as u8),
                    2 => self.two(own, other, empty, 2 - beta),
                    _ => self.some(own, other, empty, 2 - beta, false),
                });
                if best >= beta {
                    return best;
                }
            }
        }
        if best > i32::MIN { best } else { self.passed(own, other, empty, beta, has_passed) }
    }

    /// The same without a move: the other side's turn, or the end where that side has passed as well.
    fn passed(&mut self, own: u64, other: u64, empty: u64, beta: i32, has_passed: bool) -> i32 {
        if has_passed {
            return final_difference(own, other, self.geometry.count());
        }
        self.nodes += 1;
        -self.some(other, own, empty, 2 - beta, true)
    }

    /// The same with two empty squares.
    #[inline]
    fn two(&mut self, own: u64, other: u64, empty: u64, beta: i32) -> i32 {
        let first = empty.trailing_zeros() as u8;
        let second = 63 - empty.leading_zeros() as u8;
        let mut best = i32::MIN;
        for (square, left) in [(first, second), (second, first)] {
            let turned = flips(own, other, square);
            if turned != 0 {
                self.nodes += 1;
                best = best.max(-self.last(other & !turned, own | turned | 1 << square, left));
                if best >= beta {
                    return best;
                }
            }
        }
        if best > i32::MIN { best } else { self.passed(own, other, empty, beta, false) }
    }

    /// The value with one empty square: nothing but the numbers of discs is needed.
    #[inline]
    fn last(&mut self, own: u64, other: u64, square: u8) -> i32 {
        let difference = own.count_ones() as i32 - other.count_ones() as i32;
        self.nodes += 1;
        let turned = flips_on_full_board(own, square);
        if turned > 0 {
            return difference + 2 * turned + 1;
        }
        match flips_on_full_board(other, square) {
            0 => difference + difference.signum(),
            turned => difference - 2 * turned - 1,
        }
    }
}

/// How many discs the side with `own` turns over from the only empty square: all others between it and an own disc.
/// Squares beyond a smaller board hold none of its discs, so they end no line.
#[inline]
fn flips_on_full_board(own: u64, square: u8) -> i32 {
    const FILE: u64 = 0x0101_0101_0101_0101;
    /// Moves the squares of the first file to the last row.
    const TO_ROW: u64 = 0x0102_0408_1020_4080;
    let (row, column) = (square / 8, square % 8);
    let [falling, rising] = DIAGONALS[usize::from(square)];
    let in_line =
        |at: u8, line: u64| i32::from(FLIPS_IN_LINE[usize::from(at)][line as usize & 0xFF]);
    in_line(column, own >> (8 * row))
        + in_line(row, (own >> column & FILE).wrapping_mul(TO_ROW) >> 56)
        + in_line(column, (own & falling).wrapping_mul(FILE) >> 56)
        + in_line(column, (own & rising).wrapping_mul(FILE) >> 56)
}

/// For a square of a line and the own discs in it: the other squares between the square and the next own disc, in both
/// directions.
static FLIPS_IN_LINE: [[u8; 256]; 8] = {
    let mut flips = [[0; 256]; 8];
    let mut index = 0;
    while index < 8 * 256 {
        let (at, own) = (index / 256, index % 256);
        let above = own >> at >> 1;
        if above != 0 {
            flips[at][own] += above.trailing_zeros() as u8;
        }
        let below = own & ((1 << at) - 1);
        if below != 0 {
            flips[at][own] += (at as u32 - 1 - below.ilog2()) as u8;
        }
        index += 1;
    }
    flips
};

/// The falling and the rising diagonal through each square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (from, to) = (pair / 64, pair % 64);
        let (row, column, other_row, other_column) = (from / 8, from % 8, to / 8, to % 8);
        if row + other_column == other_row + column {
            diagonals[from][0] |= 1 << to;
        }
        if row + column == other_row + other_column {
            diagonals[from][1] |= 1 << to;
        }
        pair += 1;
    }
    diagonals
};

/// Discs of a side that nothing can turn over any more. Along each line a disc is safe at the border, where the line is
/// full, and beside a disc of its side that is stable. Squares beyond a smaller board count as such discs.
pub(super) fn stable(discs: u64, all: u64, geometry: &Geometry) -> u64 {
    const SIDES: u64 = 0x8181_8181_8181_8181;
    const ENDS: u64 = 0xFF00_0000_0000_00FF;
    let beyond = !geometry.squares;
    let all = all | beyond;
    let safe_in_row = full_rows(all) | SIDES;
    let safe_in_column = full_columns(all) | ENDS;
    let safe_falling = full_diagonals(all) | SIDES | ENDS;
    let safe_rising = full_diagonals(all.swap_bytes()).swap_bytes() | SIDES | ENDS;
    let mut stable = discs & safe_in_row & safe_in_column & safe_falling & safe_rising;
    loop {
        let safe = stable | beyond;
        let next = discs
            & (safe_in_row | safe << 1 | safe >> 1)
            & (safe_in_column | safe << 8 | safe >> 8)
            & (safe_falling | safe << 9 | safe >> 9)
            & (safe_rising | safe << 7 | safe >> 7);
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

/// The squares of full rows.
fn full_rows(all: u64) -> u64 {
    let pairs = all & all >> 1;
    let fours = pairs & pairs >> 2;
    ((fours & fours >> 4) & 0x0101_0101_0101_0101) * 0xFF
}

/// The squares of full columns.
fn full_columns(all: u64) -> u64 {
    let pairs = all & all.rotate_right(8);
    let fours = pairs & pairs.rotate_right(16);
    fours & fours.rotate_right(32)
}

/// The squares of full diagonals in the direction of a1 to h8: those along which no empty square lies.
fn full_diagonals(all: u64) -> u64 {
    /// The files that stay on the board when they move one, two and four to the right, and to the left.
    const RIGHT: [u64; 3] = [0x7F7F_7F7F_7F7F_7F7F, 0x3F3F_3F3F_3F3F_3F3F, 0x0F0F_0F0F_0F0F_0F0F];
    const LEFT: [u64; 3] = [0xFEFE_FEFE_FEFE_FEFE, 0xFCFC_FCFC_FCFC_FCFC, 0xF0F0_F0F0_F0F0_F0F0];
    let (mut down, mut up) = (!all, !all);
    for (step, (right, left)) in RIGHT.into_iter().zip(LEFT).enumerate() {
        down |= (down & right) << (9 << step);
        up |= (up & left) >> (9 << step);
    }
    !(down | up)
}

#[cfg(test)]
mod tests {
    use super::super::Othello;
    use super::super::board::OthelloBoard;
    use super::*;
    use crate::game::{Game, Position};

    /// Games of moves by a fixed rule, one for each number.
    fn game(variant: Othello, mut number: u64) -> Vec<OthelloBoard> {
        let mut boards = vec![variant.start()];
        while let Some(board) = boards.last().filter(|board| board.outcome().is_none()) {
            let moves: Vec<_> = board.legal_moves().collect();
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let next = board.play(moves[(number >> 33) as usize % moves.len()]);
            boards.push(next);
        }
        boards
    }

    /// The value by the rules alone.
    fn value(board: &OthelloBoard) -> i32 {
        if board.outcome().is_some() {
            return board.final_difference();
        }
        board.legal_moves().map(|disc| -value(&board.play(disc))).max().unwrap_or_default()
    }

    #[test]
    fn the_last_squares_are_searched_exactly() {
        let few =
            |board: &&OthelloBoard| board.empty().count_ones() <= 7 && board.outcome().is_none();
        for (variant, number) in Othello::VARIANTS.iter().flat_map(|it| (0..60).map(|at| (*it, at)))
        {
            for board in game(variant, number).iter().filter(few) {
                let exact = value(board);
                for beta in (-64..=64).step_by(2) {
                    let mut search =
                        LastSquares { geometry: board.geometry(), nodes: 0, most: u64::MAX };
                    let bound = search.at_least(board.own, board.other, beta);
                    let is_bound = if bound >= beta { bound <= exact } else { bound >= exact };
                    assert!(is_bound && (bound >= beta) == (exact >= beta), "{bound} for {exact}");
                }
            }
        }
    }

    #[test]
    fn a_stable_disc_is_never_turned_over() {
        for (&variant, least) in Othello::VARIANTS.iter().zip([10_000, 5_000, 1_000]) {
            let mut seen = 0;
            for number in 0..300 {
                let mut kept = [0; 2];
                for board in game(variant, number) {
                    let all = board.own | board.other;
                    let mut by_side = [board.own, board.other];
                    if board.side_to_move() as usize == 1 {
                        by_side.swap(0, 1);
                    }
                    for (kept, discs) in kept.iter_mut().zip(by_side) {
                        assert_eq!(*kept & !discs, 0, "{board:?}");
                        *kept |= stable(discs, all, board.geometry());
                        seen += kept.count_ones();
                    }
                }
            }
            assert!(seen > least, "{variant:?}: {seen}");
        }
    }
}
