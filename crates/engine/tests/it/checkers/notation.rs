//! PDN, read kindly and written strictly.

use bestmove_engine::game::{Drawing, Game, Notation, Position, PositionText};
use bestmove_engine::games::checkers::Checkers;
use proptest::prelude::*;

use super::{board, boards, legal_moves, played};
use crate::cases;

const START: &str = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

#[test]
fn the_start_is_written_out() {
    assert_eq!(Checkers::write_position(&Checkers.start()), START);
    assert_eq!(board("B:W21-32:B1-12"), Checkers.start());
}

#[test]
fn positions_are_read_kindly() {
    let canonical = "W:W18,24,K27:B5,6,K30,K31,K32";
    let kindly = [
        "W:W24,18,K27:BK30-32,6,5",
        "w:w18,24,k27:b5,6,k30,k31,k32",
        "W:B5-6,K30-32:WK27,24,18",
        " W : W 18, 24 ,K27 : B5 , 6,K 30 - 32 . ",
        "\"W:W18,24,K27:B5,6,K30,K31,K32.\"",
        "W:W18,24,K27:B05,06,K30,K31,K32",
    ];
    for text in kindly {
        assert_eq!(Checkers::write_position(&board(text)), canonical, "{text}");
    }
    assert_eq!(Checkers::write_position(&board("W:W:B18")), "W:W:B18", "White has lost");
}

#[test]
fn a_bad_position_is_refused_with_its_reason() {
    let cases = [
        ("", "three parts"),
        ("B", "three parts"),
        ("B:W18", "three parts"),
        ("B:W18:B5:H0:G1", "but got 4"),
        ("X:W18:B5", "expected B or W but got 'X'"),
        (":W18:B5", "expected B or W but got ''"),
        ("BW:W18:B5", "expected B or W but got 'BW'"),
        ("B:18:B5", "begins with B or W, as in W18,24, but here is '18'"),
        ("B::B5", "begins with B or W"),
        ("B:W18:W5", "both lists of pieces are White's"),
        ("B:B18:B5", "both lists of pieces are Black's"),
        ("B:W18,:B5", "expected a square, 1 to 32, but got ''"),
        ("B:W0:B5", "expected a square, 1 to 32, but got '0'"),
        ("B:W33:B5", "expected a square, 1 to 32, but got '33'"),
        ("B:W18:B300", "expected a square, 1 to 32, but got '300'"),
        ("B:W+18:B5", "expected a square, 1 to 32, but got '+18'"),
        ("B:W18:BQ5", "expected a square, 1 to 32, but got 'Q5'"),
        ("B:W18-:B5", "expected a square, 1 to 32, but got ''"),
        ("B:W24-18:B5", "the range 24-18 runs backwards"),
        ("B:W18,18:B5", "square 18 is named twice"),
        ("B:W18:B5,18", "square 18 is named twice"),
        ("B:W18-20:BK19", "square 19 is named twice"),
        ("B:W3:B5", "White has a man on 3, its king row, where it must be a king: K3"),
        ("B:W18:B28-30", "Black has a man on 29, its king row"),
        ("B:W20-32:B1", "White has 13 pieces, more than 12"),
        ("W:W32:B1-13", "Black has 13 pieces, more than 12"),
        ("W:W32:B", "Black has no pieces, but the side that moved last has one at least"),
        ("B:W:B1", "White has no pieces"),
        ("B:W:B", "White has no pieces"),
        ("B:W18:B5\u{661}", "expected a square, 1 to 32, but got '5\u{661}'"),
    ];
    for (text, reason) in cases {
        let refusal = Checkers.read_position(&PositionText::Text(text.to_owned()));
        let refusal = refusal.expect_err(text).to_string();
        assert!(refusal.contains(reason), "{text}: {refusal}");
    }
    let rows = PositionText::Rows(vec![vec!["b".to_owned()]]);
    let refusal = Checkers.read_position(&rows).expect_err("rows").to_string();
    assert!(refusal.contains("but got rows"), "{refusal}");
}

#[test]
fn moves_are_read_in_many_ways() {
    for text in ["11-15", " 11-15 ", "11 - 15", "11x15", "11:15", "11X15"] {
        let after = played(&Checkers.start(), text);
        assert!(
            Checkers::write_position(&after).ends_with("B1,2,3,4,5,6,7,8,9,10,12,15"),
            "{text}"
        );
    }
    let double = board("B:W14,22,32:B9,5");
    assert_eq!(legal_moves(&double), ["9x25"], "two ends are enough");
    for text in ["9x25", "9-25", "9x18x25", "9-18-25", "9:18:25"] {
        assert_eq!(Checkers::write_position(&played(&double, text)), "W:W32:B5,25", "{text}");
    }
}

