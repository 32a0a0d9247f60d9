//! Tic-tac-toe: the example to copy for a new game.
//!
//! Cells are numbered row by row from the top left; a set of cells is nine bits:
//!
//! ```text
//! 0 1 2
//! 3 4 5
//! 6 7 8
//! ```

use std::sync::Arc;

use super::grid::{self, Grid};
use super::levels;
use crate::game::{
    BoardStyle, Cells, Ending, Evaluator, Game, GameInfo, Move, MoveDrawing, MoveError, Outcome,
    Piece, Position, PositionError, PositionText, Sample, SelectiveHooks, Side, SolverHooks,
    Square, Surface, Symmetry,
};

/// The eight lines of three cells.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

/// Whether a set of cells holds a line, for all 512 sets, one bit each.
const HOLDS_LINE: [u64; 8] = {
    let mut holds = [0; 8];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            if cells & LINES[line] == LINES[line] {
                holds[(cells >> 6) as usize] |= 1 << (cells & 63);
            }
            line += 1;
        }
        cells += 1;
    }
    holds
};

fn holds_line(cells: u16) -> bool {
    HOLDS_LINE[usize::from(cells >> 6 & 7)] >> (cells & 63) & 1 != 0
}

/// A cell, from 0 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell(u8);

impl Move for Cell {
    const INDICES: u16 = 9;

    fn move_index(self) -> u16 {
        u16::from(self.0)
    }
}

/// The cells in a set, in ascending order.
#[derive(Clone, Debug)]
pub struct CellSet(u16);

impl Iterator for CellSet {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (cell < 9).then_some(Cell(cell as u8))
    }
}

/// The cells of both sides and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The cells of the side to move and of its opponent.
    own: u16,
    other: u16,
    side: Side,
}

impl Board {
    fn empty_cells(self) -> u16 {
        FULL & !(self.own | self.other)
    }

    /// Whose mark stands in a cell.
    fn cell(self, cell: u8) -> Option<Side> {
        match (self.own >> cell & 1, self.other >> cell & 1) {
            (1, _) => Some(self.side),
            (_, 1) => Some(self.side.other()),
            _ => None,
        }
    }
}

impl Position for Board {
    type Move = Cell;
    type Moves = CellSet;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        if holds_line(self.other) {
            Some(Outcome::Loss)
        } else {
            (self.empty_cells() == 0).then_some(Outcome::Draw)
        }
    }

    fn legal_moves(&self) -> CellSet {
        CellSet(self.empty_cells())
    }

    fn play(&self, cell: Cell) -> Self {
        Self { own: self.other, other: self.own | 1 << cell.0, side: self.side.other() }
    }

    fn key(&self) -> u64 {
        u64::from(self.own) << 10 | u64::from(self.other) << 1 | self.side as u64
    }

    fn canonical(&self) -> (u64, Symmetry) {
        let folded = |symmetry: u8| {
            let turn = |cells: u16| u64::from(TURNED[usize::from(symmetry)][usize::from(cells)]);
            (turn(self.own) << 10 | turn(self.other) << 1 | self.side as u64, Symmetry(symmetry))
        };
        (1..8).map(folded).fold(folded(0), |best, next| if next.0 < best.0 { next } else { best })
    }

    fn transformed(cell: Cell, symmetry: Symmetry) -> Cell {
        Cell(turned_cell(cell.0, symmetry.0))
    }

    fn plies_left(&self) -> Option<u32> {
        Some(self.empty_cells().count_ones())
    }
}

/// Where a cell goes under one of the eight symmetries of the square: mirrored left to right if
/// bit 0 is set, top to bottom if bit 1 is, at the diagonal if bit 2 is.
const fn turned_cell(cell: u8, symmetry: u8) -> u8 {
    let (mut row, mut column) = (cell / 3, cell % 3);
    if symmetry & 1 != 0 {
        column = 2 - column;
    }
    if symmetry & 2 != 0 {
        row = 2 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * 3 + column
}

/// Every set of cells under every symmetry.
static TURNED: [[u16; 512]; 8] = {
    let mut turned = [[0; 512]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut cells = 0;
        while cells < 512 {
            let mut cell = 0;
            while cell < 9 {
                if cells >> cell & 1 != 0 {
                    turned[symmetry][cells] |= 1 << turned_cell(cell, symmetry as u8);
                }
                cell += 1;
            }
            cells += 1;
        }
        symmetry += 1;
    }
    turned
};

/// The evaluators of tic-tac-toe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// Three times the lines that hold two own marks and nothing else, plus those that hold one,
    /// less the opponent's: 'weighted lines'.
    Lines,
    /// The lines in which three can still be completed, less the opponent's: 'open lines'.
    OpenLines,
    /// None: only finished games count.
    Outcome,
}

