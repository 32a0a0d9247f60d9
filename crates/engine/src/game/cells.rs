//! Reading a position from the rows of cells that [`Game::cells`] shows.

use crate::game::excerpt;
use std::fmt::Display;

use super::{Cells, Game, PositionError, Side};

/// Reads rows of cells as [`Drawing::cells`](super::Drawing::cells) shows them, and the side to move.
///
/// ```
/// use bestmove_engine::game::{Game, PositionError, Side, read_cells};
/// use bestmove_engine::games::connect_four::ConnectFour;
/// let mut rows = vec![vec![String::new(); 7]; 6];
/// rows[5][3] = "X".to_owned();
/// let (cells, side) = read_cells(&ConnectFour::STANDARD, &rows, "yellow")?;
/// assert_eq!((cells[5][3], cells[5][4], side), ("X", "", Side::Second));
/// # Ok::<_, PositionError>(())
/// ```
///
/// # Errors
/// Says which row, cell or side is unknown.
pub fn read_cells<G: Game>(
    game: &G,
    rows: &[Vec<String>],
    side_to_move: &str,
) -> Result<(Cells, Side), PositionError> {
    let info = game.game_info();
    let Some(side) = info.side(side_to_move) else {
        let [first, second] = info.sides;
        return Err(PositionError(format!(
            "side_to_move: expected {first} or {second} but got '{side_to_move}'",
            side_to_move = excerpt(side_to_move)
        )));
    };
    Ok((read_rows(game, rows)?, side))
}

/// Reads rows of cells as [`Game::cells`] shows them.
pub(super) fn read_rows<G: Game>(game: &G, rows: &[Vec<String>]) -> Result<Cells, PositionError> {
    let start = G::cells(&game.start());
    expect_count("rows", start.len(), rows.len())?;
    let read_row = |(row, cells): (usize, &Vec<String>)| {
        expect_count(format_args!("cells in row {}", row + 1), start[row].len(), cells.len())?;
        let cells = cells.iter().enumerate();
        cells.map(|(column, cell)| read_cell(game, cell, row, column)).collect()
    };
    rows.iter().enumerate().map(read_row).collect()
}

pub(super) fn read_cell<G: Game>(
    game: &G,
    cell: &str,
    row: usize,
    column: usize,
) -> Result<&'static str, PositionError> {
    if matches!(cell.trim(), "" | "." | "-" | "_") {
        return Ok("");
    }
    let known = game.game_info().pieces.iter().find(|piece| piece.name == cell);
    known.map(|piece| piece.name).ok_or_else(|| {
        let names: Vec<_> = game.game_info().pieces.iter().map(|piece| piece.name).collect();
        PositionError(format!(
            "row {}, column {}: expected one of {} or an empty string but got '{cell}'",
            row + 1,
            column + 1,
            names.join(" "),
            cell = excerpt(cell)
        ))
    })
}

/// Refuses a number that differs from the expected one.
pub(crate) fn expect_count(
    what: impl Display,
    expected: usize,
    got: usize,
) -> Result<(), PositionError> {
    if expected == got {
        return Ok(());
    }
    Err(PositionError(format!("{what}: expected {expected} but got {got}")))
}
