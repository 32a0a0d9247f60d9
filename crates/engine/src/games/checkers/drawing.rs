//! The board of checkers as drawn, Black at the top: square 1 at row 0 and column 1, square 32 at row
//! 7 and column 6.

use super::super::bits::Bits;
use super::board::{KING_ROWS, bit_of, square_at};
use super::{CheckersBoard, CheckersMove, fen};
use crate::game::{
    BoardStyle, Cells, MoveDrawing, Piece, Position, PositionError, Side, Square, Surface, excerpt,
};

/// Men by small letters, kings by capitals.
pub(super) const PIECES: [Piece; 4] = [
    Piece::new("b", Side::First, "⛂", "man"),
    Piece::new("B", Side::First, "⛃", "king"),
    Piece::new("w", Side::Second, "⛀", "man"),
    Piece::new("W", Side::Second, "⛁", "king"),
];

/// The board with its numbers.
pub(super) const BOARD: BoardStyle =
    BoardStyle { surface: Surface::Checkered, columns: &[], rows: &[], first_number: Some(1) };

/// Where a square is drawn, by its number.
pub(super) fn drawn(number: u8) -> Square {
    let (row, place) = ((number - 1) / 4, (number - 1) % 4);
    Square { row, column: 2 * place + u8::from(row.is_multiple_of(2)) }
}

/// The name of the piece on a square.
pub(super) fn name(board: &CheckersBoard, number: u8) -> &'static str {
    let bit = 1 << bit_of(number);
    let is_king = board.kings & bit != 0;
    match () {
        () if board.pieces(Side::First) & bit != 0 => PIECES[usize::from(is_king)].name,
        () if board.pieces(Side::Second) & bit != 0 => PIECES[2 + usize::from(is_king)].name,
        () => "",
    }
}

/// The rows of the board from Black's side.
pub(super) fn cells(board: &CheckersBoard) -> Cells {
    let mut cells = vec![vec![""; 8]; 8];
    for number in 1..=32 {
        let Square { row, column } = drawn(number);
        cells[usize::from(row)][usize::from(column)] = name(board, number);
    }
    cells
}

/// The position of these pieces.
pub(super) fn read(cells: &Cells, side: Side) -> Result<CheckersBoard, PositionError> {
    let mut lists = [Vec::new(), Vec::new()];
    for (row, names) in cells.iter().enumerate() {
        for (column, &name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            if (row + column).is_multiple_of(2) {
                return Err(PositionError(format!(
                    "row {}, column {}: '{name}' stands on a light square",
                    row + 1,
                    column + 1,
                    name = excerpt(name)
                )));
            }
            let is_king = name.bytes().all(|letter| letter.is_ascii_uppercase());
            let number = 4 * row + column / 2 + 1;
            let side = usize::from(name.eq_ignore_ascii_case("w"));
            lists[side].push(format!("{}{number}", if is_king { "K" } else { "" }));
        }
    }
    let letter = if side == Side::First { 'B' } else { 'W' };
    fen::read(&format!("{letter}:W{}:B{}", lists[1].join(","), lists[0].join(",")))
}

/// What a legal move does to the cells.
pub(super) fn drawn_move(board: &CheckersBoard, mv: CheckersMove) -> MoveDrawing {
    let was_king = board.kings >> mv.from & 1 != 0;
    let is_crowned = !was_king && KING_ROWS[board.side as usize] >> mv.to & 1 != 0;
    let king = PIECES[2 * board.side_to_move() as usize + 1].name;
    MoveDrawing {
        path: mv.squares().into_iter().map(drawn).collect(),
        captures: Bits(mv.captured()).map(|bit| drawn(square_at(bit))).collect(),
        promotion: is_crowned.then_some(king),
        ..MoveDrawing::default()
    }
}
