//! Diagrams as programs print them: the names of the columns stand above the cells, and each row begins with its number.
//! Text to the right of a row or below the board is no part of the board.

use std::iter;

use super::layout::is_rule;

/// The cells below the names of the columns, and the side to move where the text tells it.
///
/// A blank is an empty cell. A text that names two sides to move is no such diagram.
pub(super) fn cells_of<'a>(
    text: &'a str,
    rows: usize,
    columns: usize,
    is_side: &dyn Fn(&str) -> bool,
) -> Option<(Vec<&'a str>, Option<&'a str>)> {
    let mut lines = text.lines();
    let places = lines.by_ref().find_map(|line| places_of_names(line, columns))?;
    let lines: Vec<&str> = lines.filter(|line| !is_rule(line)).take(rows).collect();
    if lines.len() < rows {
        return None;
    }
    let cells = (1..).zip(lines).map(|(number, line)| cells_below(line, number, &places));
    let cells = cells.collect::<Option<Vec<_>>>()?.concat();
    let mut sides = sides_of(text, is_side).into_iter();
    let side = sides.next();
    sides.all(|other| Some(other) == side).then_some((cells, side))
}

/// The place of each name in a line of the names of the columns.
fn places_of_names(line: &str, columns: usize) -> Option<Vec<usize>> {
    let signs = line.chars().enumerate().filter(|(_, sign)| !sign.is_whitespace());
    let (places, names): (Vec<usize>, String) = signs.unzip();
    let expected: String = ('a'..='z').take(columns).collect();
    names.eq_ignore_ascii_case(&expected).then_some(places)
}

/// The cells of a row that begins with `number`. Only blanks and bars may stand between cells.
fn cells_below<'a>(line: &'a str, number: usize, places: &[usize]) -> Option<Vec<&'a str>> {
    let (&first, &last) = (places.first()?, places.last()?);
    let offsets = line.char_indices().map(|(at, _)| at).chain(iter::repeat(line.len()));
    let at: Vec<usize> = offsets.take(last + 3).collect();
    let begins = line[..at[first]].trim_matches([' ', '|']) == number.to_string();
    let is_row = begins
        && places.windows(2).all(|pair| is_gap(&line[at[pair[0] + 1]..at[pair[1]]]))
        && is_gap(&line[at[last + 1]..at[last + 2]]);
    let cells = places.iter().map(|&place| &line[at[place]..at[place + 1]]);
    is_row.then(|| cells.map(|cell| cell.trim_matches([' ', '|'])).collect())
}

fn is_gap(part: &str) -> bool {
    part.chars().all(|sign| sign == ' ' || sign == '|')
}

/// The sides that a text calls to move, as in `Black to move` or `Side to move: X`.
fn sides_of<'a>(text: &'a str, is_side: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches(['(', ')'])).collect();
    let mut sides = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let side = word.trim_end_matches("'s");
        let has_turn = word.ends_with("'s") && has_word(&words, at + 1, &["turn"]);
        let is_told = at > 0
            && words[at - 1].ends_with(':')
            && (has_word(&words, at - 1, &["turn"]) || at > 1 && has_to_move(&words, at - 2));
        let moves = has_to_move(&words, at + 1) && !words[at + 2].ends_with(':');
        if (moves || has_turn || is_told) && is_side(side) {
            sides.push(side);
        }
    }
    sides
}

/// Whether one of `names` stands at a place among the words, with or without a colon after it.
fn has_word(words: &[&str], at: usize, names: &[&str]) -> bool {
    let word = words.get(at).map(|word| word.trim_end_matches(':'));
    word.is_some_and(|word| names.iter().any(|name| name.eq_ignore_ascii_case(word)))
}

/// Whether `to move` or `to play` begins at a place among the words.
fn has_to_move(words: &[&str], at: usize) -> bool {
    has_word(words, at, &["to"]) && has_word(words, at + 1, &["move", "play"])
}
