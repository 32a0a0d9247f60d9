//! Tic-tac-toe on larger boards, and the game whose lines lose.

use std::sync::{Arc, LazyLock};

use super::super::grid::{self, Grid};
use super::mnk_board::{COUNT, Mark, MnkBoard, RULES, Rules};
use super::{INFO, TicTacToeEvaluator, cell_or_blank, read_evaluator, ruled};
use crate::game::{
    Cells, Drawing, Ending, Game, GameInfo, MoveDrawing, MoveError, MoveText, Notation, Position,
    PositionError, PositionText, Sample, Side, Square, excerpt,
};

/// The game by the rules of a variant: the place of the rules.
#[derive(Clone, Copy, Debug)]
pub struct MnkTicTacToe(u8);

/// The words for a number of cells.
const NUMBERS: [&str; 3] = ["three", "four", "five"];
const REASONS: [&str; 3] = ["three in a row", "four in a row", "five in a row"];

impl Game for MnkTicTacToe {
    type Evaluator = TicTacToeEvaluator;
    type Knowledge = ();

    const VARIANTS: &'static [Self] = &{
        let mut variants = [Self(0); COUNT];
        let mut place = 0;
        while place < COUNT {
            variants[place] = Self(place as u8);
            place += 1;
        }
        variants
    };

    fn game_info(&self) -> &'static GameInfo {
        static ALL: LazyLock<Vec<GameInfo>> =
            LazyLock::new(|| RULES.iter().map(described).collect());
        &ALL[usize::from(self.0)]
    }

    fn start(&self) -> MnkBoard {
        MnkBoard::empty(self.0)
    }

    fn evaluator(name: &str, _: &Arc<()>) -> Option<TicTacToeEvaluator> {
        read_evaluator(name)
    }
}

impl Notation for MnkTicTacToe {
    type Position = MnkBoard;

    fn read_position(&self, text: &PositionText) -> Result<MnkBoard, PositionError> {
        let grid = self.grid(text)?;
        let width = self.rules().width as usize;
        let by_side = [Side::First, Side::Second].map(|side| {
            grid.cells(side).fold(0, |cells, (row, column)| {
                cells | self.rules().bit((row * width + column) as u8)
            })
        });
        let has_line = [Side::First, Side::Second]
            .map(|side| MnkBoard::from_cells(self.0, by_side, side.other()).line().is_some());
        let completer = grid.sole_winner(has_line)?;
        let side = grid.side_to_move(completer)?;
        let board = MnkBoard::from_cells(self.0, by_side, side);
        if completer.is_some() && !is_completed_by_last_mark(&board) {
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

    fn write_position(board: &MnkBoard) -> String {
        let rows = drawn(board, grid::letter);
        grid::joined(&rows, "/") + " " + grid::MARKS[board.side as usize]
    }

    fn read_move(board: &MnkBoard, text: &str) -> Result<Mark, MoveError> {
        let last = board.rules().width * board.rules().width - 1;
        let number = text.parse::<u8>().ok().filter(|&number| u32::from(number) <= last);
        // No sign and no zero before the number.
        let Some(mark) = number.filter(|number| number.to_string() == text).map(Mark) else {
            return Err(MoveError(format!("expected a cell, 0 to {last}")));
        };
        if board.legal_moves().any(|legal| legal == mark) {
            Ok(mark)
        } else {
            Err(MoveError(format!("cell {text} is taken", text = excerpt(text))))
        }
    }

    fn write_move(_: &MnkBoard, Mark(cell): Mark) -> MoveText {
        cell.to_string().into()
    }
}

impl Drawing for MnkTicTacToe {
    fn cells(board: &MnkBoard) -> Cells {
        drawn(board, grid::cell_name)
    }

    fn drawn_move(board: &MnkBoard, Mark(cell): Mark) -> MoveDrawing {
        let width = board.rules().width as u8;
        MoveDrawing::placing(Square { row: cell / width, column: cell % width })
    }

    fn passed(board: &MnkBoard) -> Option<MnkBoard> {
        Some(board.passed())
    }

    fn drawing(board: &MnkBoard) -> String {
        ruled(&drawn(board, cell_or_blank))
    }

    fn ending(board: &MnkBoard) -> Ending {
        let rules = board.rules();
        let width = rules.width as u8;
        match board.line() {
            Some(line) => Ending {
                reason: match board.side.other() {
                    _ if !rules.is_misere => REASONS[rules.length as usize - 3],
                    Side::First => "X made three in a row",
                    Side::Second => "O made three in a row",
                },
                line: grid::squares(width, width, |row, column| {
                    line & rules.bit(row * width + column) != 0
                }),
            },
            None => Ending { reason: "board full", line: Vec::new() },
        }
    }
}

impl MnkTicTacToe {
    fn rules(self) -> &'static Rules {
        &RULES[usize::from(self.0)]
    }

    /// The cells that a text shows.
    fn grid(self, text: &PositionText) -> Result<Grid, PositionError> {
        let width = self.rules().width as usize;
        Grid::read(text, self.game_info(), width, width)
    }
}

/// The rows of the board, with what `write` makes of each cell by whose mark it holds.
fn drawn(board: &MnkBoard, write: impl Fn(Option<Side>) -> &'static str) -> Cells {
    let width = board.rules().width as u8;
    grid::cells(width, width, |row, column| write(board.owner(row * width + column)))
}

/// Whether taking back one mark of the side that moved last undoes all its lines.
fn is_completed_by_last_mark(board: &MnkBoard) -> bool {
    let lines = board.rules().lines().iter().filter(|&&line| board.other & line == line);
    lines.fold(!0, |shared, line| shared & line) != 0
}

/// What the game by these rules says about itself. The texts are made once and kept.
fn described(rules: &Rules) -> GameInfo {
    let (width, cells) = (rules.width as usize, rules.width * rules.width);
    let (empty, number) = (".".repeat(width), NUMBERS[rules.length as usize - 3]);
    let start: &str = (vec![empty; width].join("/") + " X").leak();
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
        default_depth: (rules.width > 4).then_some(6),
        max_depth: cells,
        ..INFO
    }
}
