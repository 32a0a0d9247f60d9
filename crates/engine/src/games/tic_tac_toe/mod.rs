//! Tic-tac-toe: the example to copy for a new game; and its variants on larger boards, and with lines that lose.

mod board;
mod evaluation;

use std::sync::{Arc, LazyLock};

pub use self::board::{Mark, Marks, TicTacToeBoard};
use self::board::{RULES, Rules};
pub use self::evaluation::TicTacToeEvaluator;
use super::grid::{self, Grid};
use super::levels;
use crate::game::{
    BoardStyle, Cells, Drawing, Ending, Game, GameInfo, MoveDrawing, MoveError, MoveText, Notation,
    Piece, Position, PositionError, PositionText, Sample, Side, Square, Surface, excerpt,
};

const PIECES: [Piece; 2] = grid::pieces([("✕", "X"), ("○", "O")]);

/// What the standard game says about itself.
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

/// The words for a number of cells, and the reasons of an end by so many in a row.
const NUMBERS: [&str; 3] = ["three", "four", "five"];
const REASONS: [&str; 3] = ["three in a row", "four in a row", "five in a row"];

/// What the game by these rules says about itself. The texts are made once and kept.
fn described(rules: &Rules) -> GameInfo {
    let (width, number) = (usize::from(rules.width), NUMBERS[usize::from(rules.length) - 3]);
    let cells = width * width;
    let start: &str = (vec![".".repeat(width); width].join("/") + " X").leak();
    let after = format!("X{} O", start[1..].trim_end_matches(" X")).leak();
    let result = if rules.is_misere { "loses" } else { "wins" };
    GameInfo {
        variant: rules.name,
        other_variant_names: if rules.is_misere { &["misère"] } else { &[] },
        description: format!(
            "{width} rows of {width} cells; who has {number} in a row {result}{}",
            if rules.is_misere { ", and the evaluations count the other way round" } else { "" }
        )
        .leak(),
        start,
        positions: Sample {
            notation: format!(
                "{width} rows from the top, separated by /, or {cells} cells in one run, of X, O or . (also - or _), then \
                 optionally a space and the side to move"
            )
            .leak(),
            examples: vec![start, after].leak(),
        },
        moves: Sample {
            notation: format!("the cell, 0 to {}, row by row from the top left", cells - 1).leak(),
            examples: &["5", "0"],
        },
        default_depth: (width > 4).then_some(6),
        max_depth: cells as u32,
        ..INFO
    }
}

/// The game by the rules of a variant: the place of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe(u8);

impl TicTacToe {
    /// The standard variant.
    pub const STANDARD: Self = Self(0);

    fn rules(self) -> &'static Rules {
        &RULES[usize::from(self.0)]
    }

    /// The cells that a text shows.
    fn grid(self, text: &PositionText) -> Result<Grid, PositionError> {
        let width = self.rules().width.into();
        Grid::read(text, self.game_info(), width, width)
    }
}

impl Game for TicTacToe {
    type Evaluator = TicTacToeEvaluator;
    type Knowledge = ();

    const VARIANTS: &'static [Self] =
        &[Self::STANDARD, Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    fn game_info(&self) -> &'static GameInfo {
        static OTHERS: LazyLock<Vec<GameInfo>> =
            LazyLock::new(|| RULES[1..].iter().map(described).collect());
        match self.0.checked_sub(1) {
            None => &INFO,
            Some(place) => &OTHERS[usize::from(place)],
        }
    }

    fn start(&self) -> TicTacToeBoard {
        TicTacToeBoard::new(*self, [0; 2], Side::First)
    }

    fn evaluator(name: &str, _: &Arc<()>) -> Option<TicTacToeEvaluator> {
        match name {
            "lines" => Some(TicTacToeEvaluator::Lines),
            "open-lines" => Some(TicTacToeEvaluator::OpenLines),
            "outcome" => Some(TicTacToeEvaluator::Outcome),
            _ => None,
        }
    }
}

impl Notation for TicTacToe {
    type Position = TicTacToeBoard;

    fn read_position(&self, text: &PositionText) -> Result<TicTacToeBoard, PositionError> {
        let grid = self.grid(text)?;
        let by_side = Side::BOTH.map(|side| grid.squares(side, self.rules().width.into()));
        let completer = grid.sole_winner(by_side.map(|cells| self.rules().holds_line(cells)))?;
        let board = TicTacToeBoard::new(*self, by_side, grid.side_to_move(completer)?);
        if board.completed_lines().fold(!0, |shared, line| shared & line) == 0 {
            return Err(PositionError(
                "more than one line is completed, and no single last mark completes them all"
                    .to_owned(),
            ));
        }
        Ok(board)
    }

    fn read_diagram(&self, text: &PositionText) -> Option<Result<Cells, PositionError>> {
        Some(self.grid(text).map(|grid| grid.rows()))
    }

    fn write_position(board: &TicTacToeBoard) -> String {
        // Larger boards are written with separators between rows.
        let between = if board.variant == Self::STANDARD { "" } else { "/" };
        grid::joined(Self::cells(board), between) + " " + grid::MARKS[board.side as usize]
    }

    fn read_move(board: &TicTacToeBoard, text: &str) -> Result<Mark, MoveError> {
        let width = board.rules().width;
        let last = width * width - 1;
        let number = text.parse::<u8>().ok().filter(|&number| number <= last);
        // No sign and no zero before the number.
        let Some(number) = number.filter(|number| number.to_string() == text) else {
            return Err(MoveError(format!("expected a cell, 0 to {last}")));
        };
        if board.legal_moves().any(|legal| legal == Mark(number)) {
            Ok(Mark(number))
        } else {
            Err(MoveError(format!("cell {text} is taken", text = excerpt(text))))
        }
    }

    fn write_move(_: &TicTacToeBoard, Mark(cell): Mark) -> MoveText {
        cell.to_string().into()
    }
}

impl Drawing for TicTacToe {
    fn cells(board: &TicTacToeBoard) -> Cells {
        let width = board.rules().width;
        grid::cells(width, width, |row, column| board.owner(row * width + column))
    }

    fn drawn_move(board: &TicTacToeBoard, Mark(cell): Mark) -> MoveDrawing {
        let width = board.rules().width;
        MoveDrawing::placing(Square { row: cell / width, column: cell % width })
    }

    fn passed(board: &TicTacToeBoard) -> Option<TicTacToeBoard> {
        Some(board.passed())
    }

    /// The board as Kopec prints it: rows of cells joined by `|`, with a line between them.
    fn drawing(board: &TicTacToeBoard) -> String {
        let rows = grid::with_empty(Self::cells(board), " ");
        let rows: Vec<_> = rows.iter().map(|row| row.join("|") + "\n").collect();
        rows.join(&("-".repeat(2 * rows.len() - 1) + "\n"))
    }

    fn ending(board: &TicTacToeBoard) -> Ending {
        let Rules { width, length, is_misere, .. } = *board.rules();
        match board.completed_lines().next() {
            Some(line) => Ending {
                reason: match board.side.other() {
                    _ if !is_misere => REASONS[usize::from(length) - 3],
                    Side::First => "X made three in a row",
                    Side::Second => "O made three in a row",
                },
                line: grid::squares(width, width, |row, column| {
                    line >> (row * width + column) & 1 != 0
                }),
            },
            None => Ending { reason: "board full", line: Vec::new() },
        }
    }
}
