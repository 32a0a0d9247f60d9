//! The input features of the networks.

use super::super::board::{CheckersBoard, SQUARES, seen_from, take_lowest};
use super::attack_info::AttackInfo;
use crate::game::{Position, Side};
use crate::nn::Features;

/// The bits of a board.
const BITS: u16 = 35;

/// The features that tell where the pieces stand: each square with an own man, an own king, a man of the
/// opponent's or a king of its.
pub(super) const PIECES: usize = 4 * BITS as usize;

/// Those, and for each square: an own piece that may be captured, a piece that may capture it, an unsafe own step
/// to it, an unsafe step of the opponent. They follow from the pieces, but a network of this size does not learn
/// them.
pub(super) const FEATURES: usize = PIECES + 4 * BITS as usize;

/// The stages of a game: men alone, kings too, few pieces, and fewer. Each has a network of its own, since
/// what a piece is good for changes.
pub(super) const STAGES: usize = 4;

/// The most pieces of the last two stages.
const FEW: [u32; 2] = [8, 6];

#[inline]
pub(super) fn stage(board: &CheckersBoard) -> usize {
    match (board.own() | board.other()).count_ones() {
        pieces if pieces <= FEW[1] => 3,
        pieces if pieces <= FEW[0] => 2,
        _ => usize::from(board.kings() != 0),
    }
}

/// The input features for the side to move, which has nothing to capture.
#[inline]
pub(super) fn features(board: &CheckersBoard) -> Features {
    let mut features = pieces(board, board.side_to_move());
    let ([own, other], empty) = attack_infos(board);
    let attacked = own.all() & other.covered(empty);
    add(&mut features, 4, attacked);
    add(&mut features, 5, other.attackers(attacked, empty));
    add(&mut features, 6, own.steps(empty) & other.covered(empty));
    add(&mut features, 7, other.steps(empty) & own.covered(empty));
    features
}

/// Whether a piece of the side to move may be captured next.
#[inline]
pub(super) fn is_attacked(board: &CheckersBoard) -> bool {
    let ([own, other], empty) = attack_infos(board);
    own.all() & other.covered(empty) != 0
}

/// The pieces of the side to move and those of its opponent, and the empty squares, as it sees them.
#[inline]
fn attack_infos(board: &CheckersBoard) -> ([AttackInfo; 2], u64) {
    let side = board.side_to_move();
    let infos = [side, side.other()].map(|owner| AttackInfo::new(board, owner, side));
    let empty = SQUARES & !(infos[0].all() | infos[1].all());
    (infos, empty)
}

/// Where the pieces stand, as a side sees them.
#[inline]
pub(super) fn pieces(board: &CheckersBoard, side: Side) -> Features {
    let mut features = Features::new();
    let pieces = [board.pieces(side), board.pieces(side.other()), board.kings()];
    let [own, other, kings] = pieces.map(|squares| seen_from(side, squares));
    for (kind, squares) in (0..).zip([own & !kings, own & kings, other & !kings, other & kings]) {
        add(&mut features, kind, squares);
    }
    features
}

/// Adds the features of this kind for all of these squares.
#[inline]
fn add(features: &mut Features, kind: u16, mut squares: u64) {
    while squares != 0 {
        features.add(kind * BITS + u16::from(take_lowest(&mut squares)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::board::square_at;
    use super::*;
    use crate::game::{Game, PositionText};
    use crate::games::checkers::Checkers;

    /// The features of a position by kind, each with the squares that it is shown for.
    fn seen(fen: &str) -> [Vec<u8>; 8] {
        let board = Checkers.read_position(&PositionText::Text(fen.to_owned())).expect(fen);
        let features = features(&board);
        let of = |kind: u16| features.as_slice().iter().filter(move |&&it| it / BITS == kind);
        let squares = |kind| of(kind).map(|it| square_at((it % BITS) as u8)).collect();
        [0, 1, 2, 3, 4, 5, 6, 7].map(squares)
    }

    #[test]
    fn pieces_and_what_threatens_them_are_shown() {
        let none = Vec::new;
        // 15 may capture 10, and either side's step to 11 is into danger.
        let expected =
            [vec![7, 10], none(), vec![15, 19], none(), vec![10], vec![15], vec![11], vec![11]];
        assert_eq!(seen("B:W15,19:B7,10"), expected);
    }

    #[test]
    fn a_piece_is_attacked_that_the_opponent_may_capture_next() {
        let board = |fen: &str| Checkers.read_position(&PositionText::Text(fen.to_owned()));
        // On 6 a piece would stand behind it.
        for (fen, expected) in [("B:W15,19:B7,10", true), ("B:W15,19:B6,7,10,8", false)] {
            assert_eq!(is_attacked(&board(fen).expect(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn the_sides_see_alike() {
        for (black, white) in
            [("B:W15,19:B7,10", "W:W26,23:B18,14"), ("B:WK15,19:B7,K10,1", "W:W26,K23,32:BK18,14")]
        {
            assert_eq!(seen(black), seen(white));
        }
    }
}
