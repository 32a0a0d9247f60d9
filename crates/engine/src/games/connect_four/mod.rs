//! Connect Four on seven columns and six rows, and on boards of other sizes.

mod board;
mod book;
mod evaluation;
mod expansion;
mod motifs;
mod parity;
mod reachability;
mod size;
mod threats;
mod variants;

use std::io;
use std::sync::Arc;

use self::board::{BoardOf, fours, holds_four};
pub use self::board::{Column, Columns, ConnectFourBoard, SizedConnectFourBoard};
pub use self::evaluation::ConnectFourEvaluator;
use self::evaluation::ConnectFourEvaluatorKind;
use self::reachability::is_reachable;
use self::size::CellSet;
pub use self::size::{BoardSize, OtherSize, StandardSize};
use self::variants::{PIECES, Variant};
use super::book::Book;
use super::grid::{self, Grid};
use crate::game::{
    Cells, Drawing, Ending, Game, GameInfo, KnowledgeFiles, Motif, MoveDrawing, MoveError,
    MoveText, Notation, Position, PositionError, PositionText, Side, Square, excerpt,
};

/// The game on a board of some size.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFourOn<S>(S);

/// The game on the standard board.
pub type ConnectFour = ConnectFourOn<StandardSize>;

/// The game on boards of other sizes.
pub type SizedConnectFour = ConnectFourOn<OtherSize>;

impl ConnectFour {
    /// The standard variant.
    pub const STANDARD: Self = Self(StandardSize);
}

impl<S: Variant> Game for ConnectFourOn<S> {
    type Evaluator = ConnectFourEvaluator;
    type Knowledge = Book;

    const VARIANTS: &'static [Self] = S::VARIANTS;

    fn game_info(&self) -> &'static GameInfo {
        self.0.info()
    }

    fn start(&self) -> BoardOf<S> {
        BoardOf::empty(self.0)
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

    fn load_knowledge(_: KnowledgeFiles) -> io::Result<Book> {
        book::read()
    }
}

impl<S: Variant> Notation for ConnectFourOn<S> {
    type Position = BoardOf<S>;

    fn read_position(&self, text: &PositionText) -> Result<BoardOf<S>, PositionError> {
        let played = match text {
            PositionText::Text(text) => self.read_played(text),
            _ => None,
        };
        match played {
            Some(played) => Ok(played?.into_iter().fold(self.start(), |board, mv| board.play(mv))),
            None => self.read_grid(&self.grid(text)?),
        }
    }

    fn read_diagram(&self, text: &PositionText) -> Option<Result<Cells, PositionError>> {
        let played = match text {
            PositionText::Text(text) => self.read_played(text).and_then(Result::err),
            _ => None,
        };
        Some(self.grid(text).map(|grid| grid.rows()).map_err(|error| played.unwrap_or(error)))
    }

    fn read_played(&self, text: &str) -> Option<Result<Vec<Column>, PositionError>> {
        // No column is 0: digits with zeros are cells.
        let is_column = |byte: u8| byte.is_ascii_digit() && byte != b'0';
        text.bytes().all(is_column).then(|| self.read_columns(text))
    }

    fn write_position(board: &BoardOf<S>) -> String {
        let rows: Vec<_> = rows(board).map(String::from_iter).collect();
        format!("{} {}", rows.join("/"), grid::SIDES[board.side_to_move() as usize])
    }

    fn read_move(board: &BoardOf<S>, text: &str) -> Result<Column, MoveError> {
        let columns = board.size.columns() as u8;
        let number = text.parse().ok().filter(|number| (1..=columns).contains(number));
        let number = number.filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let Some(column) = number.filter(|_| !text.starts_with('0')).map(|it| Column(it - 1))
        else {
            return Err(MoveError(format!("expected a column, 1 to {columns}")));
        };
        if board.legal_moves().any(|legal| legal == column) {
            Ok(column)
        } else {
            Err(MoveError(format!("column {text} is full", text = excerpt(text))))
        }
    }

    fn write_move(_: &BoardOf<S>, column: Column) -> MoveText {
        (column.0 + 1).to_string().into()
    }
}

impl<S: Variant> Drawing for ConnectFourOn<S> {
    fn cells(board: &BoardOf<S>) -> Cells {
        let (rows, columns) = (board.size.rows(), board.size.columns());
        let cell = |row, column| grid::cell_name(owner(board, row, column));
        (0..rows).map(|row| (0..columns).map(|column| cell(row, column)).collect()).collect()
    }

    /// The path is where the disc lands.
    fn drawn_move(board: &BoardOf<S>, column: Column) -> MoveDrawing {
        let (rows, stride) = (board.size.rows(), board.size.stride());
        let height = board.landing_cell(column).lowest_bit() % stride;
        MoveDrawing::placing(Square { row: (rows - 1 - height) as u8, column: column.0 })
    }

    fn passed(board: &BoardOf<S>) -> Option<BoardOf<S>> {
        Some(board.passed())
    }

    fn motifs(board: &BoardOf<S>, column: Column) -> Vec<Motif> {
        motifs::motifs(board, column)
    }

