//! The rules, held against the same rules written plainly.

use std::collections::HashMap;

use crate::{cases, evaluator};
use bestmove_engine::game::{Drawing, Evaluator, Game, Notation, Outcome, Position, PositionText};
use bestmove_engine::games;
use bestmove_engine::games::any::GameStatus;
use bestmove_engine::games::checkers::{Checkers, CheckersBoard, CheckersMove};
use proptest::prelude::*;

use super::{board, boards, legal_moves, plain, played};

#[test]
fn a_king_can_take_nine_pieces_in_one_move() {
    let nine = board("W:WK1:B6,7,8,14,15,16,22,23,24");
    let longest = nine.legal_moves().max_by_key(|mv| mv.squares().len()).expect("a move");
    assert_eq!(longest.squares().len(), 10);
    let after = nine.play(longest);
    assert_eq!(Checkers::write_position(&after), "B:WK28:B");
    assert_eq!(after.outcome(), Some(Outcome::Loss));
    assert_eq!(Checkers::ending(&after).reason, "no pieces left");
}

#[test]
fn a_capture_must_be_made_and_goes_on_while_it_can() {
    let either = board("B:W14,15,23,32:B9,10,11");
    assert_eq!(legal_moves(&either), ["9x27", "10x17", "10x26", "11x27"].as_slice());
}

#[test]
fn a_man_that_is_crowned_captures_no_further() {
    let crowned = board("B:W25,26:B21,K2");
    assert_eq!(legal_moves(&crowned), ["21x30"]);
    assert_eq!(Checkers::write_position(&played(&crowned, "21x30")), "W:W26:BK2,K30");
    assert_eq!(legal_moves(&board("B:W25,26:BK21,K2")), ["21x23"], "a king goes on");
}

#[test]
fn a_king_may_return_to_where_its_capture_began() {
    let round = board("W:WK15:B12,18,19,26,27");
    assert_eq!(legal_moves(&round), ["15x22x31x24x15", "15x24x31x22x15"]);
    assert_eq!(Checkers::write_position(&played(&round, "15x22x31x24x15")), "B:WK15:B12");
}

#[test]
fn a_side_without_a_move_has_lost() {
    let blocked = board("B:W7,11,17,22,24,27,32:B13");
    assert_eq!(blocked.outcome(), Some(Outcome::Loss));
    assert_eq!(Checkers::ending(&blocked).reason, "no legal move");
    assert_eq!(blocked.legal_moves().count(), 0);
}

/// The status of a game from `position` after so many repetitions of `cycle` and the `rest`, and the draw
/// that may be claimed.
fn status(
    position: &str,
    cycle: &[&str],
    times: usize,
    rest: &[&str],
) -> (GameStatus, Option<&'static str>) {
    let moves: Vec<String> =
        cycle.repeat(times).iter().chain(rest).map(|&text| text.to_owned()).collect();
    let position = PositionText::Text(position.to_owned());
    let game = games::find("checkers").expect("a game of the catalogue");
    let state = game.board(Some(&position), &moves).expect("a legal game").state();
    (state.status, state.claim)
}

#[test]
fn the_third_occurrence_of_a_position_may_be_claimed_and_the_fifth_draws_the_game() {
    const UNCLAIMED: (GameStatus, Option<&str>) = (GameStatus::Ongoing, None);
    let claimed = (GameStatus::Ongoing, Some("threefold-repetition"));
    let drawn = (GameStatus::Drawn { reason: "fivefold repetition" }, None);
    let cycle = ["1-5", "32-28", "5-1", "28-32"];
    let kings = "B:WK32:BK1";
    assert_eq!(status(kings, &cycle, 1, &[]), UNCLAIMED);
    assert_eq!(status(kings, &cycle, 2, &[]), claimed);
    assert_eq!(status(kings, &cycle, 3, &[]), claimed);
    assert_eq!(status(kings, &cycle, 4, &[]), drawn);
    let with_men = "B:WK32,21:BK1,13";
    assert_eq!(status(with_men, &cycle, 1, &["1-5", "32-28", "5-1"]), UNCLAIMED);
    assert_eq!(status(with_men, &cycle, 1, &["13-17"]), UNCLAIMED);
    assert_eq!(status(with_men, &cycle, 2, &[]), claimed);
    assert_eq!(status(with_men, &cycle, 2, &["13-17"]), UNCLAIMED);
}

#[test]
fn eighty_plies_without_capture_or_man_move_may_be_claimed_and_150_draw_the_game() {
    let cycle = ["1-5", "32-28", "5-1", "28-32"].repeat(20);
    let mut position = board("B:WK32,21:BK1,12");
    for (ply, text) in (0..).zip(cycle) {
        assert_eq!(position.plies_to_draw(), Some(80 - ply));
        position = played(&position, text);
    }
    assert_eq!(position.plies_to_draw(), Some(0));
    assert_eq!(position.outcome(), None);
    assert_eq!(position.plies_to_forced_draw(), Some(70));
    let revived = played(&position, "12-16");
    assert_eq!((revived.plies_to_draw(), revived.reversible_plies()), (Some(80), 0));
    // Four kings wander over the board without the same position five times.
    let moves = wandering(150);
    for (plies, expected) in [
        (79, (GameStatus::Ongoing, None)),
        (80, (GameStatus::Ongoing, Some("forty-moves"))),
        (149, (GameStatus::Ongoing, Some("forty-moves"))),
        (150, (GameStatus::Drawn { reason: "150 plies without capture or man move" }, None)),
    ] {
        let moves: Vec<_> = moves[..plies].iter().map(String::as_str).collect();
        assert_eq!(status(WANDERERS, &[], 0, &moves), expected, "{plies} plies");
    }
}

