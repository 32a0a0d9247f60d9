//! The tokens of a record, for all games.
//!
//! | token | text |
//! |---|---|
//! | tag pair | `[Event "x"]` |
//! | comment | `{…}`; a line that begins with `%` |
//! | line comment | `;` to the end of the line |
//! | variation | `(…)`, which may hold comments and other variations |
//! | number | `1.`, `12...`, `3…`, also glued to its move, there without dots too |
//! | glyph | `$14`, `±`, `+-`, `!?`, `=`, `□`, and the words `N`, `TN`, `D`, `e.p.`, `ch`, `mate` and the like |
//! | result | `1-0`, `0-1`, `1/2-1/2`, `*` and the like |
//! | word | all else: a move, or digits |
//!
//! Blanks, commas, underscores and quotation marks separate tokens.

use std::fmt;

use crate::game::text::{is_assessment, tag_pair};

/// The place of a token of a record, in characters from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "line {}, column {}", self.line, self.column)
    }
}

/// A part of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Tag { name: &'t str, value: &'t str },
    Comment,
    LineComment(&'t str),
    Variation,
    Number(&'t str),
    Glyph,
    Result,
    Word(String),
}

/// The results with which a record may end.
const RESULTS: [&str; 18] = [
    "1-0", "0-1", "1/2-1/2", "1/2", "½-½", "½", "0.5-0.5", ".5-.5", "1:0", "0:1", "1/2:1/2", "½:½",
    "2-0", "0-2", "1-1", "2:0", "0:2", "*",
];

/// Assessments in letters, and remarks on captures en passant and on attacks on the king.
const LETTER_GLYPHS: &str =
    "N TN D RR e.p. e.p ep. ep ch ch. check mate checkmate dis.ch dis.ch. dbl.ch dbl.ch. dis dbl";

/// Splits a record, whose text is [plain](crate::game::plain_text), into tokens.
pub(super) struct Lexer<'t> {
    text: &'t str,
    /// The byte at which the rest begins.
    at: usize,
    place: Place,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0, place: Place { line: 1, column: 1 } }
    }

    /// The next token and its place; `None` at the end.
    ///
    /// # Errors
    /// Names a bracket without its counterpart.
    pub(super) fn next(&mut self) -> Result<Option<(Token<'t>, Place)>, String> {
        self.take_while(is_separator);
        let place = self.place;
        let Some(letter) = self.peek() else { return Ok(None) };
        let token = match letter {
            '%' if place.column == 1 => {
                self.take_while(|letter| letter != '\n');
                Token::Comment
            }
            '{' => self.comment(place)?,
            ';' => {
                self.bump();
                Token::LineComment(self.take_while(|letter| letter != '\n'))
            }
            '[' => self.tag(place)?,
            '(' => self.variation(place)?,
            '}' | ')' | ']' => return Err(format!("the '{letter}' at {place} closes nothing")),
            '$' => {
                self.bump();
                self.take_while(|letter| letter.is_ascii_digit());
                Token::Glyph
            }
            _ => self.word(),
        };
        Ok(Some((token, place)))
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        if letter == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(letter)
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.bump();
        }
        &self.text[start..self.at]
    }

    /// Takes `bytes` of the rest.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (start, end) = (self.at, self.at + bytes);
        while self.at < end {
            self.bump();
        }
        &self.text[start..self.at]
    }

    /// A comment in braces. A second `{` in it means that the first one was not closed.
    fn comment(&mut self, place: Place) -> Result<Token<'t>, String> {
        self.bump();
        self.take_while(|letter| !matches!(letter, '{' | '}'));
        let inner = self.place;
        match self.bump() {
            Some('}') => Ok(Token::Comment),
            Some(_) => Err(format!(
                "the comment that '{{' opens at {place} has another '{{' at {inner}: close it before with '}}'"
            )),
            None => Err(format!("the comment that '{{' opens at {place} is not closed: add '}}'")),
        }
    }

    /// A tag pair, whose value may hold brackets and quotation marks.
    fn tag(&mut self, place: Place) -> Result<Token<'t>, String> {
        let line = self.rest().lines().next().unwrap_or_default();
        let Some((name, value, length)) = tag_pair(line) else {
            return Err(format!(
                "the '[' at {place} begins no tag pair such as [Event \"x\"]: close it, and put the value in \
                 quotation marks"
            ));
        };
        self.take(length);
        Ok(Token::Tag { name, value })
    }

    fn variation(&mut self, place: Place) -> Result<Token<'t>, String> {
        let mut open = vec![place];
        self.bump();
        while let Some(&innermost) = open.last() {
            let here = self.place;
            match self.peek() {
                Some('{') => {
                    self.comment(here)?;
                    continue;
                }
                Some(';') => {
                    self.take_while(|letter| letter != '\n');
                    continue;
                }
                Some('%') if here.column == 1 => {
                    self.take_while(|letter| letter != '\n');
                    continue;
                }
                Some('(') => open.push(here),
                Some(')') => drop(open.pop()),
                Some(letter @ ('}' | '[' | ']')) => {
                    return Err(format!(
                        "the '{letter}' at {here}, in a variation, has no counterpart"
                    ));
                }
                Some(_) => {}
                None => {
                    return Err(format!(
                        "the variation that '(' opens at {innermost} is not closed: add ')'"
                    ));
                }
            }
            self.bump();
        }
        Ok(Token::Variation)
    }

    /// A number, a result, a glyph in characters or letters, or a move.
    fn word(&mut self) -> Token<'t> {
        if let Some(length) = spaced_result(self.rest()) {
            self.take(length);
            return Token::Result;
        }
        let rest = self.rest();
        let length = rest.find(ends_word).unwrap_or(rest.len());
        let word = &rest[..length];
        if RESULTS.contains(&word) {
            self.take(length);
            return Token::Result;
        }
        if let Some(number) = number(word) {
            return Token::Number(self.take(number));
        }
        self.take(length);
        let is_letter_glyph = LETTER_GLYPHS.split(' ').any(|glyph| glyph == word);
        if is_letter_glyph || word != "--" && word.chars().all(is_assessment) {
            return Token::Glyph;
        }
        let word = word.trim_start_matches(['.', '…']);
        match promotion_in_parentheses(self.rest()) {
            Some((piece, length)) => {
                self.take(length);
                Token::Word(format!("{word}{piece}"))
            }
            None => Token::Word(word.to_owned()),
        }
    }
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ',' | '_' | '"')
}

