//! The last squares of a game: an exact search of its own, which needs no table and little ordering.
//!
//! Values are differences of discs at the end, the empty squares counted for the winner. They are even. A search answers
//! whether a value is `beta` or more, with a bound that tells how much more or less.

use super::board::{self, Geometry, final_difference, flips};

/// The exact search of positions with few empty squares.
pub(super) struct LastSquares {
    /// The board.
    pub(super) geometry: &'static Geometry,
    /// The positions visited.
    pub(super) nodes: u64,
    /// Beyond so many the search ends, and its value means nothing.
    pub(super) most: u64,
}

/// The quarters of the board. A side that plays last into each of them has the last move of the game there.
const QUARTERS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

/// The empty squares of the quarters in which their number is odd: to play there leaves an even number, of which the
/// opponent does not get the last.
#[inline]
pub(super) fn odd_quarters(empty: u64) -> u64 {
    let odd =
        |quarter: u64| if (empty & quarter).count_ones() & 1 == 1 { empty & quarter } else { 0 };
    odd(QUARTERS[0]) | odd(QUARTERS[1]) | odd(QUARTERS[2]) | odd(QUARTERS[3])
}

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

impl LastSquares {
    /// A bound of the value for the side with `own` discs, to move: at least `beta`, or at most a value below it.
    pub(super) fn at_least(&mut self, own: u64, other: u64, beta: i32) -> i32 {
        let empty = self.geometry.squares & !(own | other);
        match empty.count_ones() {
            0 => final_difference(own, other, self.geometry.count()),
            1 => self.last(own, other, empty.trailing_zeros() as u8),
            _ => self.some(own, other, empty, beta, false),
        }
    }

    /// The same with two or more empty squares.
    fn some(&mut self, own: u64, other: u64, empty: u64, beta: i32, has_passed: bool) -> i32 {
        if self.nodes > self.most {
            return beta;
        }
        let odd = odd_quarters(empty);
        let mut best = i32::MIN;
        for squares in [odd, empty & !odd] {
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
                let value =
                    -self.after(other & !turned, own | turned | bit, empty & !bit, 2 - beta);
                best = best.max(value);
                if best >= beta {
                    return best;
                }
            }
        }
        if best > i32::MIN {
            best
        } else if has_passed {
            final_difference(own, other, self.geometry.count())
        } else {
            self.nodes += 1;
            -self.some(other, own, empty, 2 - beta, true)
        }
    }

    /// The value after a disc was placed.
    #[inline]
    fn after(&mut self, own: u64, other: u64, empty: u64, beta: i32) -> i32 {
        self.nodes += 1;
        if empty.is_power_of_two() {
            self.last(own, other, empty.trailing_zeros() as u8)
        } else {
            self.some(own, other, empty, beta, false)
        }
    }

    /// The value with one empty square: nothing but the numbers of discs is needed.
    #[inline]
    fn last(&mut self, own: u64, other: u64, square: u8) -> i32 {
        let difference = own.count_ones() as i32 - other.count_ones() as i32;
        let turned = flips(own, other, square).count_ones() as i32;
        self.nodes += 1;
        if turned > 0 {
            return difference + 2 * turned + 1;
        }
        match flips(other, own, square).count_ones() as i32 {
            0 => difference + difference.signum(),
            turned => difference - 2 * turned - 1,
        }
    }
}

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
            |board: &&OthelloBoard| board.empty().count_ones() <= 6 && board.outcome().is_none();
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
