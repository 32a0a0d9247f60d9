//! The input of the network of checkers: for each side the pieces of both sides, and the threats against them.
//!
//! A side sees the board from its end. Each stage of a game has features of its own, since the use of a piece changes.

use super::super::board::{CheckersBoard, KING_ROWS, SQUARES, seen_from, step};
use super::attack_info::AttackInfo;
use crate::game::{Position, Side};
use crate::network::{Input, NetworkSize};

/// The words with the places of the pieces: the own men, the own kings, the opponent's men, the opponent's kings.
pub(super) const PIECE_WORDS: usize = 4;

/// The words of a view in one stage: the pieces, the own pieces that may be captured, the pieces that may capture them,
/// the unsafe steps of either side, and the runaway men with the move. The words of the pieces determine all others, but
/// a network of this size does not learn how.
const STAGE_WORDS: usize = PIECE_WORDS + 5;

/// The stages of a game: men alone, kings too, few pieces.
const STAGES: usize = 3;

/// The greatest number of pieces in the last stage.
const FEW: u32 = 8;

/// Words of a view.
pub(super) const WORDS: usize = STAGES * STAGE_WORDS;

/// The dimensions of the network.
pub(super) const SIZE: NetworkSize = NetworkSize { features: 64 * WORDS, present: 72, buckets: 8 };

/// The input of the network for a position in which the side to move has no capture.
#[inline]
pub(super) fn input(board: &CheckersBoard) -> Input<WORDS> {
    let pieces = (board.own | board.other).count_ones();
    let stage = if pieces <= FEW { 2 } else { usize::from(board.kings != 0) };
    let threats = CaptureThreats::of(board);
    let mut views = [[0; WORDS]; 2];
    for (view, side) in views.iter_mut().zip(Side::BOTH) {
        view[stage * STAGE_WORDS..][..STAGE_WORDS].copy_from_slice(&threats.view(board, side));
    }
    Input {
        views,
        turns: [0; 2],
        patterns: [[]; 2],
        mover: board.side_to_move() as usize,
        bucket: pieces.saturating_sub(1) as usize / 3,
    }
}

/// The places of the pieces, seen by a side.
#[inline]
pub(super) fn pieces(board: &CheckersBoard, side: Side) -> [u64; PIECE_WORDS] {
    let pieces = [board.pieces(side), board.pieces(side.other()), board.kings];
    let [own, other, kings] = pieces.map(|squares| seen_from(side, squares));
    [own & !kings, own & kings, other & !kings, other & kings]
}

/// Whether a piece of the side to move may be captured next.
#[inline]
pub(super) fn is_attacked(board: &CheckersBoard) -> bool {
    let opponent = AttackInfo::new(board, board.side_to_move().other());
    board.own & opponent.covered(board.empty()) != 0
}

/// The threats against the pieces of either side. Squares are seen by the first side.
struct CaptureThreats {
    /// The pieces that may be captured.
    attacked: [u64; 2],
    /// The pieces of the opponent that may capture them.
    attackers: [u64; 2],
    /// The empty squares to which a piece can step, and be captured there.
    unsafe_steps: [u64; 2],
    /// The men that no piece meets on some way to the king row.
    runaways: [u64; 2],
}

impl CaptureThreats {
    #[inline]
    fn of(board: &CheckersBoard) -> Self {
        let empty = board.empty();
        let infos = Side::BOTH.map(|side| AttackInfo::new(board, side));
        let steps = infos.each_ref().map(|info| info.steps(empty));
        let covered = infos.each_ref().map(|info| info.covered(empty));
        let attacked = Side::BOTH.map(|side| board.pieces(side) & covered[side.other() as usize]);
        let attackers = Side::BOTH
            .map(|side| infos[side.other() as usize].attackers(attacked[side as usize], empty));
        let unsafe_steps =
            Side::BOTH.map(|side| steps[side as usize] & covered[side.other() as usize]);
        let runaways = Side::BOTH.map(|side| {
            let men = board.pieces(side) & !board.kings;
            runaways(men, side, empty & !steps[side.other() as usize])
        });
        Self { attacked, attackers, unsafe_steps, runaways }
    }

    /// The words of the view of a side.
    #[inline]
    fn view(&self, board: &CheckersBoard, side: Side) -> [u64; STAGE_WORDS] {
        let seen = |squares: [u64; 2], owner: Side| seen_from(side, squares[owner as usize]);
        let [own_men, own_kings, other_men, other_kings] = pieces(board, side);
        // Runaway men of five steps or fewer have two rows behind them; their squares share a word.
        let own_runaways = seen(self.runaways, side) >> 9 & NEAR;
        let other_runaways = seen(self.runaways, side.other()) >> 4 & NEAR;
        [
            own_men,
            own_kings,
            other_men,
            other_kings,
            seen(self.attacked, side),
            seen(self.attackers, side),
            seen(self.unsafe_steps, side),
            seen(self.unsafe_steps, side.other()),
            own_runaways | other_runaways << 22 | the_move(board, side) << 44,
        ]
    }
}

