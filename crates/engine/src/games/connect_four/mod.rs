//! Connect Four on seven columns and six rows.

mod board;
mod book;
mod evaluation;
mod expansion;
mod parity;
mod reachability;
mod threats;

use std::io;
use std::sync::Arc;

use self::board::{COLUMNS, DIRECTIONS, ROWS, STRIDE, cell, fours, holds_four};
pub use self::board::{Column, Columns, ConnectFourBoard};
pub use self::evaluation::ConnectFourEvaluator;
use self::evaluation::ConnectFourEvaluatorKind;
use self::reachability::is_reachable;
use super::book::Book;
use super::grid::{self, Grid};
use super::levels;
use crate::game::{
    BoardStyle, Cells, Ending, Game, GameInfo, MoveDrawing, MoveError, Piece, Position,
    PositionError, PositionText, Sample, Side, Square, Surface,
};

const PIECES: [Piece; 2] = grid::pieces([("🔴", "red disc"), ("🟡", "yellow disc")]);

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour;

impl Game for ConnectFour {
    type Position = ConnectFourBoard;
    type Evaluator = ConnectFourEvaluator;
    type Knowledge = Book;

    const INFO: GameInfo = GameInfo {
        name: "connect-four",
        title: "Connect Four",
        sides: grid::SIDES,
        pieces: &PIECES,
        board: BoardStyle {
            surface: Surface::Holes,
            columns: &["1", "2", "3", "4", "5", "6", "7"],
            rows: &[],
            first_number: None,
        },
        start: "......./......./......./......./......./....... X",
        positions: Sample {
            notation: "six rows from the top, separated by /, of X, O or . (also - or _), then \
                       optionally a space and the side to move; or the columns played so far as \
                       digits, the empty string being the start",
            examples: &["......./......./......./......./...O.../...X... X", "44453", ""],
        },
        moves: Sample { notation: "the column, 1 to 7 from the left", examples: &["4", "1"] },
        uci: false,
        rows: true,
        evaluators: &[
            (
                "threats",
                "empty cells that would complete a four count 20, and 40 more in the rows that \
                 the end of the game gives to their owner; segments with two own stones and no \
                 other 10; less theirs",
            ),
            (
                "segments",
                "segments of four cells with three own stones and no other count 100, with two \
                 1; less theirs",
            ),
            ("outcome", "only finished games count"),
        ],
        default_depth: None,
        max_depth: 42,
        levels: &levels::CONNECT_FOUR,
    };

    fn start() -> ConnectFourBoard {
        ConnectFourBoard::EMPTY
    }

    fn read_position(text: &PositionText) -> Result<ConnectFourBoard, PositionError> {
        let played = match text {
            PositionText::Text(text) => Self::read_played(text),
            _ => None,
        };
        match played {
            Some(played) => {
                Ok(played?.into_iter().fold(ConnectFourBoard::EMPTY, |board, mv| board.play(mv)))
            }
            None => read_grid(&Grid::read(text, ROWS as usize, COLUMNS as usize)?),
        }
    }

    fn read_diagram(text: &PositionText) -> Option<Result<Cells, PositionError>> {
        let played = match text {
            PositionText::Text(text) => Self::read_played(text).and_then(Result::err),
            _ => None,
        };
        let grid = Grid::read(text, ROWS as usize, COLUMNS as usize);
        Some(grid.map(|grid| grid.rows()).map_err(|error| played.unwrap_or(error)))
    }

    fn read_played(text: &str) -> Option<Result<Vec<Column>, PositionError>> {
        // No column is 0: digits with zeros are cells.
        let is_column = |byte: u8| byte.is_ascii_digit() && byte != b'0';
        text.bytes().all(is_column).then(|| read_columns(text))
    }

    fn write_position(board: &ConnectFourBoard) -> String {
        let rows = rows(board).map(String::from_iter).join("/");
        format!("{rows} {}", grid::SIDES[board.side_to_move() as usize])
    }

    fn read_move(board: &ConnectFourBoard, text: &str) -> Result<Column, MoveError> {
        let column = match text.as_bytes() {
            [digit @ b'1'..=b'7'] => Column(digit - b'1'),
            _ => return Err(MoveError("expected a column, 1 to 7".to_owned())),
        };
        if board.legal_moves().any(|legal| legal == column) {
            Ok(column)
        } else {
            Err(MoveError(format!("column {text} is full")))
        }
    }

    fn write_move(_: &ConnectFourBoard, column: Column) -> String {
        (column.0 + 1).to_string()
    }

    fn evaluator(name: &str, book: &Arc<Book>) -> Option<ConnectFourEvaluator> {
        let kind = match name {
            "segments" => ConnectFourEvaluatorKind::Segments,
            "threats" => ConnectFourEvaluatorKind::Threats,
            "outcome" => ConnectFourEvaluatorKind::Outcome,
            _ => return None,
        };
        Some(ConnectFourEvaluator { kind, book: Arc::clone(book) })
    }