const WANDERERS: &str = "B:WK29,K32:BK1,K4";

/// So many quiet moves by which no position comes back a third time.
fn wandering(plies: usize) -> Vec<String> {
    let mut position = board(WANDERERS);
    let (mut moves, mut seen) = (Vec::new(), Vec::new());
    while moves.len() < plies {
        seen.push(position.key());
        let stood = |child: &CheckersBoard| seen.iter().filter(|&&key| key == child.key()).count();
        let is_open = |child: &CheckersBoard| {
            child.outcome().is_none()
                && child.legal_moves().all(|mv| !Checkers::write_move(child, mv).text.contains('x'))
        };
        let children = position.legal_moves().map(|mv| (mv, position.play(mv)));
        let (mv, child) = children
            .filter(|(_, child)| is_open(child))
            .min_by_key(|(_, child)| stood(child))
            .expect("kings have room");
        moves.push(Checkers::write_move(&position, mv).text);
        position = child;
    }
    moves
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn legal_moves_are_those_of_the_plain_rules(board in boards()) {
        let written = |mv: CheckersMove| {
            (mv.squares(), Checkers::write_position(&board.play(mv)))
        };
        let found: Vec<_> = board.legal_moves().map(written).collect();
        let expected = plain::Board::from_fen(&Checkers::write_position(&board)).moves();
        prop_assert_eq!(found, expected, "the same moves, squares ascending");
        for child in board.legal_moves().map(|mv| board.play(mv)) {
            prop_assert_eq!(child.outcome().is_some(), child.legal_moves().next().is_none());
        }
    }

    #[test]
    fn a_key_tells_the_position_and_nothing_else(board in boards()) {
        for child in board.legal_moves().map(|mv| board.play(mv)) {
            let reread = self::board(&Checkers::write_position(&child));
            prop_assert_eq!(child.key(), reread.key());
            prop_assert_eq!(reread.reversible_plies(), 0);
            prop_assert_ne!(child.key(), board.key());
        }
    }

    #[test]
    fn both_colours_are_treated_alike(board in boards()) {
        let turned = plain::Board::from_fen(&Checkers::write_position(&board)).turned();
        let turned = self::board(&turned.fen());
        prop_assert_ne!(turned.side_to_move(), board.side_to_move());
        prop_assert_eq!(evaluator::<Checkers>("material").score(&turned), evaluator::<Checkers>("material").score(&board));
        let lengths = |board: &CheckersBoard| {
            let mut lengths: Vec<_> = board.legal_moves().map(|mv| mv.squares().len()).collect();
            lengths.sort_unstable();
            lengths
        };
        prop_assert_eq!(lengths(&turned), lengths(&board));
    }

    #[test]
    fn the_boards_before_a_step_are_those_from_which_it_leads_here(board in boards()) {
        let before = |board: &CheckersBoard| {
            let mut before = Vec::new();
            board.each_before_step(|earlier| before.push(earlier));
            before
        };
        let is_step = |board: &CheckersBoard, child: &CheckersBoard| {
            let kings = |board| Checkers::write_position(board).matches('K').count();
            Checkers::alert(board).is_none() && kings(child) == kings(board)
        };
        for child in board.legal_moves().map(|mv| board.play(mv)) {
            let is_before = before(&child).iter().any(|earlier| earlier.key() == board.key());
            prop_assert_eq!(is_before, is_step(&board, &child), "{:?}", child);
        }
        for earlier in before(&board) {
            let mut children = earlier.legal_moves().map(|mv| earlier.play(mv));
            prop_assert!(children.any(|child| child.key() == board.key()), "{:?}", earlier);
            prop_assert!(is_step(&earlier, &board), "{:?}", earlier);
        }
    }

    #[test]
    fn only_steps_of_kings_can_be_taken_back(board in boards()) {
        let text = Checkers::write_position(&board);
        let pieces: Vec<&str> = text.split([',', ':', 'W', 'B']).collect();
        for mv in board.legal_moves() {
            let is_king = pieces.contains(&format!("K{}", mv.squares()[0]).as_str());
            let is_step = Checkers::write_move(&board, mv).text.contains('-');
            prop_assert_eq!(board.play(mv).reversible_plies() > 0, is_king && is_step);
        }
    }
}

#[test]
fn different_positions_have_different_keys() {
    let mut known = HashMap::new();
    let mut layer = vec![Checkers.start(), board("B:WK15,K18,30:BK1,K6,12")];
    while known.len() < 300_000 {
        let mut next = Vec::new();
        for position in layer {
            let text = Checkers::write_position(&position);
            match known.insert(position.key(), text.clone()) {
                Some(earlier) => assert_eq!(earlier, text),
                None => next.extend(position.legal_moves().map(|mv| position.play(mv))),
            }
        }
        layer = next;
    }
}