/// The squares of five rows and the gaps between them.
const NEAR: u64 = (1 << 22) - 1;

/// The squares from which a man of `side` may step to the king row.
#[inline]
pub(super) fn before_king_row(side: Side) -> u64 {
    let [left, right] = if side == Side::First { [0, 1] } else { [2, 3] };
    let row = KING_ROWS[side as usize];
    (step(row, left) | step(row, right)) & SQUARES
}

/// The men of `side` that can go to the king row over `free` squares.
#[inline]
fn runaways(men: u64, side: Side, free: u64) -> u64 {
    let [left, right] = if side == Side::First { [0, 1] } else { [2, 3] };
    let (mut way, mut found) = (KING_ROWS[side as usize] & free, 0);
    while way != 0 {
        let before = (step(way, left) | step(way, right)) & SQUARES;
        found |= men & before;
        way = before & free;
    }
    found
}

/// The move, which players also call the opposition: with equal numbers of pieces, the side that has the move is the last to
/// have a free step. The side to move has it where the number of pieces on the rows of the colour of its own
/// first row is odd (Sturges, *Guide to the Game of Draughts*, 1800). One bit where `side` has it.
#[inline]
fn the_move(board: &CheckersBoard, side: Side) -> u64 {
    let [own, other] = [board.own, board.other].map(u64::count_ones);
    let mover = board.side_to_move();
    let has_it = has_odd_rows(board, mover) == (side == mover);
    u64::from(own == other && has_it) << own
}

/// Whether the number of pieces on the rows of the colour of a side's first row is odd.
#[inline]
pub(super) fn has_odd_rows(board: &CheckersBoard, side: Side) -> bool {
    /// The first row and every second one from there.
    const ROWS: u64 = 0xf | 0xf << 9 | 0xf << 18 | 0xf << 27;
    let pieces = board.own | board.other;
    !(pieces & seen_from(side, ROWS)).count_ones().is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::super::super::board::square_at;
    use super::*;
    use crate::game::{Notation, PositionText};
    use crate::games::checkers::Checkers;

    fn board(fen: &str) -> CheckersBoard {
        Checkers.read_position(&PositionText::Text(fen.to_owned())).expect(fen)
    }

    /// The words of the view of the side to move, which are those of this stage.
    fn words(fen: &str, stage: usize) -> Vec<u64> {
        let input = input(&board(fen));
        let mut view = input.views[input.mover].to_vec();
        let words = view.splice(stage * STAGE_WORDS..(stage + 1) * STAGE_WORDS, []).collect();
        assert!(view.iter().all(|&word| word == 0), "{fen}: features of other stages");
        words
    }

    /// The squares that a word shows.
    fn squares(word: u64) -> Vec<u8> {
        (0..35).filter(|bit| word >> bit & 1 != 0).map(square_at).collect()
    }

    #[test]
    fn pieces_and_what_threatens_them_are_shown() {
        let none = Vec::new;
        // 15 may capture 10, and either side's step to 11 is into danger.
        let expected =
            [vec![7, 10], none(), vec![15, 19], none(), vec![10], vec![15], vec![11], vec![11]];
        let words = words("B:W15,19:B7,10", 2);
        assert_eq!(words[..8].iter().copied().map(squares).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_stage_has_features_of_its_own() {
        words("B:W21,22,23,24,25:B1,2,3,4", 0);
        words("B:W21,22,23,24,K25:BK1,2,3,4", 1);
        words("B:W21,22,23,24:BK1,2,3,4", 2);
    }

    #[test]
    fn runaway_men_of_either_side_are_shown_by_their_squares() {
        // The squares from 9 on for the side to move, then those from 5 on for its opponent, 22 bits each.
        let runaways = |fen| words(fen, 2)[8] & ((1 << 44) - 1);
        assert_eq!(runaways("B:W31,K4:B25,K1,K2"), 1 << (27 - 9));
        assert_eq!(runaways("B:W29,30,K4:B25,K1,K2"), 0);
        // The man on 25 may go to 30.
        assert_eq!(runaways("W:W8,29:B25,K32"), 1 << (27 - 9) | 1 << (22 + 7 - 4));
        assert_eq!(runaways("B:W8,K1:BK29,K32"), 1 << (22 + 7 - 4));
    }

    #[test]
    fn a_side_is_shown_that_it_has_the_move() {
        let shown = |fen: &str| {
            let input = input(&board(fen));
            input.views.map(|view| view[WORDS - 1] >> 44)
        };
        // Two kings face each other with a row between them: the side to move gives way.
        assert_eq!(shown("B:WK23:BK15"), [0, 2]);
        assert_eq!(shown("W:WK23:BK15"), [2, 0]);
        assert_eq!(shown("B:WK23,K32:BK15"), [0, 0]);
    }

    #[test]
    fn a_piece_is_attacked_that_the_opponent_may_capture_next() {
        // On 6 a piece would stand behind it.
        for (fen, expected) in [("B:W15,19:B7,10", true), ("B:W15,19:B6,7,10,8", false)] {
            assert_eq!(is_attacked(&board(fen)), expected, "{fen}");
        }
    }
}