    fn drawing(board: &BoardOf<S>) -> String {
        let spaced = |row: Vec<char>| row.into_iter().map(String::from).collect::<Vec<_>>();
        let numbers = (1..=board.size.columns()).map(|column| column.to_string()).collect();
        let lines = rows(board).map(spaced).chain([numbers]);
        lines.map(|line| line.join(" ") + "\n").collect()
    }

    fn ending(board: &BoardOf<S>) -> Ending {
        let line = line_cells(board);
        let reason = if line.is_empty() { "board full" } else { "four in a row" };
        Ending { reason, line }
    }
}

/// The rows of the board from the top.
fn rows<S: BoardSize>(board: &BoardOf<S>) -> impl Iterator<Item = Vec<char>> {
    let row = |row| (0..board.size.columns()).map(move |column| (row, column));
    let letter = |(row, column)| grid::letter(owner(board, row, column));
    (0..board.size.rows()).map(move |at| row(at).map(letter).collect())
}

/// Whose stone lies in a cell, the row counted from the top.
fn owner<S: BoardSize>(board: &BoardOf<S>, row: u32, column: u32) -> Option<Side> {
    let [x, o] = board.by_side();
    match board.size.cell(column, board.size.rows() - 1 - row) {
        bit if x & bit != S::Cells::NONE => Some(Side::First),
        bit if o & bit != S::Cells::NONE => Some(Side::Second),
        _ => None,
    }
}

/// The cells of all lines that the opponent of the side to move has completed.
fn line_cells<S: BoardSize>(board: &BoardOf<S>) -> Vec<Square> {
    let (size, none) = (board.size, S::Cells::NONE);
    let line = size.directions().iter().fold(none, |cells, &direction| {
        let first = fours(board.other(), direction);
        (0..4).fold(cells, |cells, step| cells | first << (step * direction))
    });
    let is_member = |row: u8, column: u8| {
        line & size.cell(u32::from(column), size.rows() - 1 - u32::from(row)) != none
    };
    grid::squares(size.rows() as u8, size.columns() as u8, is_member)
}

impl<S: Variant> ConnectFourOn<S> {
    /// The cells that a text shows.
    fn grid(&self, text: &PositionText) -> Result<Grid, PositionError> {
        Grid::read(text, &PIECES, self.0.rows() as usize, self.0.columns() as usize)
    }

    /// Columns played from the empty board.
    fn read_columns(&self, text: &str) -> Result<Vec<Column>, PositionError> {
        let (mut board, mut columns) = (self.start(), Vec::new());
        for (ply, digit) in text.char_indices() {
            if board.outcome().is_some() {
                return Err(PositionError(format!(
                    "the game is over after {ply} of the columns played"
                )));
            }
            let column =
                Self::read_move(&board, digit.encode_utf8(&mut [0; 4])).map_err(|error| {
                    PositionError(format!("column {digit} at ply {}: {error}", ply + 1))
                })?;
            board = board.play(column);
            columns.push(column);
        }
        Ok(columns)
    }

    /// A position given cell by cell, if a game could have reached it.
    fn read_grid(&self, grid: &Grid) -> Result<BoardOf<S>, PositionError> {
        let size = self.0;
        let stones_of = |side| {
            grid.cells(side).fold(S::Cells::NONE, |stones, (row, column)| {
                stones | size.cell(column as u32, size.rows() - 1 - row as u32)
            })
        };
        let by_side = [stones_of(Side::First), stones_of(Side::Second)];
        let stones = by_side[0] | by_side[1];
        let columns = size.columns() as u8;
        if let Some(column) = (0..columns).find(|&it| !is_filled_from_below(size, stones, it)) {
            return Err(PositionError(format!(
                "column {}: a stone lies above an empty cell",
                column + 1
            )));
        }
        let has_won = by_side.map(|stones| holds_four(size, stones));
        let winner = grid::sole_winner(has_won[0], has_won[1])?;
        let to_move = grid.side_to_move(winner)?;
        let board = BoardOf::from_stones(size, by_side, to_move);
        if winner.is_some() && !was_won_by_last_stone(&board) {
            return Err(PositionError(
                "more than one line is completed, and no single last stone completes them all"
                    .to_owned(),
            ));
        }
        if !is_reachable(size, by_side, to_move.other()) {
            return Err(PositionError(format!(
                "no game leads to this position with {} to move: X and O can't have dropped these \
                 stones in turn",
                grid::SIDES[to_move as usize]
            )));
        }
        Ok(board)
    }
}

fn is_filled_from_below<S: BoardSize>(size: S, stones: S::Cells, column: u8) -> bool {
    let stones = stones & size.column_cells(column);
    stones & !size.cell(u32::from(column), 0) & !(stones << 1) == S::Cells::NONE
}

/// Whether taking back one stone of the winner, who moved last, undoes all its lines.
fn was_won_by_last_stone<S: BoardSize>(board: &BoardOf<S>) -> bool {
    board.predecessors().any(|before| !holds_four(board.size, before.own()))
}
