//! The layout of cells in a text: in one line or in rows, with or without blanks between them.

use super::named_columns;
use crate::game::{PositionError, excerpt, expect_count};

/// The cells of a board that is given in rows, or as one flat list.
pub(super) fn flat(
    lines: &[Vec<String>],
    rows: usize,
    columns: usize,
) -> Result<Vec<&str>, PositionError> {
    if lines.len() == rows * columns && lines.iter().all(|line| line.len() <= 1) {
        return Ok(lines.iter().map(|line| line.first().map_or("", String::as_str)).collect());
    }
    if let [line] = lines
        && line.len() == rows * columns
    {
        return Ok(line.iter().map(String::as_str).collect());
    }
    let or_flat = format!("; or {} cells in one flat list", rows * columns);
    expect_count("rows", rows, lines.len()).map_err(|error| PositionError(error.0 + &or_flat))?;
    for (row, line) in lines.iter().enumerate() {
        expect_count(format_args!("cells in row {}", row + 1), columns, line.len())?;
    }
    Ok(lines.iter().flatten().map(String::as_str).collect())
}

/// The cells of a text, and the side to move that follows them.
///
/// The cells of a row stand side by side; between rows there may be `/`, `|` or a line end. If the text has no such
/// form, blanks are taken for empty cells, where their number fits, or for separators of cells. Numbers of rows and
/// names of columns around the cells are left out.
pub(super) fn cells_of<'a>(
    text: &'a str,
    rows: usize,
    columns: usize,
    is_side: &dyn Fn(&str) -> bool,
) -> Result<(Vec<&'a str>, Option<&'a str>), PositionError> {
    let compact = compact(text, rows, columns, is_side);
    if compact.is_ok() {
        return compact;
    }
    let spaced = with_side(text, is_side).into_iter().find_map(|(board, side)| {
        let cells = in_brackets(board, rows, columns)
            .or_else(|| in_one_line(board, rows * columns))
            .or_else(|| in_rows(board, rows, columns))?;
        Some((cells, side))
    });
    let read = spaced.or_else(|| named_columns::cells_of(text, rows, columns, is_side));
    read.map_or(compact, Ok)
}

/// The cells without blanks between them, then the side, after a blank or as an additional sign.
fn compact<'a>(
    text: &'a str,
    rows: usize,
    columns: usize,
    is_side: &dyn Fn(&str) -> bool,
) -> Result<(Vec<&'a str>, Option<&'a str>), PositionError> {
    let mut words = text.split_whitespace();
    let (board, side) = (words.next().unwrap_or_default(), words.next());
    if let Some(word) = words.next() {
        return Err(PositionError(format!(
            "unexpected '{word}' after the side to move; expected {} cells side by side, then the side",
            rows * columns,
            word = excerpt(word)
        )));
    }
    if board.contains('/') {
        let lines: Vec<&str> = board.split('/').collect();
        expect_count("rows", rows, lines.len())?;
        for (row, line) in lines.iter().enumerate() {
            expect_count(format_args!("cells in row {}", row + 1), columns, line.chars().count())?;
        }
        return Ok((lines.into_iter().flat_map(letters).collect(), side));
    }
    let mut cells: Vec<&str> = letters(board).collect();
    if side.is_none() && cells.len() == rows * columns + 1 {
        let glued = cells.pop().filter(|sign| is_side(sign));
        if glued.is_some() {
            return Ok((cells, glued));
        }
    }
    expect_count("cells", rows * columns, board.chars().count())?;
    Ok((cells, side))
}

/// The text as a board alone, and as a board with a side to move after a blank or `_`.
fn with_side<'a>(text: &'a str, is_side: &dyn Fn(&str) -> bool) -> Vec<(&'a str, Option<&'a str>)> {
    const TO_MOVE: &str = " to move";
    let mut trimmed = text.trim_end();
    let end = trimmed.len().saturating_sub(TO_MOVE.len());
    if trimmed.get(end..).is_some_and(|words| words.eq_ignore_ascii_case(TO_MOVE)) {
        trimmed = trimmed[..end].trim_end();
    }
    let mut readings = vec![(text, None)];
    if let Some(at) = trimmed.rfind([' ', '_', '\n', '\t', ','])
        && is_side(&trimmed[at + 1..])
    {
        let (board, side) = (&trimmed[..at], Some(&trimmed[at + 1..]));
        readings.push((board, side));
        readings.push((board.trim_end(), side));
    }
    readings
}

/// A line of one character for each cell, or of texts between commas.
fn in_one_line(board: &str, cells: usize) -> Option<Vec<&str>> {
    let texts: Vec<&str> = board.split(',').collect();
    if texts.len() == cells {
        return Some(texts);
    }
    let has_rows = board.contains(['/', '|', '\n']);
    (!has_rows && board.chars().count() == cells).then(|| letters(board).collect())
}

