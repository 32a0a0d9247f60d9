//! The evaluation sees what it says, from either side alike.

use crate::{cases, evaluator, features};
use bestmove_engine::game::{Evaluator, Game, Outcome, Position, Trainable};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard};
use proptest::prelude::*;

use super::{board, boards, plain};

/// The board turned by half, with the colours exchanged.
fn turned(position: &CheckersBoard) -> CheckersBoard {
    board(&plain::Board::from_fen(&Checkers::write_position(position)).turned().fen())
}

/// How often the weight of this group and place in it was counted, for Black less for White.
fn count(fen: &str, group: &str, place: usize) -> i32 {
    let layout = evaluator::<Checkers>("full").layout().expect("a sum of weights");
    let index = layout.first(group) + place;
    let (features, _) =
        features(&evaluator::<Checkers>("full"), &board(fen)).expect("a weighted sum");
    features.get(&index).copied().unwrap_or_default()
}

#[test]
fn what_is_counted_is_on_the_board() {
    let way = "man whose way to the king row is free, by its steps";
    let guard = "men on the king row, by the squares they guard";
    let cases = [
        ("B:W31,K4:B25,K1,K2", way, 0, 1),
        ("B:W29,30,K4:B25,K1,K2", way, 0, 0),
        ("B:W21,22,23:B1,3,16", guard, 0b0101, 1),
        ("B:W21,22,23:B1,3,16", guard, 0, -1),
        ("B:W14,29,30:B9,18", "piece that is attacked", 0, 1),
        ("B:WK29,31,32:B21,25", "king that is trapped", 0, -1),
        ("B:WK29,31,32:B21,25", "king where the opponent has none", 0, -1),
        ("B:W13,32,31:B9,6,1", "man that is blocked", 0, -1),
        ("B:W13,32,31:B9,6,1", "man that is backed up", 0, 2),
        ("B:W13,32,31:B9,6,1", "side to move", 0, 1),
        ("W:WK1,32,31:BK9,K6,5,7", "king in the double corner of the side that is behind", 0, -1),
    ];
    for (fen, group, place, times) in cases {
        assert_eq!(count(fen, group, place), times, "{fen}: {group}");
    }
}

#[test]
fn a_decided_position_counts_more_than_any_that_is_judged_and_the_same_from_either_side() {
    for fen in ["W:WK2,K13,K27:BK30,15", "W:WK2,K28,11:BK22,K26", "W:W12,6,25:BK2,K31"] {
        let position = board(fen);
        let score = evaluator::<Checkers>("full").informed_score(&position, &mut ());
        assert!(score > 900, "{fen}: {score}");
        assert_eq!(
            evaluator::<Checkers>("full").informed_score(&turned(&position), &mut ()),
            score,
            "{fen}"
        );
        let replies = position.legal_moves().map(|mv| position.play(mv));
        for next in replies
            .filter(|next| evaluator::<Checkers>("full").known_outcome(next) == Some(Outcome::Loss))
        {
            assert!(evaluator::<Checkers>("full").informed_score(&next, &mut ()) < -900, "{fen}");
        }
    }
}

/// Which network is shown a position, and what of it.
fn network_input(position: &CheckersBoard) -> Option<(usize, Vec<u16>)> {
    let input = evaluator::<Checkers>("full").network_input(position)?;
    Some((input.network, input.features.as_slice().to_vec()))
}

#[test]
fn a_network_for_each_stage_is_shown_the_pieces_of_the_side_to_move_first() {
    // A bit is left out after each eight squares; men, then kings, of either side: four times 35.
    assert_eq!(network_input(&board("B:W31,K4:B9,K1,K2")), Some((3, vec![9, 35, 36, 103, 108])));
    assert_eq!(network_input(&board("W:WK31,K32,24:BK29,2")), Some((3, vec![9, 35, 36, 103, 108])));
    let men = "B:W21,22,23,24,25:B1,2,3,4";
    assert_eq!(network_input(&board(men)), Some((0, vec![0, 1, 2, 3, 92, 93, 94, 95, 97])));
    let kings = "B:W21,22,23,24,K25:BK1,2,3,4";
    assert_eq!(network_input(&board(kings)), Some((1, vec![1, 2, 3, 35, 92, 93, 94, 95, 132])));
    let few = "B:W21,22,23,24:B1,2,3,4";
    assert_eq!(network_input(&board(few)), Some((2, vec![0, 1, 2, 3, 92, 93, 94, 95])));
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn both_sides_are_judged_alike(position in boards()) {
        let turned = turned(&position);
        for kind in [evaluator::<Checkers>("material"), evaluator::<Checkers>("full")] {
            prop_assert_eq!(kind.score(&position), kind.score(&turned), "{:?}", position);
        }
    }

    #[test]
    fn a_tuner_is_told_the_same_of_both_sides(position in boards()) {
        let full = evaluator::<Checkers>("full");
        let [(features, shares), (turned, turned_shares)] =
            [position, turned(&position)].map(|board| features(&full, &board).expect("a weighted sum"));
        let reversed = turned.into_iter().map(|(index, times)| (index, -times));
        prop_assert_eq!(features, reversed.collect(), "{:?}", position);
        prop_assert_eq!(shares.map(f64::to_bits), turned_shares.map(f64::to_bits));
    }

    #[test]
    fn a_trainer_is_told_the_same_of_both_sides(position in boards()) {
        let told = [position, turned(&position)].map(|board| {
            let score = evaluator::<Checkers>("full").network_input(&board).map(|input| input.score);
            let sorted = |mut features: Vec<_>| { features.sort_unstable(); features };
            (network_input(&board).map(|(network, features)| (network, sorted(features))), score)
        });
        prop_assert_eq!(&told[0], &told[1], "{:?}", position);
    }
}
