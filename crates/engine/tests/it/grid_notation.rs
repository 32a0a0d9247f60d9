//! What the two grid games read, and how they refuse the rest.

use std::collections::HashSet;

use bestmove_engine::game::{Game, Notation, Outcome, Position, PositionText, Side};
use bestmove_engine::games::connect_four::ConnectFour;
use bestmove_engine::games::othello::Othello;
use bestmove_engine::games::tic_tac_toe::TicTacToe;
use proptest::prelude::*;
use proptest::sample::Index;

fn read<G: Game>(text: &str) -> Result<G::Position, String> {
    G::VARIANTS[0]
        .read_position(&PositionText::Text(text.to_owned()))
        .map_err(|error| error.to_string())
}

fn read_rows<G: Game>(rows: &[&[&str]]) -> Result<G::Position, String> {
    let cells = |row: &&[&str]| row.iter().map(|&cell| cell.to_owned()).collect();
    G::VARIANTS[0]
        .read_position(&PositionText::Rows(rows.iter().map(cells).collect()))
        .map_err(|error| error.to_string())
}

fn written<G: Game>(text: &str) -> String {
    G::write_position(&read::<G>(text).expect(text))
}

#[test]
fn tic_tac_toe_is_read_kindly() {
    let same =
        ["X...O....", "X---O----", "X__/_O_/___", "X...O.... X", "X../.O./...  X", " X...O.... "];
    for text in same {
        assert_eq!(written::<TicTacToe>(text), "X...O.... X", "{text}");
    }
    let rows: [&[&str]; 3] = [&["X", "", "."], &["", "O", ""], &["_", "-", ""]];
    let board = read_rows::<TicTacToe>(&rows).expect("rows");
    assert_eq!(TicTacToe::write_position(&board), "X...O.... X");
}

#[test]
fn signs_of_chat_programs_and_of_python_are_read() {
    let start = "......./......./......./......./...O.../...X... X";
    let empty = |sign: &str| vec![sign.repeat(7); 4].join("\n");
    for sign in ["⚪", "⚫", "⬜"] {
        let three = sign.repeat(3);
        let text = format!("{}\n{three}🟡{three}\n{three}🔴{three}", empty(sign));
        assert_eq!(written::<ConnectFour>(&text), start, "{text}");
    }
    let bars = format!(
        "{}| | | |O| | | |\n| | | |X| | | |\n+-------------+",
        "| | | | | | | |\n".repeat(4)
    );
    assert_eq!(written::<ConnectFour>(&bars), start);
    let words = "red,,,,,,\n,,,,,,\n".to_owned();
    assert!(read::<ConnectFour>(&words).is_err(), "two rows");
    for text in
        ["❌⭕⬜\n⬜❌⬜\n⬜⬜⭕", "[['X', 'O', None], [None, 'X', None], [None, None, 'O']]"]
    {
        assert_eq!(written::<TicTacToe>(text), "XO..X...O X", "{text}");
    }
    // Discs that could be pieces or empty cells.
    let unclear = format!("{}\n⬜⬜⬜⚫⬜⬜⬜\n⬜⬜⬜⚪⬜⬜⬜", empty("⬜"));
    assert!(read::<ConnectFour>(&unclear).is_err());
    assert!(read::<ConnectFour>(&unclear.replace('⬜', "⚪")).is_err());
}

#[test]
fn the_words_of_files_of_problems_are_left_out() {
    let start = "---------------------------OX------XO---------------------------";
    for text in [format!("{start} X;"), format!("{start} X % f5:+0; d6:+0"), format!("8 {start} *")]
    {
        assert_eq!(written::<Othello>(&text), start.replace('-', ".") + " X", "{text}");
    }
}

