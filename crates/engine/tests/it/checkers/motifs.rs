//! The motifs of a move, against what the cells and the legal moves show.

use std::collections::BTreeMap;

use bestmove_engine::game::{Cells, Motif, PositionText, Square};
use bestmove_engine::games::any::AnyBoard;
use bestmove_engine::games::checkers::Checkers;

use crate::untyped;

fn position(text: &str) -> Box<dyn AnyBoard> {
    untyped(Checkers).board(Some(&PositionText::Text(text.to_owned())), &[]).expect(text)
}

fn kinds(text: &str, mv: &str) -> Vec<&'static str> {
    let position = position(text);
    assert!(position.legal_moves().iter().any(|legal| legal.mv.text == mv), "{text} {mv}");
    position.motifs(mv).iter().map(|motif| motif.kind).collect()
}

#[test]
fn a_man_breaks_through_where_nothing_can_stop_it() {
    assert_eq!(kinds("B:B14,1:W13,30", "14-18"), [""; 0], "a white man stands before it");
    assert_eq!(kinds("B:B14,1:W13,9", "14-18"), ["breakthrough"]);
    assert_eq!(kinds("B:B18,1:W13,9", "18-22"), [""; 0], "it was through before");
    assert_eq!(kinds("B:B14,1:W13,K9", "14-18"), [""; 0], "a king comes back");
    assert_eq!(kinds("W:W19,32:B20,24", "19-15"), ["breakthrough"]);
}

#[test]
fn a_king_is_trapped_where_it_has_no_move() {
    assert_eq!(kinds("B:B11,K12:WK4,20", "12-8"), ["trapped-king"]);
    assert_eq!(kinds("B:B3,K12:WK4,20", "12-8"), [""; 0], "it captures");
}

/// Whether no opposing piece stands beside a piece or before it, as the cells show it.
fn has_passed_all(cells: &Cells, at: Square, is_black: bool) -> bool {
    let rows = cells.iter().enumerate();
    let (from, to) = if is_black { (at.row, 7) } else { (0, at.row) };
    let ahead = rows.filter(|(row, _)| (from..=to).contains(&(*row as u8)));
    let opposing = if is_black { ["w", "W"] } else { ["b", "B"] };
    ahead.flat_map(|(_, row)| row).all(|name| !opposing.contains(name))
}

fn check(before: &dyn AnyBoard, after: &dyn AnyBoard, motif: &Motif) {
    let is_black = before.state().side_to_move == "black";
    let square = *motif.squares.first().expect("a square");
    let place = after.state().position;
    match motif.kind {
        "breakthrough" => assert!(has_passed_all(&after.cells(), square, is_black), "{place}"),
        "trapped-king" => {
            let moves = after.legal_moves();
            assert!(moves.iter().all(|mv| mv.drawing.path[0] != square), "{place}");
        }
        _ => {}
    }
}

#[test]
fn motifs_of_random_games_are_what_the_board_shows() {
    let mut seen = BTreeMap::new();
    let mut number = 1_u64;
    let mut below = |count: usize| {
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) as usize % count
    };
    for _ in 0..150 {
        let mut position = untyped(Checkers).board(None, &[]).expect("the start");
        for _ in 0..160 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            for mv in &legal {
                let after = position.after(&mv.mv.text, 0).expect("legal");
                for motif in position.motifs(&mv.mv.text) {
                    *seen.entry(motif.kind).or_insert(0) += 1;
                    check(&*position, &*after, &motif);
                }
            }
            position = position.after(&legal[below(legal.len())].mv.text, 0).expect("legal");
        }
    }
    let kinds = ["multiple-jump", "king-row", "breakthrough", "trapped-king"];
    assert!(kinds.iter().all(|kind| seen.contains_key(kind)), "{seen:?}");
}
