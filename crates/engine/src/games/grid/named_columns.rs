//! Diagrams as programs print them: the names of the columns stand above the cells, and each row begins with its number.
//! Text to the right of a row or below the board is no part of the board.

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
    let is_rule = |line: &&str| !line.chars().all(|sign| "-+=| ".contains(sign));
    let lines: Vec<&str> = lines.filter(is_rule).take(rows).collect();
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
    let ends: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
    let at = |place: usize| ends.get(place).copied().unwrap_or(line.len());
    let is_between = |part: &str| part.chars().all(|sign| sign == ' ' || sign == '|');
    let (first, last) = (*places.first()?, *places.last()?);
    let before = line[..at(first)].trim_matches([' ', '|']);
    let gaps = places.windows(2).all(|pair| is_between(&line[at(pair[0] + 1)..at(pair[1])]));
    let is_row =
        before == number.to_string() && gaps && is_between(&line[at(last + 1)..at(last + 2)]);
    let cell = |&place: &usize| line[at(place)..at(place + 1)].trim_matches([' ', '|']);
    is_row.then(|| places.iter().map(cell).collect())
}

/// The sides that a text calls to move, as in `Black to move` or `Side to move: X`.
fn sides_of<'a>(text: &'a str, is_side: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches(['(', ')'])).collect();
    let is = |at: usize, names: &[&str]| {
        let word = words.get(at).map(|word| word.trim_end_matches(':'));
        word.is_some_and(|word| names.iter().any(|name| name.eq_ignore_ascii_case(word)))
    };
    let mut sides = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let side = word.trim_end_matches("'s");
        let is_to_move = |at: usize| is(at, &["to"]) && is(at + 1, &["move", "play"]);
        let has_turn = word.ends_with("'s") && is(at + 1, &["turn"]);
        let is_told = at > 0
            && words[at - 1].ends_with(':')
            && (is(at - 1, &["turn"]) || at > 1 && is_to_move(at - 2));
        let moves = is_to_move(at + 1) && !words[at + 2].ends_with(':');
        if (moves || has_turn || is_told) && is_side(side) {
            sides.push(side);
        }
    }
    sides
}