#[test]
fn the_side_to_move_follows_from_the_counts() {
    for (text, side) in [
        (".........", Side::First),
        ("......... O", Side::Second),
        ("X........", Side::Second),
        ("O........", Side::First),
        ("XO.......", Side::First),
        ("XO....... O", Side::Second),
        // In a finished game the loser is to move.
        ("XXXOO....", Side::Second),
        ("XX.OOO...", Side::First),
    ] {
        assert_eq!(read::<TicTacToe>(text).expect(text).side_to_move(), side, "{text}");
    }
    // Equal counts and X has won: O began.
    let board = read::<TicTacToe>("XXXOO.O..").expect("O began");
    assert_eq!((board.side_to_move(), board.outcome()), (Side::Second, Some(Outcome::Loss)));
}

#[test]
fn impossible_positions_of_tic_tac_toe_are_told_why() {
    for (text, words) in [
        ("X...O...", "cells: expected 9 but got 8"),
        ("X.../O.../...", "cells in row 1: expected 3 but got 4"),
        ("X..O", "cells: expected 9 but got 4"),
        ("X../...", "rows: expected 3 but got 2"),
        ("X...Z....", "row 2, column 2: expected X, O or . but got 'Z'"),
        ("X0X.0....", "both digits and other signs"),
        ("XXXXX.OO.", "5 X against 2 O"),
        ("X........ X", "O is to move, not X"),
        ("......... Y", "the side to move: expected X or O but got 'Y'"),
        ("......... X X", "unexpected 'X' after the side to move"),
        ("XXXOOO...", "both X and O have completed a line"),
        ("XXX.OO... X", "O is to move, not X"),
        ("XXXOO.O.. X", "X has completed a line, so X moved last"),
        ("XXXOO.OO.", "X has completed a line, so X moved last"),
        ("", "cells: expected 9 but got 0"),
    ] {
        let error = read::<TicTacToe>(text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn connect_four_is_read_as_rows_and_as_columns() {
    let rows = "......./......./...X.../...O.../...X.../...OX.. X";
    assert!(read::<ConnectFour>(rows).is_err(), "3 O began, so that X is to move with 3 X");
    let played = written::<ConnectFour>("44453");
    assert_eq!(played, "......./......./......./...X.../...O.../..XXO.. O");
    assert_eq!(written::<ConnectFour>(&played), played);
    assert_eq!(written::<ConnectFour>(""), "......./......./......./......./......./....... X");
}

#[test]
fn connect_four_is_read_in_colours() {
    let played = written::<ConnectFour>("44453");
    let rows = &played[..played.len() - 2];
    for [first, second, empty] in
        [["R", "Y", "."], ["r", "y", "-"], ["🔴", "🟡", "."], ["●", "○", "_"], ["R", "Y", "0"]]
    {
        let rows = rows.replace('X', first).replace('O', second).replace('.', empty);
        for text in [
            rows.clone(),
            rows.replace('/', ""),
            rows.replace('/', "\n"),
            rows.replace('/', "") + second,
            format!("{rows} {second}"),
            format!("{rows} yellow"),
            format!("{rows} Yellow to move"),
        ] {
            assert_eq!(written::<ConnectFour>(&text), played, "{text}");
        }
    }
    // One stone of a side whose opponent is not written with an O.
    let text = "0".repeat(38) + "R000";
    assert_eq!(written::<ConnectFour>(&text), "......./......./......./......./......./...X... O");
    for (text, words) in [
        ("......./......./......./......./......./..RO...", "or R, Y and ."),
        ("......./......./......./......./......./..RX...", "not written together"),
        ("......./......./......./......./......./..BW...", "expected X, O or . but got 'B'"),
    ] {
        let error = read::<ConnectFour>(text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn impossible_positions_of_connect_four_are_told_why() {
    for (text, words) in [
        ("8", "column 8 at ply 1: expected a column, 1 to 7"),
        ("4444444", "column 4 at ply 7: column 4 is full"),
        ("12121212", "the game is over after 7 of the columns played"),
        (
            "......./......./......./......./...X.../.......",
            "column 4: a stone lies above an empty cell",
        ),
        ("......./......./......./......./.......", "rows: expected 6 but got 5"),
        (
            "......./......./......./......./......./........",
            "cells in row 6: expected 7 but got 8",
        ),
        ("......./......./......./......./......./..XX..X", "3 red against 0 yellow"),
        (
            "......./......./......./......./OOOO.../XXXX...",
            "both red and yellow have completed a line",
        ),
        // Four in the first column and four in the last.
        ("......./......./X.....X/XO....X/XO...OX/XOO.OOX", "more than one line is completed"),
        // X began, and lies on the only stone of O.
        ("......./......./......./......./X....../O...... X", "no game leads to this position"),
        ("......./......./......./......./X....../O......", "no game leads to this position"),
        // Either way two stones of X are left at the end of two columns.
        ("......./......./......./O.....O/X.....X/X..O..X O", "no game leads to this position"),
    ] {
        let error = read::<ConnectFour>(text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
    }
}

/// All boards with these columns still to fill and so many stones of either side.
fn fillings(columns: &mut Vec<String>, stones: [usize; 2], sink: &mut dyn FnMut(&[String])) {
    if columns.len() == 7 {
        if stones == [0, 0] {
            sink(columns);
        }
        return;
    }
    columns.push(String::new());
    fillings(columns, stones, sink);
    let mut open = vec![(String::new(), stones)];
    while let Some((column, stones)) = open.pop() {
        for (side, letter) in ['X', 'O'].into_iter().enumerate() {
            if stones[side] > 0 && column.len() < 6 {
                let mut left = stones;
                left[side] -= 1;
                let column = format!("{column}{letter}");
                columns.last_mut().expect("a column").clone_from(&column);
                fillings(columns, left, sink);
                open.push((column, left));
            }
        }
    }
    columns.pop();
}

/// The board of these columns, each from the bottom.
fn rows_of(columns: &[String]) -> String {
    let cell = |column: &String, row| column.chars().nth(row).unwrap_or('.');
    let row = |row| columns.iter().map(|column| cell(column, row)).collect::<String>();
    (0..6).rev().map(row).collect::<Vec<_>>().join("/")
}

#[test]
fn a_position_of_connect_four_is_read_if_and_only_if_a_game_leads_to_it() {
    let start = "......./......./......./......./......./.......";
    let mut reached: HashSet<String> =
        ["X", "O"].map(|side| written::<ConnectFour>(&format!("{start} {side}"))).into();
    for plies in 1..=6 {
        let boards = reached.iter().map(|text| read::<ConnectFour>(text).expect(text));
        let ongoing = boards.filter(|board| board.outcome().is_none());
        let children = ongoing.flat_map(|board| board.legal_moves().map(move |mv| board.play(mv)));
        reached = children.map(|board| ConnectFour::write_position(&board)).collect();
        let more = plies - plies / 2;
        let mut read_ones = HashSet::new();
        for stones in [[more, plies / 2], [plies / 2, more]] {
            fillings(&mut Vec::new(), stones, &mut |columns| {
                for side in ["X", "O"] {
                    let text = format!("{} {side}", rows_of(columns));
                    read_ones.extend(read::<ConnectFour>(&text).is_ok().then_some(text));
                }
            });
        }
        assert!(read_ones == reached, "after {plies} plies");
    }
}

proptest! {
    #[test]
    fn whatever_a_game_of_connect_four_leads_to_is_read(
        side in prop_oneof![Just("X"), Just("O")],
        choices in prop::collection::vec(any::<Index>(), 0..=42),
    ) {
        let start = format!("......./......./......./......./......./....... {side}");
        let mut board = read::<ConnectFour>(&start).expect("the start");
        for choice in choices {
            let moves: Vec<_> = board.legal_moves().collect();
            if board.outcome().is_some() {
                break;
            }
            board = board.play(moves[choice.index(moves.len())]);
            let text = ConnectFour::write_position(&board);
            prop_assert_eq!(read::<ConnectFour>(&text), Ok(board));
        }
    }
}
