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

use num_traits::{PrimInt, Zero};

use self::board::{BoardOf, fours, holds_four};
pub use self::board::{Column, Columns, ConnectFourBoard, SizedConnectFourBoard};
pub use self::evaluation::ConnectFourEvaluator;
use self::evaluation::ConnectFourEvaluatorKind;
use self::reachability::is_reachable;
pub use self::size::{BoardSize, Size, StandardSize};
use super::book::Book;
use super::grid::{self, Grid};
use crate::game::{
    Cells, Drawing, Ending, Game, GameInfo, KnowledgeFiles, Motif, MoveDrawing, MoveError,
    MoveText, Notation, Position, PositionError, PositionText, Side, Square, excerpt,
};

/// The game on a board of some size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFourOn<S>(S);

/// The game on the standard board.
pub type ConnectFour = ConnectFourOn<StandardSize>;

/// The game on boards of other sizes.
pub type SizedConnectFour = ConnectFourOn<Size<u128>>;

impl ConnectFour {
    /// The standard variant.
    pub const STANDARD: Self = Self(StandardSize);
}

impl<S: BoardSize> Game for ConnectFourOn<S> {
    type Evaluator = ConnectFourEvaluator;
    type Knowledge = Book;

    const VARIANTS: &'static [Self] = S::VARIANTS;

    fn game_info(&self) -> &'static GameInfo {
        variants::info(self)
    }

    fn start(&self) -> BoardOf<S> {
        BoardOf::empty(*self)
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

impl<S: BoardSize> Notation for ConnectFourOn<S> {
    type Position = BoardOf<S>;

    fn read_position(&self, text: &PositionText) -> Result<BoardOf<S>, PositionError> {
        match text.text().and_then(|text| self.read_played(text)) {
            Some(played) => Ok(played?.into_iter().fold(self.start(), |board, mv| board.play(mv))),
            None => self.read_grid(&self.grid(text)?),
        }
    }

    fn read_diagram(&self, text: &PositionText) -> Option<Result<Cells, PositionError>> {
        let played = text.text().and_then(|text| self.read_played(text)?.err());
        Some(self.grid(text).map(|grid| grid.rows()).map_err(|error| played.unwrap_or(error)))
    }

    fn read_played(&self, text: &str) -> Option<Result<Vec<Column>, PositionError>> {
        // No column is 0: digits with zeros are cells.
        text.bytes().all(|byte| matches!(byte, b'1'..=b'9')).then(|| self.read_columns(text))
    }

    fn write_position(board: &BoardOf<S>) -> String {
        let rows = grid::joined(Self::cells(board), "/");
        format!("{rows} {}", grid::MARKS[board.side_to_move() as usize])
    }

    fn read_move(board: &BoardOf<S>, text: &str) -> Result<Column, MoveError> {
        let columns = board.game.columns() as u8;
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

impl<S: BoardSize> Drawing for ConnectFourOn<S> {
    fn cells(board: &BoardOf<S>) -> Cells {
        let (game, by_side) = (board.game, board.by_side());
        grid::cells(game.rows() as u8, game.columns() as u8, |row, column| {
            let cell = game.drawn_cell(row, column);
            let holds = |&side: &Side| by_side[side as usize] & cell != S::Cells::zero();
            Side::BOTH.into_iter().find(holds)
        })
    }

    /// The path is where the disc lands.
    fn drawn_move(board: &BoardOf<S>, column: Column) -> MoveDrawing {
        let (rows, stride) = (board.game.rows(), board.game.stride());
        let height = board.landing_cell(column).trailing_zeros() as usize % stride;
        MoveDrawing::placing(Square { row: (rows - 1 - height) as u8, column: column.0 })
    }

    fn passed(board: &BoardOf<S>) -> Option<BoardOf<S>> {
        Some(board.passed())
    }

    fn motifs(board: &BoardOf<S>, column: Column) -> Vec<Motif> {
        motifs::motifs(board, column)
    }

    fn drawing(board: &BoardOf<S>) -> String {
        let mut lines = grid::with_empty(Self::cells(board), ".");
        lines.push(board.game.game_info().board.columns.to_vec());
        lines.iter().map(|line| line.join(" ") + "\n").collect()
    }

    fn ending(board: &BoardOf<S>) -> Ending {
        let line = line_cells(board);
        let reason = if line.is_empty() { "board full" } else { "four in a row" };
        Ending { reason, line }
    }
}

/// The cells of all lines that the opponent of the side to move has completed.
fn line_cells<S: BoardSize>(board: &BoardOf<S>) -> Vec<Square> {
    let (game, none) = (board.game, S::Cells::zero());
    let line = game.directions().iter().fold(none, |cells, &direction| {
        let first = fours(board.other(), direction);
        (0..4).fold(cells, |cells, step| cells | first << (step * direction))
    });
    grid::squares(game.rows() as u8, game.columns() as u8, |row, column| {
        line & game.drawn_cell(row, column) != none
    })
}

impl<S: BoardSize> ConnectFourOn<S> {
    /// The cells that a text shows.
    fn grid(&self, text: &PositionText) -> Result<Grid, PositionError> {
        Grid::read(text, self.game_info(), self.rows(), self.columns())
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

    /// A position given cell by cell. A position that no game reaches is refused.
    fn read_grid(&self, grid: &Grid) -> Result<BoardOf<S>, PositionError> {
        let game = *self;
        let by_side = Side::BOTH.map(|side| {
            grid.cells(side).fold(S::Cells::zero(), |stones, (row, column)| {
                stones | game.drawn_cell(row as u8, column as u8)
            })
        });
        let stones = by_side[0] | by_side[1];
        let columns = game.columns();
        if let Some(column) = (0..columns).find(|&it| !is_filled_from_below(game, stones, it)) {
            return Err(PositionError(format!(
                "column {}: a stone lies above an empty cell",
                column + 1
            )));
        }
        let has_won = by_side.map(|stones| holds_four(game, stones));
        let winner = grid.sole_winner(has_won)?;
        let to_move = grid.side_to_move(winner)?;
        let board = BoardOf::from_stones(game, by_side, to_move);
        if winner.is_some() && !was_won_by_last_stone(&board) {
            return Err(PositionError(
                "more than one line is completed, and no single last stone completes them all"
                    .to_owned(),
            ));
        }
        if !is_reachable(game, by_side, to_move.other()) {
            let [first, second] = game.game_info().sides;
            return Err(PositionError(format!(
                "no game leads to this position with {} to move: {first} and {second} can't have dropped these \
                 stones in turn",
                [first, second][to_move as usize]
            )));
        }
        Ok(board)
    }
}

fn is_filled_from_below<S: BoardSize>(
    game: ConnectFourOn<S>,
    stones: S::Cells,
    column: usize,
) -> bool {
    let stones = stones & game.column_cells(column);
    stones & !game.cell(column, 0) & !(stones << 1) == S::Cells::zero()
}

/// Whether the winner, who moved last, has no line left once one of the top stones is taken back.
fn was_won_by_last_stone<S: BoardSize>(board: &BoardOf<S>) -> bool {
    board.predecessors().any(|before| !holds_four(board.game, before.own))
}