fn ends_word(letter: char) -> bool {
    is_separator(letter) || matches!(letter, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '$')
}

/// The length of a result whose two numbers stand apart: `1 - 0`.
fn spaced_result(rest: &str) -> Option<usize> {
    const POINTS: [&str; 4] = ["1/2", "½", "1", "0"];
    let points = |text: &'_ str| {
        POINTS.iter().find_map(|&points| Some((points, text.strip_prefix(points)?.len())))
    };
    let (first, left) = points(rest)?;
    let between = &rest[rest.len() - left..];
    let after = between.trim_start_matches(' ').strip_prefix(['-', ':'])?.trim_start_matches(' ');
    let (second, left) = points(after)?;
    let end = &after[after.len() - left..];
    let is_apart = between.starts_with(' ') && (first, second) != ("0", "0");
    (is_apart && !end.starts_with(|letter| !ends_word(letter))).then_some(rest.len() - end.len())
}

/// The length of the number of a move with which a word begins: `1.`, `12...`, and `1` before a letter
/// that is no sign of a capture.
fn number(word: &str) -> Option<usize> {
    let digits = word.len() - word.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let rest = &word[digits..];
    let dots = rest.len() - rest.trim_start_matches(['.', '…']).len();
    let is_glued =
        rest.starts_with(|letter: char| letter.is_alphabetic() && !"xX".contains(letter));
    (digits > 0 && (dots > 0 || is_glued)).then_some(digits + dots)
}

/// The piece in parentheses with which the rest begins, and the length: `(Q)`, `(=Q)`.
fn promotion_in_parentheses(rest: &str) -> Option<(&str, usize)> {
    let inner = rest.trim_start_matches(' ').strip_prefix('(')?;
    let (piece, after) = inner.split_once(')')?;
    let letter = piece.trim().trim_start_matches('=');
    let is_piece = letter.chars().count() == 1
        && letter.chars().all(|letter| "QRBNqrbn♕♖♗♘♛♜♝♞".contains(letter));
    is_piece.then_some((letter, rest.len() - after.len()))
}