    fn cells(board: &ConnectFourBoard) -> Cells {
        let cell = |row, column| grid::cell_name(owner(board, row, column));
        (0..ROWS).map(|row| (0..COLUMNS).map(|column| cell(row, column)).collect()).collect()
    }

    /// The path is where the disc lands.
    fn drawn_move(board: &ConnectFourBoard, column: Column) -> MoveDrawing {
        let bit = board.landing_cell(column).trailing_zeros();
        MoveDrawing::placing(Square { row: (ROWS - 1 - bit % STRIDE) as u8, column: column.0 })
    }

    fn passed(board: &ConnectFourBoard) -> Option<ConnectFourBoard> {
        Some(board.passed())
    }

    fn drawing(board: &ConnectFourBoard) -> String {
        let spaced = |row: [char; 7]| row.map(String::from).join(" ") + "\n";
        rows(board).map(spaced).concat() + "1 2 3 4 5 6 7\n"
    }

    fn load_knowledge() -> io::Result<Book> {
        book::read()
    }

    fn ending(board: &ConnectFourBoard) -> Ending {
        let line = line_cells(board.other());
        let reason = if line.is_empty() { "board full" } else { "four in a row" };
        Ending { reason, line }
    }
}

/// The rows of the board from the top.
fn rows(board: &ConnectFourBoard) -> [[char; 7]; 6] {
    let letter = |row, column| grid::letter(owner(board, row as u32, column as u32));
    std::array::from_fn(|row| std::array::from_fn(|column| letter(row, column)))
}

/// Whose stone lies in a cell, the row counted from the top.
fn owner(board: &ConnectFourBoard, row: u32, column: u32) -> Option<Side> {
    let [x, o] = board.by_side();
    match cell(column, ROWS - 1 - row) {
        bit if x & bit != 0 => Some(Side::First),
        bit if o & bit != 0 => Some(Side::Second),
        _ => None,
    }
}

/// The cells of all completed lines.
fn line_cells(stones: u64) -> Vec<Square> {
    let line = DIRECTIONS.iter().fold(0, |cells, &direction| {
        let first = fours(stones, direction);
        (0..4).fold(cells, |cells, step| cells | first << (step * direction))
    });
    let is_member =
        |row: u8, column: u8| line & cell(u32::from(column), ROWS - 1 - u32::from(row)) != 0;
    grid::squares(ROWS as u8, COLUMNS as u8, is_member)
}

/// Columns played from the empty board.
fn read_columns(text: &str) -> Result<Vec<Column>, PositionError> {
    let (mut board, mut columns) = (ConnectFourBoard::EMPTY, Vec::new());
    for (ply, digit) in text.char_indices() {
        if board.outcome().is_some() {
            return Err(PositionError(format!(
                "the game is over after {ply} of the columns played"
            )));
        }
        let column =
            ConnectFour::read_move(&board, digit.encode_utf8(&mut [0; 4])).map_err(|error| {
                PositionError(format!("column {digit} at ply {}: {error}", ply + 1))
            })?;
        board = board.play(column);
        columns.push(column);
    }
    Ok(columns)
}

/// A position given cell by cell, if a game could have reached it.
fn read_grid(grid: &Grid) -> Result<ConnectFourBoard, PositionError> {
    let stones_of =
        |side| grid.bitboard(side, |row, column| column as u32 * STRIDE + ROWS - 1 - row as u32);
    let by_side = [stones_of(Side::First), stones_of(Side::Second)];
    let stones = by_side[0] | by_side[1];
    if let Some(column) = (0..COLUMNS).find(|&column| !is_filled_from_below(stones, column)) {
        return Err(PositionError(format!(
            "column {}: a stone lies above an empty cell",
            column + 1
        )));
    }
    let winner = grid::sole_winner(holds_four(by_side[0]), holds_four(by_side[1]))?;
    let side = grid.side_to_move(winner)?;
    let board = ConnectFourBoard::from_stones(by_side, side);
    if winner.is_some() && !was_won_by_last_stone(&board) {
        return Err(PositionError(
            "more than one line is completed, and no single last stone completes them all"
                .to_owned(),
        ));
    }
    if !is_reachable(by_side, side.other()) {
        return Err(PositionError(format!(
            "no game leads to this position with {} to move: X and O can't have dropped these \
             stones in turn",
            grid::SIDES[side as usize]
        )));
    }
    Ok(board)
}

fn is_filled_from_below(stones: u64, column: u32) -> bool {
    let height = stones >> (column * STRIDE) & ((1 << STRIDE) - 1);
    (height & (height + 1)) == 0
}

/// Whether taking back one stone of the winner, who moved last, undoes all its lines.
fn was_won_by_last_stone(board: &ConnectFourBoard) -> bool {
    let uncovered = board.stones() & !(board.stones() >> 1);
    let last = board.other() & uncovered;
    (0..COLUMNS * STRIDE)
        .any(|bit| last >> bit & 1 != 0 && !holds_four(board.other() & !(1 << bit)))
}