/// The rows between separators, or, without any, all cells with blanks between them.
fn in_rows(board: &str, rows: usize, columns: usize) -> Option<Vec<&str>> {
    let by_lines: Vec<&str> = board.trim_matches('\n').split(['/', '\n']).collect();
    let by_bars: Vec<&str> = board.trim_matches(['|', '\n', ' ']).split('|').collect();
    for mut lines in [without_rules(by_lines, rows), by_bars] {
        if lines.len() == rows {
            without_numbers(&mut lines, columns);
            let cells = lines.into_iter().map(|line| in_row(line, columns));
            return Some(cells.collect::<Option<Vec<_>>>()?.concat());
        }
    }
    // Another number of rows is a board of another size, even with an equal number of cells.
    let parts = board.split('/').count();
    (parts == 1 || parts >= rows * columns).then(|| in_row(board, rows * columns)).flatten()
}

/// The numbers or texts of lists in brackets, as programs print them: one list for each row, or a flat one.
fn in_brackets(board: &str, rows: usize, columns: usize) -> Option<Vec<&str>> {
    let inner = board.trim().strip_prefix('[')?.strip_suffix(']')?;
    let lists: Vec<Vec<&str>> = inner.split(']').map(listed).filter(|it| !it.is_empty()).collect();
    let is_flat = lists.len() == 1 && lists[0].len() == rows * columns;
    let is_board = lists.len() == rows && lists.iter().all(|list| list.len() == columns);
    (is_flat || is_board).then(|| lists.concat())
}

/// The elements of a list, without quotation marks.
fn listed(list: &str) -> Vec<&str> {
    let parts = list.split([',', '[', ' ', '\n']).filter(|part| !part.is_empty());
    parts.map(|part| without_point(part.trim_matches(['"', '\'']))).collect()
}

/// A whole number without the point that a program prints after it: `1.`, `-1.0`.
fn without_point(part: &str) -> &str {
    let number = part.strip_suffix(".0").or(part.strip_suffix('.'));
    number.filter(|number| number.parse::<i8>().is_ok()).unwrap_or(part)
}

/// The rows of a drawing without the lines between them and the names of the columns above and below.
fn without_rules(mut lines: Vec<&str>, rows: usize) -> Vec<&str> {
    let mut between = lines.iter().skip(1).step_by(2);
    if lines.len() == 2 * rows - 1 && between.all(|line| !line.is_empty() && is_rule(line)) {
        return lines.into_iter().step_by(2).collect();
    }
    // A row of empty cells may be a line, but has no crosses.
    if lines.len() > rows {
        lines.retain(|line| !(is_rule(line) && line.contains('+')));
    }
    if lines.len() > rows {
        lines.retain(|line| !names_columns(line));
    }
    lines
}

/// Whether a line of a drawing has no cells: a line between rows, or nothing.
pub(super) fn is_rule(line: &str) -> bool {
    line.chars().all(|sign| "-+=| ".contains(sign))
}

fn names_columns(line: &str) -> bool {
    let signs = line.chars().filter(|sign| !sign.is_whitespace()).take(3);
    let signs: String = signs.map(|sign| sign.to_ascii_lowercase()).collect();
    signs == "123" || signs == "abc"
}

/// Takes the number of each row away, from its beginning and its end, where all rows have one.
fn without_numbers(lines: &mut [&str], columns: usize) {
    let numbered = (1..).zip(lines.iter());
    let all: Option<Vec<_>> =
        numbered.map(|(number, line)| within_numbers(line, number, columns)).collect();
    for (line, (start, end)) in lines.iter_mut().zip(all.into_iter().flatten()) {
        *line = line.get(start..end).unwrap_or_default().trim();
    }
}

/// Where the cells of a row begin and end, if its number stands before them and perhaps after them.
fn within_numbers(line: &str, number: usize, columns: usize) -> Option<(usize, usize)> {
    let signs = line.chars().filter(|sign| !sign.is_whitespace()).count();
    let number = number.to_string();
    let start = line.find(|sign: char| !sign.is_whitespace())? + number.len();
    line.trim_start().strip_prefix(&number)?;
    match signs.checked_sub(columns + number.len())? {
        0 => Some((start, line.len())),
        _ => Some((start, line.trim_end().strip_suffix(&number)?.len())),
    }
}

/// The cells of a row: its characters, or its characters without blanks, bars and commas.
fn in_row(line: &str, columns: usize) -> Option<Vec<&str>> {
    if line.chars().count() == columns && !line.contains(['|', ',']) {
        return Some(letters(line).collect());
    }
    let cells: Vec<&str> = letters(line)
        .filter(|letter| !matches!(*letter, " " | "|" | "," | "\t" | "\n" | "/"))
        .collect();
    if cells.len() == columns {
        return Some(cells);
    }
    let between: Vec<&str> = line.trim_matches('|').split(['|', ',']).map(str::trim).collect();
    let is_row = between.len() == columns && between.iter().all(|cell| cell.chars().count() <= 1);
    is_row.then_some(between)
}

/// The characters of a text, each as a text.
fn letters(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.char_indices().map(|(at, letter)| &text[at..at + letter.len_utf8()])
}