#[test]
fn a_capture_is_written_in_full_where_two_ends_do_not_fix_its_route() {
    let fork = board("W:WK10:B6,7,8,15,16");
    let moves = ["10x1", "10x3x12x19x10x1", "10x19x12x3x10x1"];
    assert_eq!(legal_moves(&fork), moves);
    let positions = moves.map(|text| Checkers::write_position(&played(&fork, text)));
    assert_eq!(positions, ["B:WK1:B7,8,15,16", "B:WK1:B", "B:WK1:B"]);
}

#[test]
fn a_bad_move_is_refused_with_its_reason() {
    let start = Checkers.start();
    let circle = board("W:WK15:B12,18,19,26,27");
    let double = board("B:W14,22,32:B9,5");
    let unreadable = "expected two squares or more, 1 to 32, as in 11-15 or 22x15x8";
    let cases = [
        (start, "", unreadable),
        (start, "11", unreadable),
        (start, "11-", unreadable),
        (start, "11-33", unreadable),
        (start, "e2e4", unreadable),
        (start, "11-+15", unreadable),
        (start, "14-18", "the side to move has no piece on 14"),
        (start, "22-18", "the side to move has no piece on 22"),
        (start, "11-18", "11-18 is not a legal move"),
        (start, "11-15-18", "11-15-18 is not a legal move"),
        (circle, "15x15", "15x15 is ambiguous: write one of 15x22x31x24x15, 15x24x31x22x15"),
        (circle, "15x22", "stops too early, a capture goes on while it can: 15x22x31x24x15"),
        (double, "9x18", "stops too early"),
        (double, "9-13", "9-13 is none of the captures, and one of them must be made"),
        (double, "5x9x25", "5x9x25 is none of the captures"),
    ];
    for (position, text, reason) in cases {
        let refusal = Checkers::read_move(&position, text).expect_err(text).to_string();
        assert!(refusal.contains(reason), "{text}: {refusal}");
    }
}

#[test]
fn a_board_is_drawn_from_black_s_side() {
    let drawing = " 1   .   .   .   .\n 5 b   b   .   .\n 9   .   .   .   .\n13 .   .   .   .\n\
                   17   .   w   .   .\n21 .   .   .   w\n25   .   .   W   .\n29 .   .   .   .\n";
    assert_eq!(Checkers::drawing(&board("B:W18,24,K27:B5,6")), drawing);
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn positions_are_read_back_as_they_are_written(board in boards()) {
        let text = Checkers::write_position(&board);
        prop_assert_eq!(Checkers::write_position(&self::board(&text)), text);
    }

    #[test]
    fn moves_are_read_back_as_they_are_written_and_in_full(board in boards()) {
        let mut written = legal_moves(&board);
        for mv in board.legal_moves() {
            let text = Checkers::write_move(&board, mv).text;
            prop_assert_eq!(Checkers::read_move(&board, &text), Ok(mv));
            let squares: Vec<String> = mv.squares().iter().map(u8::to_string).collect();
            prop_assert_eq!(Checkers::read_move(&board, &squares.join("x")), Ok(mv));
            let sharing = board.legal_moves().filter(|other| {
                let (one, other) = (mv.squares(), other.squares());
                one[0] == other[0] && one.last() == other.last()
            });
            let length = if sharing.count() == 1 { 2 } else { squares.len() };
            prop_assert_eq!(text.split(['-', 'x']).count(), length);
        }
        let count = written.len();
        written.sort();
        written.dedup();
        prop_assert_eq!(written.len(), count, "every move has a name of its own");
    }

    #[test]
    fn nothing_that_is_read_panics(
        anything in any::<String>(),
        nearly in "[\"BWbw]?[:.,]?[BWK0-9,:. -]{0,40}",
        likely in "[BW]:W[0-9K,-]{0,12}:B[0-9K,-]{0,12}",
        mv in "[0-9]{0,3}([-x:][0-9]{0,3}){0,4}",
        board in boards(),
    ) {
        for text in [&anything, &nearly, &likely] {
            if let Ok(board) = Checkers.read_position(&PositionText::Text(text.clone())) {
                prop_assert_eq!(board.outcome().is_none(), board.legal_moves().count() > 0);
            }
        }
        for text in [&anything, &mv] {
            if let Ok(mv) = Checkers::read_move(&board, text) {
                prop_assert!(board.legal_moves().any(|legal| legal == mv));
            }
        }
    }
}
