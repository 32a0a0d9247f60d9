//! The moves of a game as people write them down: PGN and PDN movetext, or digits in a row.

use std::str::Chars;

use super::{Game, Position};

/// The results with which a record may end.
const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "½-½", "2-0", "0-2", "1-1", "*"];

/// The moves of a record, as texts. Numbers, comments (in braces, or from `;` to the end of the
/// line), variations in parentheses, tag pairs, annotation glyphs and the result are skipped. Where
/// all moves are single digits, they may stand side by side.
#[must_use]
pub fn read_record<G: Game>(text: &str) -> Vec<String> {
    let (text, _) = without_comments(text);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.pop_if(|last| RESULTS.contains(last));
    let words = words.into_iter().map(without_number);
    let words = words.filter(|word| !word.starts_with('$'));
    let words = words.map(|word| word.trim_end_matches(['!', '?']));
    let words = words.filter(|word| !word.is_empty());
    if is_one_digit_a_move::<G>() {
        return words.flat_map(digits).map(str::to_owned).collect();
    }
    words.map(str::to_owned).collect()
}

/// The position in which a record says that its game begins: the value of its tag `FEN`, which PGN
/// and PDN share.
#[must_use]
pub fn record_start(text: &str) -> Option<String> {
    let (_, tags) = without_comments(text);
    tags.into_iter().find_map(|tag| {
        let value = tag.trim().strip_prefix("FEN")?.trim();
        Some(value.strip_prefix('"')?.strip_suffix('"')?.to_owned())
    })
}

/// The text with a space in place of each comment, variation and tag pair; and the tag pairs.
fn without_comments(text: &str) -> (String, Vec<String>) {
    let (mut kept, mut tags) = (String::with_capacity(text.len()), Vec::new());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '{' => skip_to('}', &mut letters),
            ';' => skip_to('\n', &mut letters),
            '[' => tags.push(read_tag(&mut letters)),
            '(' => skip_variation(&mut letters),
            letter => {
                kept.push(letter);
                continue;
            }
        }
        kept.push(' ');
    }
    (kept, tags)
}

/// A tag pair up to its bracket, or to the end of the line. A value in quotation marks may hold
/// brackets.
fn read_tag(letters: &mut Chars) -> String {
    let (mut tag, mut is_quoted) = (String::new(), false);
    for letter in letters {
        match letter {
            ']' if !is_quoted => break,
            '\n' => break,
            '"' => is_quoted = !is_quoted,
            _ => {}
        }
        tag.push(letter);
    }
    tag
}

fn skip_to(end: char, letters: &mut Chars) {
    while letters.next().is_some_and(|letter| letter != end) {}
}

/// Skips a variation, which may hold others and comments.
fn skip_variation(letters: &mut Chars) {
    let mut depth = 1;
    while depth > 0 {
        match letters.next() {
            Some('(') => depth += 1,
            Some(')') => depth -= 1,
            Some('{') => skip_to('}', letters),
            Some(_) => {}
            None => return,
        }
    }
}

/// A word without the number of the move before it: `1.e4`, `1...`, `12.`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.starts_with(['.', '…']) { rest.trim_start_matches(['.', '…']) } else { word }
}

/// Whether every first move of the game is written as one digit.
fn is_one_digit_a_move<G: Game>() -> bool {
    let start = G::start();
    let is_digit = |text: String| matches!(text.as_bytes(), [digit] if digit.is_ascii_digit());
    start.legal_moves().into_iter().all(|mv| is_digit(G::write_move(&start, mv)))
}

/// The digits of a word that has nothing else; any other word as it is.
fn digits(word: &str) -> Vec<&str> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        word.split("").filter(|digit| !digit.is_empty()).collect()
    } else {
        vec![word]
    }
}
