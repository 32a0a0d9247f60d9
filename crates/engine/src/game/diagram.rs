//! Reading the cells of a diagram: all that a picture needs of a position.

use super::cells::{read_cell, read_rows};
use super::{Cells, Game, PositionError, PositionText, expect_count};

/// Reads the cells that a text shows. The side to move does not matter, and no game need reach the cells. The text has rows
/// from the top, separated by `/` or the end of a line, or all cells in one run. A cell is the letter of a piece, or `.` or
/// `-` for an empty cell; a digit is a number of empty cells. Spaces and `_` may stand between cells. Between rows separated by
/// `/`, the text after the first space or `_` is skipped, as the other fields of a FEN are.
///
/// ```
/// use bestmove_engine::game::{PositionError, PositionText, read_diagram};
/// use bestmove_engine::games::chess::Chess;
/// // No kings, and nobody is to move.
/// let text = PositionText::Text("8/8/8/3q4/8/8/8/8".to_owned());
/// let cells = read_diagram(&Chess::Standard, &text)?;
/// assert_eq!((cells.len(), cells[3][3]), (8, "q"));
/// # Ok::<_, PositionError>(())
/// ```
///
/// # Errors
/// Says which row or cell is unknown.
pub fn read_diagram<G: Game>(game: &G, text: &PositionText) -> Result<Cells, PositionError> {
    let text = match text {
        PositionText::Rows(rows) | PositionText::Board { rows, .. } => {
            return read_rows(game, rows);
        }
        PositionText::Text(text) => text,
    };
    let is_space = |letter: char| letter.is_whitespace() || letter == '_';
    let first = text.split(is_space).find(|field| !field.is_empty()).unwrap_or_default();
    let rows = if first.contains('/') { first } else { text };
    let rows: Vec<_> = rows.split(['/', '\n']).map(row).filter(|row| !row.is_empty()).collect();
    match &rows[..] {
        [run] => read_run(game, run),
        rows => read_rows(game, rows),
    }
}

/// The cells of a row.
fn row(text: &str) -> Vec<String> {
    let cells = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '_');
    let cells = cells.flat_map(|letter| match letter.to_digit(10) {
        Some(empty) => vec![String::new(); empty as usize],
        None => vec![letter.to_string()],
    });
    cells.collect()
}

/// Reads the cells of all rows in one run.
fn read_run<G: Game>(game: &G, run: &[String]) -> Result<Cells, PositionError> {
    let start = G::cells(&game.start());
    let columns = start.first().map_or(1, Vec::len);
    expect_count("cells", start.len() * columns, run.len())?;
    let cells = run.iter().enumerate();
    let cells = cells.map(|(at, cell)| read_cell(game, cell, at / columns, at % columns));
    let cells = cells.collect::<Result<Vec<_>, _>>()?;
    Ok(cells.chunks(columns).map(<[_]>::to_vec).collect())
}
