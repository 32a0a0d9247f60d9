//! Boards of Othello as programs print them.

use bestmove_engine::game::{Notation, PositionText};
use bestmove_engine::games::othello::Othello;

fn read(variant: Othello, text: &str) -> Result<String, String> {
    let board = variant.read_position(&PositionText::Text(text.to_owned()));
    board.map(|board| Othello::write_position(&board)).map_err(|error| error.to_string())
}

/// The position after f5 f6 e6, white to move.
const PLAYED: &str = "...........................OX......XXX......XO.................. O";

const EDAX: &str = "  A B C D E F G H
1 - - - - - - - - 1
2 - - - - - - - - 2 O to move
3 - - - . . . - - 3
4 - - . O * - - - 4 O: discs =  2    moves =  6
5 - - . * * * - - 5 *: discs =  5    moves =  8
6 - - . . * O - - 6  empties = 57      ply =  4
7 - - - - - . - - 7
8 - - - - - - - - 8
  A B C D E F G H
";

const ZEBRA: &str = "
         a b c d e f g h

      1                           Black
      2
      3                                    5 discs
      4        O *
      5        * * *              White
      6          * O
      7                    (O)             2 discs
      8
";

const NTEST: &str = "  A B C D E F G H
1 - - - - - - - - 1
2 - - - - - - - - 2
3 - - - - - - - - 3
4 - - - O * - - - 4
5 - - - * * * - - 5
6 - - - - * O - - 6
7 - - - - - - - - 7
8 - - - - - - - - 8
  A B C D E F G H
Black: 5  White: 2  Empty: 57
White to move
";

/// GTP's `showboard`, with what GNU Go shows beside the rows of other games.
const SHOWBOARD: &str = "   a b c d e f g h
1  . . . . . . . .  1
2  . . . . . . . .  2     Turn: White
3  . . . . . . . .  3
4  . . . O X . . .  4
5  . . . X X X . .  5
6  . . . . X O . .  6
7  . . . . . . . .  7     X: 5, O: 2
8  . . . . . . . .  8
   a b c d e f g h
";

const BARS: &str = "   a   b   c   d   e   f   g   h
 +---+---+---+---+---+---+---+---+
1|   |   |   |   |   |   |   |   | side to move: O
 +---+---+---+---+---+---+---+---+
2|   |   |   |   |   |   |   |   |
 +---+---+---+---+---+---+---+---+
3|   |   |   |   |   |   |   |   |
 +---+---+---+---+---+---+---+---+
4|   |   |   | O | X |   |   |   |
 +---+---+---+---+---+---+---+---+
5|   |   |   | X | X | X |   |   |
 +---+---+---+---+---+---+---+---+
6|   |   |   |   | X | O |   |   |
 +---+---+---+---+---+---+---+---+
7|   |   |   |   |   |   |   |   |
 +---+---+---+---+---+---+---+---+
8|   |   |   |   |   |   |   |   |
 +---+---+---+---+---+---+---+---+
";

/// Arrays of numbers as Python prints them, 1 for black and -1 or 2 for white.
const NUMPY: &str = "[[ 0  0  0  0  0  0  0  0]
 [ 0  0  0  0  0  0  0  0]
 [ 0  0  0  0  0  0  0  0]
 [ 0  0  0 -1  1  0  0  0]
 [ 0  0  0  1  1  1  0  0]
 [ 0  0  0  0  1 -1  0  0]
 [ 0  0  0  0  0  0  0  0]
 [ 0  0  0  0  0  0  0  0]]";

/// Numbers from one list of cells, or one of rows.
fn lists() -> [String; 3] {
    let number = |cell: char| match cell {
        'X' => "1",
        'O' => "2",
        _ => "0",
    };
    let numbers: Vec<_> = PLAYED[..64].chars().map(number).collect();
    let rows = |between: &str, quote: &str| {
        let row = |row: &[&str]| {
            let cells: Vec<_> = row.iter().map(|cell| format!("{quote}{cell}{quote}")).collect();
            format!("[{}]", cells.join(between))
        };
        format!("[{}]", numbers.chunks(8).map(row).collect::<Vec<_>>().join(between))
    };
    [format!("[{}]", numbers.join(", ")), rows(",", ""), rows(", ", "'")]
}

#[test]
fn diagrams_are_read_as_programs_print_them() {
    for text in [EDAX, ZEBRA, NTEST, SHOWBOARD, BARS, NUMPY] {
        assert_eq!(read(Othello::Standard, text), Ok(PLAYED.to_owned()), "{text}");
    }
    for text in lists() {
        assert_eq!(read(Othello::Standard, &text), Ok(PLAYED.to_owned()), "{text}");
    }
}

#[test]
fn a_diagram_with_text_beside_it_is_read_on_a_small_board() {
    let text = "  a b c d
1 . . . .   score: 0
2 . O X .
3 . X O .   black to move
4 . . . .
";
    assert_eq!(read(Othello::Four, text), Ok("..../.OX./.XO./.... X".to_owned()));
}

#[test]
fn a_diagram_that_could_mean_several_things_is_refused() {
    let with = |from: &str, to: &str| EDAX.replace(from, to);
    for (text, why) in [
        (with("empties = 57", "* to move"), "two sides to move"),
        (with("4 - - .", "5 - - ."), "a row with the number of another"),
        (with("4 - - . O", "4 - - .xO"), "signs between the cells"),
        (with("3 - - - . . . - -", "3 - - - . . . - -."), "more cells than names"),
        (with("8 - - - - - - - - 8\n", ""), "a row is missing"),
        (NUMPY.replace(" -1  1 ", " -1 "), "a number is missing"),
    ] {
        assert!(read(Othello::Standard, &text).is_err(), "{why}: {text}");
    }
}
