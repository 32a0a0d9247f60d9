//! Tic-tac-toe: the example to copy for a new game.
//!
//! Cells are numbered row by row from the top left; a set of cells is nine bits:
//!
//! ```text
//! 0 1 2
//! 3 4 5
//! 6 7 8
//! ```

mod board;
mod evaluation;
mod mnk;
mod mnk_board;

use std::sync::Arc;

pub use self::board::{Cell, CellSet, TicTacToeBoard};
use self::board::{LINES, holds_line};
pub use self::evaluation::TicTacToeEvaluator;
pub use self::mnk::MnkTicTacToe;
pub use self::mnk_board::{Mark, Marks, MnkBoard};
use super::grid::{self, Grid};
use super::levels;
use crate::game::{
    BoardStyle, Cells, Drawing, Ending, Game, GameInfo, MoveDrawing, MoveError, MoveText, Notation,
    Piece, Position, PositionError, PositionText, Sample, Side, Square, Surface, excerpt,
};

const PIECES: [Piece; 2] = grid::pieces([("✕", "X"), ("○", "O")]);

/// What the game says about itself.
static INFO: GameInfo = GameInfo {
    name: "tic-tac-toe",
    other_names: &["ttt", "noughts and crosses"],
    variant: "3x3x3",
    other_variant_names: &["3x3", "standard"],
    description: "three rows of three cells; three in a row win",
    title: "Tic-tac-toe",
    sides: grid::MARKS,
    pieces: &PIECES,
    board: BoardStyle { surface: Surface::Lines, columns: &[], rows: &[], first_number: Some(0) },
    start: "......... X",
    positions: Sample {
        notation: "nine cells, row by row from the top left, X, O or . (also - or _, and / \
                   between rows), then optionally a space and the side to move",
        examples: &["......... X", "X...O....", "X../.O./..."],
    },
    moves: Sample {
        notation: "the cell, 0 to 8, row by row from the top left",
        examples: &["4", "0"],
    },
    uci: false,
    rows: true,
    evaluators: &[
        ("lines", "lines with two own marks and no other count 3, with one 1; less theirs"),
        ("open-lines", "lines in which three can still be completed, less theirs"),
        ("outcome", "only finished games count"),
    ],
    score_unit: None,
    default_depth: None,
    max_depth: 9,
    levels: &levels::TIC_TAC_TOE,
    motifs: &[],
    move_count_claim: None,
    network: None,
    table_pieces: 0,
};

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

impl Game for TicTacToe {
    type Evaluator = TicTacToeEvaluator;
    type Knowledge = ();

    const VARIANTS: &'static [Self] = &[Self];

    fn game_info(&self) -> &'static GameInfo {
        &INFO
    }

    fn start(&self) -> TicTacToeBoard {
        TicTacToeBoard { own: 0, other: 0, side: Side::First }
    }

    fn evaluator(name: &str, _: &Arc<()>) -> Option<TicTacToeEvaluator> {
        read_evaluator(name)
    }
}

impl Notation for TicTacToe {
    type Position = TicTacToeBoard;

    fn read_position(&self, text: &PositionText) -> Result<TicTacToeBoard, PositionError> {
        let grid = Grid::read(text, &INFO, 3, 3)?;
        let by_side = [Side::First, Side::Second].map(|side| {
            grid.cells(side).fold(0, |cells, (row, column)| cells | 1 << (row * 3 + column))
        });
        let winner = grid.sole_winner(by_side.map(holds_line))?;
        let side = grid.side_to_move(winner)?;
        let (own, other) = (by_side[side as usize], by_side[side.other() as usize]);
        Ok(TicTacToeBoard { own, other, side })
    }

    fn read_diagram(&self, text: &PositionText) -> Option<Result<Cells, PositionError>> {
        Some(Grid::read(text, &INFO, 3, 3).map(|grid| grid.rows()))
    }

    fn write_position(board: &TicTacToeBoard) -> String {
        let rows = drawn(*board, grid::letter);
        grid::joined(&rows, "") + " " + grid::MARKS[board.side as usize]
    }

    fn read_move(board: &TicTacToeBoard, text: &str) -> Result<Cell, MoveError> {
        let cell = match text.as_bytes() {
            [digit @ b'0'..=b'8'] => Cell(digit - b'0'),
            _ => return Err(MoveError("expected a cell, 0 to 8".to_owned())),
        };
        if board.legal_moves().any(|legal| legal == cell) {
            Ok(cell)
        } else {
            Err(MoveError(format!("cell {text} is taken", text = excerpt(text))))
        }
    }

    fn write_move(_: &TicTacToeBoard, cell: Cell) -> MoveText {
        cell.0.to_string().into()
    }
}

impl Drawing for TicTacToe {
    fn cells(board: &TicTacToeBoard) -> Cells {
        drawn(*board, grid::cell_name)
    }

    fn drawn_move(_: &TicTacToeBoard, Cell(cell): Cell) -> MoveDrawing {
        MoveDrawing::placing(Square { row: cell / 3, column: cell % 3 })
    }

    fn passed(board: &TicTacToeBoard) -> Option<TicTacToeBoard> {
        Some(board.passed())
    }

    fn drawing(board: &TicTacToeBoard) -> String {
        ruled(&drawn(*board, cell_or_blank))
    }

    fn ending(board: &TicTacToeBoard) -> Ending {
        match LINES.iter().find(|&&line| board.other & line == line) {
            Some(&line) => Ending {
                reason: "three in a row",
                line: grid::squares(3, 3, |row, column| line >> (row * 3 + column) & 1 != 0),
            },
            None => Ending { reason: "board full", line: Vec::new() },
        }
    }
}

/// The rows of the board, with what `write` makes of each cell by whose mark it holds.
fn drawn(board: TicTacToeBoard, write: impl Fn(Option<Side>) -> &'static str) -> Cells {
    grid::cells(3, 3, |row, column| write(board.cell(row * 3 + column)))
}

fn cell_or_blank(cell: Option<Side>) -> &'static str {
    cell.map_or(" ", |side| grid::MARKS[side as usize])
}

/// A drawing as Kopec prints it: rows of cells joined by `|`, with a line between them.
fn ruled(rows: &Cells) -> String {
    let rows: Vec<_> = rows.iter().map(|row| row.join("|") + "\n").collect();
    let rule = "-".repeat(2 * rows.len() - 1) + "\n";
    rows.join(&rule)
}

fn read_evaluator(name: &str) -> Option<TicTacToeEvaluator> {
    match name {
        "lines" => Some(TicTacToeEvaluator::Lines),
        "open-lines" => Some(TicTacToeEvaluator::OpenLines),
        "outcome" => Some(TicTacToeEvaluator::Outcome),
        _ => None,
    }
}
