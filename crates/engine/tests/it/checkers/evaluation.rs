//! The evaluation sees what it says, from either side alike.

use crate::{cases, evaluator};
use bestmove_engine::game::{
    Evaluator, Game, Notation, Outcome, Position, Question, informed_score,
};
use bestmove_engine::games::checkers::{Checkers, CheckersBoard};
use bestmove_engine::network::Accumulator;
use proptest::prelude::*;

use super::{board, boards, plain};

/// The board turned by half, with the colours exchanged.
fn turned(position: &CheckersBoard) -> CheckersBoard {
    board(&plain::Board::from_fen(&Checkers::write_position(position)).turned().fen())
}

#[test]
fn a_decided_position_counts_more_than_any_that_is_judged_and_the_same_from_either_side() {
    for fen in ["W:WK2,K13,K27:BK30,15", "W:WK2,K28,11:BK22,K26", "W:W12,6,25:BK2,K31"] {
        let (position, evaluator) = (board(fen), evaluator::<Checkers>("full"));
        let score =
            |position: &_| informed_score(&evaluator, position, &mut Accumulator::default());
        let outcome = |position: &_| evaluator.known(position, Question::Outcome)?.outcome();
        assert!(score(&position) > Some(900), "{fen}: {:?}", score(&position));
        assert_eq!(score(&turned(&position)), score(&position), "{fen}");
        let replies = position.legal_moves().map(|mv| position.play(mv));
        for next in replies.filter(|next| outcome(next) == Some(Outcome::Loss)) {
            assert!(score(&next) < Some(-900), "{fen}");
        }
    }
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
    fn a_network_is_shown_the_same_of_both_sides(position in boards()) {
        let shown = [position, turned(&position)].map(|board| evaluator::<Checkers>("full").sparse_input(&board));
        prop_assert_eq!(&shown[0], &shown[1], "{:?}", position);
    }

    #[test]
    fn no_position_has_more_features_than_a_network_takes(position in boards()) {
        let input = evaluator::<Checkers>("full").sparse_input(&position).expect("a network");
        let most = Checkers.game_info().network.expect("a network").present;
        prop_assert!(input.views.iter().all(|view| view.len() <= most), "{:?}", position);
    }
}