impl Evaluator<Board> for EvaluatorKind {
    fn score(&self, board: &Board) -> i32 {
        match self {
            Self::Lines => weighted_lines(board.own, board.other),
            Self::OpenLines => open_lines(board.other) - open_lines(board.own),
            Self::Outcome => 0,
        }
    }

    fn half_value(&self) -> i32 {
        4
    }
}

impl SelectiveHooks<Board> for EvaluatorKind {}

impl SolverHooks<Board> for EvaluatorKind {}

/// The lines that are free of these cells.
fn open_lines(cells: u16) -> i32 {
    LINES.iter().filter(|&&line| line & cells == 0).count() as i32
}

fn weighted_lines(own: u16, other: u16) -> i32 {
    const WEIGHTS: [i32; 4] = [0, 1, 3, 0];
    let weight = |line: &u16| match ((line & own).count_ones(), (line & other).count_ones()) {
        (marks, 0) => WEIGHTS[marks as usize],
        (0, marks) => -WEIGHTS[marks as usize],
        _ => 0,
    };
    LINES.iter().map(weight).sum()
}

const PIECES: [Piece; 2] = grid::pieces(["✕", "○"]);

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

impl Game for TicTacToe {
    type Position = Board;
    type Evaluator = EvaluatorKind;
    type Knowledge = ();

    const INFO: GameInfo = GameInfo {
        name: "tic-tac-toe",
        title: "Tic-tac-toe",
        sides: grid::SIDES,
        pieces: &PIECES,
        board: BoardStyle {
            surface: Surface::Lines,
            columns: &[],
            rows: &[],
            first_number: Some(0),
        },
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
        default_depth: None,
        max_depth: 9,
        levels: &levels::TIC_TAC_TOE,
    };

    fn start() -> Board {
        Board { own: 0, other: 0, side: Side::First }
    }

    fn read_position(text: &PositionText) -> Result<Board, PositionError> {
        let grid = Grid::read(text, 3, 3)?;
        let cells = |side| grid.bitboard(side, |row, column| (row * 3 + column) as u32) as u16;
        let by_side = [cells(Side::First), cells(Side::Second)];
        let winner = grid::sole_winner(holds_line(by_side[0]), holds_line(by_side[1]))?;
        let side = grid.side_to_move(winner)?;
        let (own, other) = (by_side[side as usize], by_side[side.other() as usize]);
        Ok(Board { own, other, side })
    }

    fn write_position(board: &Board) -> String {
        let mut text = String::with_capacity(11);
        text.extend((0..9).map(|cell| grid::letter(board.cell(cell))));
        text + " " + grid::SIDES[board.side as usize]
    }

    fn read_move(board: &Board, text: &str) -> Result<Cell, MoveError> {
        let cell = match text.as_bytes() {
            [digit @ b'0'..=b'8'] => Cell(digit - b'0'),
            _ => return Err(MoveError("expected a cell, 0 to 8".to_owned())),
        };
        if board.legal_moves().any(|legal| legal == cell) {
            Ok(cell)
        } else {
            Err(MoveError(format!("cell {text} is taken")))
        }
    }

    fn write_move(_: &Board, cell: Cell) -> String {
        cell.0.to_string()
    }

    fn evaluator(name: &str, _: &Arc<()>) -> Option<EvaluatorKind> {
        match name {
            "lines" => Some(EvaluatorKind::Lines),
            "open-lines" => Some(EvaluatorKind::OpenLines),
            "outcome" => Some(EvaluatorKind::Outcome),
            _ => None,
        }
    }

    fn cells(board: &Board) -> Cells {
        let cell = |row: u8, column: u8| grid::cell_name(board.cell(row * 3 + column));
        (0..3).map(|row| (0..3).map(|column| cell(row, column)).collect()).collect()
    }

    fn drawn_move(_: &Board, Cell(cell): Cell) -> MoveDrawing {
        MoveDrawing::placing(Square { row: cell / 3, column: cell % 3 })
    }

    /// As Kopec prints it: rows of cells joined by `|`, with a line between them.
    fn drawing(board: &Board) -> String {
        let row = |row: u8| {
            let cells = (0..3).map(|column| match board.cell(row * 3 + column) {
                None => " ",
                Some(side) => grid::SIDES[side as usize],
            });
            cells.collect::<Vec<_>>().join("|") + "\n"
        };
        [0, 1, 2].map(row).join("-----\n")
    }

    fn ending(board: &Board) -> Ending {
        match LINES.iter().find(|&&line| board.other & line == line) {
            Some(&line) => Ending {
                reason: "three in a row",
                line: grid::squares(3, 3, |row, column| line >> (row * 3 + column) & 1 != 0),
            },
            None => Ending { reason: "board full", line: Vec::new() },
        }
    }
}
