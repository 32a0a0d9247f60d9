//! The moves of a game as people write them down: PGN and PDN movetext, lists, or digits in a row.
//!
//! The parser is written by hand, since one grammar serves all games, and parsers of PGN read chess alone.

mod token;

use thiserror::Error;

use self::token::{Lexer, Token};
use super::text::{INVISIBLE, plain_record, tag_pair};
use super::{Game, Position};

pub use self::token::Place;

/// The content of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The position in which the game begins: the value of the tag `FEN`, which PGN and PDN share.
    pub start: Option<String>,
    /// The tag that names the rules: `Variant`, or PDN's `GameType`.
    pub variant: Option<VariantTag>,
    /// The moves, as texts. Signs that are glued to a move stay until the move is read. So do characters without width, which
    /// may separate moves.
    pub moves: Vec<String>,
    /// The place of each move.
    pub places: Vec<Place>,
    /// The words of a comment from `;` to the end of the text, and the place of the comment. If all words are moves that go on
    /// with the game, the `;` was meant to separate moves.
    pub last_comment: Option<(Vec<String>, Place)>,
}

/// A tag that names the rules of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantTag {
    /// The name of the tag.
    pub tag: &'static str,
    /// The variant: of `GameType`, the number.
    pub variant: String,
}

/// The error of an unreadable record: its place, and what to change.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct RecordError(pub String);

/// Reads a record. Numbers, comments, variations, tag pairs, assessments and the result are no moves.
/// Where all moves are single digits, or a letter and a digit each, they may stand side by side, passes of two characters
/// among them. A list in brackets is read as its elements.
///
/// ```
/// use bestmove_engine::game::read_record;
/// use bestmove_engine::games::chess::Chess;
/// let record = read_record(&Chess::Standard, "1. e4 {the best by test} e5 2. Nf3 *")?;
/// assert_eq!(record.moves.len(), 3);
/// # Ok::<_, bestmove_engine::game::RecordError>(())
/// ```
///
/// # Errors
/// Names a bracket without its counterpart, a second game, a text in which brackets hold everything, or another format.
pub fn read_record<G: Game>(game: &G, text: &str) -> Result<Record, RecordError> {
    // Line ends as JSON and shells write them.
    let text = text.replace("\\n", "\n");
    let text = plain_record(&text);
    if is_game_tree(&text) {
        return Err(RecordError(GAME_TREES.to_owned()));
    }
    let text = bracketed_list(&text).unwrap_or(text);
    let parser = Parser {
        is_one_digit_a_move: are_first_moves(game, |mv| matches!(mv, [b'0'..=b'9'])),
        is_one_square_a_move: are_first_moves(game, is_square),
        ..Parser::default()
    };
    parser.read(&text).map_err(RecordError)
}

/// The error of a text in another format.
pub(crate) const GAME_TREES: &str = "games in GGF or SGF are not read: give the moves alone";

/// Whether a text begins as games in GGF or SGF do, where the number of games may stand first.
pub(crate) fn is_game_tree(text: &str) -> bool {
    text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter.is_whitespace())
        .starts_with("(;")
}

/// The variant that a tag names, unless its value is a sign of no value.
fn variant_tag(name: &str, value: &str) -> Option<VariantTag> {
    let tags = ["Variant", "GameType"];
    let tag = tags.into_iter().find(|tag| name.eq_ignore_ascii_case(tag))?;
    let value = if tag == "GameType" { value.split(',').next()? } else { value };
    let is_told = value.contains(char::is_alphanumeric);
    is_told.then(|| VariantTag { tag, variant: value.trim().to_owned() })
}

/// A list with blanks for its brackets and quotation marks: `[e4, e5]`, `["e4", "e5"]`, `['e4', 'e5']`.
fn bracketed_list(text: &str) -> Option<String> {
    let list = text.trim();
    let inner = list.strip_prefix('[')?.strip_suffix(']')?;
    let is_list = !inner.contains(['[', ']', '{', '}']) && tag_pair(list).is_none();
    is_list.then(|| text.replace(['[', ']', '"', '\''], " "))
}

/// Whether the notation of every first move of the game passes the test `is_so`.
fn are_first_moves<G: Game>(game: &G, is_so: impl Fn(&[u8]) -> bool) -> bool {
    let start = game.start();
    start.legal_moves().into_iter().all(|mv| is_so(G::write_move(&start, mv).text.as_bytes()))
}

/// Whether a move is written as a letter and a digit.
fn is_square(mv: &[u8]) -> bool {
    matches!(mv, [letter, digit] if letter.is_ascii_alphabetic() && digit.is_ascii_digit())
}

/// Whether a move is a pass in a record of squares.
fn is_pass(mv: &[u8]) -> bool {
    matches!(mv.to_ascii_lowercase().as_slice(), b"--" | b"pa" | b"ps")
}

/// The progress in the present game.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum RecordStage {
    /// No move yet.
    #[default]
    Begun,
    /// Moves.
    Played,
    /// The result, after which another game begins.
    Ended,
}

/// The state of reading a record.
#[derive(Default)]
struct Parser {
    is_one_digit_a_move: bool,
    is_one_square_a_move: bool,
    record: Record,
    /// The number of games in the text before the present one.
    games_before: usize,
    has_tags: bool,
    stage: RecordStage,
    /// The place of the first comment, variation or glyph, which hold no moves of the game.
    hidden: Option<Place>,
    /// The number of the last move that had one.
    number: Option<u32>,
}

impl Parser {
    fn read(mut self, text: &str) -> Result<Record, String> {
        let mut lexer = Lexer::new(text);
        let mut next = lexer.next()?;
        while let Some((token, place)) = next {
            next = lexer.next()?;
            self.record.last_comment = None;
            let following = next.as_ref().map(|(token, _)| token);
            self.add(token, place, following);
        }
        let games = self.games_before + 1;
        if games > 1 {
            return Err(format!("the text holds {games} games: give one game at a time"));
        }
        let is_started = self.has_tags && self.stage == RecordStage::Ended;
        let is_empty = self.record.moves.is_empty() && !is_started;
        match self.hidden {
            Some(place) if is_empty => Err(format!(
                "the text has no moves outside of comments and variations, the first of which begins at {place}"
            )),
            None if is_empty && self.has_tags && self.record.start.is_none() => Err(
                "the text has tag pairs and no moves: add the moves, or * where there are none yet"
                    .to_owned(),
            ),
            _ => Ok(self.record),
        }
    }

    fn add(&mut self, token: Token, place: Place, following: Option<&Token>) {
        match token {
            Token::Tag { name, value } => {
                if self.stage != RecordStage::Begun {
                    self.begin_game();
                }
                self.has_tags = true;
                if name.eq_ignore_ascii_case("FEN") && self.games_before == 0 && is_position(value)
                {
                    self.record.start = Some(value.to_owned());
                }
                if self.games_before == 0 {
                    self.record.variant = variant_tag(name, value).or(self.record.variant.take());
                }
            }
            Token::LineComment(comment) => {
                self.hidden.get_or_insert(place);
                self.record.last_comment = Some((self.words(comment), place));
            }
            Token::Comment | Token::Variation | Token::Glyph => {
                self.hidden.get_or_insert(place);
            }
            Token::Number(number) => {
                let digits = number.trim_end_matches(['.', '…']);
                self.number = digits.parse().ok();
            }
            Token::Result => self.stage = RecordStage::Ended,
            Token::Word(word) if self.is_number(&word, following) => {
                self.number = word.parse().ok();
            }
            Token::Word(word) => self.add_word(&word, place),
        }
    }

    fn begin_game(&mut self) {
        self.games_before += 1;
        self.stage = RecordStage::Begun;
    }

    fn add_word(&mut self, broken: &str, place: Place) {
        if self.stage == RecordStage::Ended {
            self.begin_game();
        }
        self.stage = RecordStage::Played;
        let word = &*broken.replace(INVISIBLE, "");
        let unlinked = word.replace('-', "");
        let is_linked =
            self.is_one_square_a_move && word.split('-').all(|mv| is_square(mv.as_bytes()));
        let word = if is_linked { &unlinked } else { word };
        let are_squares = self.is_one_square_a_move
            && word.is_ascii()
            && word.as_bytes().chunks(2).all(|mv| is_square(mv) || is_pass(mv));
        let moves = if self.is_one_digit_a_move && is_digits(word) {
            word.chars().map(String::from).collect()
        } else if are_squares {
            let squares = word.as_bytes().chunks(2);
            squares.map(|square| square.iter().map(|&byte| char::from(byte)).collect()).collect()
        } else {
            vec![broken.to_owned()]
        };
        for mv in moves {
            self.record.moves.push(mv);
            self.record.places.push(place);
        }
    }

    /// Whether digits without a dot are the number of the move that follows.
    fn is_number(&self, word: &str, following: Option<&Token>) -> bool {
        let is_next =
            |number: u32| self.number.is_none_or(|last| number == last || number == last + 1);
        !self.is_one_digit_a_move
            && is_digits(word)
            && word.parse().is_ok_and(is_next)
            && matches!(following, Some(Token::Word(mv)) if !is_digits(mv))
    }

    /// The words of a comment; none where it is no list of words.
    fn words(&self, comment: &str) -> Vec<String> {
        let parser = Self {
            is_one_digit_a_move: self.is_one_digit_a_move,
            is_one_square_a_move: self.is_one_square_a_move,
            number: self.number,
            ..Self::default()
        };
        let record = if comment.contains(['{', '(', '[']) {
            None
        } else {
            parser.read(&comment.replace(';', " ")).ok()
        };
        record.map(|record| record.moves).unwrap_or_default()
    }
}

/// Whether the value of a tag `FEN` names a position.
fn is_position(value: &str) -> bool {
    !matches!(value.trim(), "" | "?" | "-" | "startpos")
}

fn is_digits(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::checkers::Checkers;
    use crate::games::chess::Chess;
    use crate::games::connect_four::ConnectFour;

    fn moves<G: Game>(text: &str) -> Result<String, String> {
        read_record(&G::VARIANTS[0], text)
            .map(|record| record.moves.join(" "))
            .map_err(|error| error.0)
    }

    #[test]
    fn what_is_no_move_is_left_out() {
        for (text, expected) in [
            ("1. e4 e5", "e4 e5"),
            ("1 e4 e5 2 Nf3 Nc6", "e4 e5 Nf3 Nc6"),
            ("1.e4 e5 2.Nf3", "e4 e5 Nf3"),
            ("1e4 e5 2Nf3", "e4 e5 Nf3"),
            ("1...e5 2. ... Nc6 3… a6 4. …Nf6 ...d6", "e5 Nc6 a6 Nf6 d6"),
            ("44 Rf8 45 Rh7", "Rf8 Rh7"),
            ("\u{feff}1. e4 e5", "e4 e5"),
            ("[Event \"x\"]\\n\\n1. e4\\n e5", "e4 e5"),
            ("1. e4 \u{2800} e5 \u{3164} Nf3 \u{0} Nc6 \u{fffc}\u{180e} Bb5", "e4 e5 Nf3 Nc6 Bb5"),
            ("%exported\n1. e4 e5\r\n% note\r2. Nf3 *", "e4 e5 Nf3"),
            ("1. e4 e5 ± 2. Nf3 N +- = ∓ □ TN (=) D 2... Nc6 e.p.", "e4 e5 Nf3 Nc6"),
            ("1. Qf7 ch Kd8 2. Qd7 mate", "Qf7 Kd8 Qd7"),
            ("1. e4$1 e5 $2 $14", "e4 e5"),
            ("1.\u{200b}e4\u{feff} e5\u{200b}", "e4 e5"),
            ("e4, e5, Nf3", "e4 e5 Nf3"),
            ("e4_e5_Nf3", "e4 e5 Nf3"),
            ("1. e4 e5 1 - 0", "e4 e5"),
            ("1. e4 e5 ½–½", "e4 e5"),
            ("1. e4 e5 1:0 {White won}", "e4 e5"),
            ("1. e8(Q) d1 (=N)", "e8Q d1N"),
            ("1. e4 e5 (1... c5 (1... c6) {)} ; :)\n2. Nf3) 2. Nf3", "e4 e5 Nf3"),
            ("[Event \"A [b] \"c\" {d (e\"]\n\n1. e4 {[%clk 0:01] (x ;} e5", "e4 e5"),
            ("1. e4 ; best by test", "e4"),
            ("[e4, e5]", "e4 e5"),
            ("['e4', 'e5']", "e4 e5"),
            ("[]", ""),
            ("", ""),
            ("[Event \"x\"]\n\n*", ""),
            ("1. e4 -- 2. d4", "e4 -- d4"),
            ("0-0 0-0-0", "0-0 0-0-0"),
        ] {
            assert_eq!(moves::<Chess>(text).as_deref(), Ok(expected), "{text}");
        }
        for (text, expected) in [
            ("443", "4 4 3"),
            ("4, 4, 3", "4 4 3"),
            ("1. 4 4 2. 3", "4 4 3"),
            ("[4, 4, 3]", "4 4 3"),
        ] {
            assert_eq!(moves::<ConnectFour>(text).as_deref(), Ok(expected), "{text}");
        }
        for (text, expected) in [
            ("1. 11–15 23-19 2. 8x11 ! 2-0", "11-15 23-19 8x11"),
            ("1 11-15 23-19 2 8-11 22x17", "11-15 23-19 8-11 22x17"),
            ("11 15 23 19", "11 15 23 19"),
        ] {
            assert_eq!(moves::<Checkers>(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_brackets_would_swallow_is_an_error_with_its_place() {
        for (text, words) in [
            ("1. e4\n{a e5", "'{' opens at line 2, column 1"),
            ("1. e4 {a e5 {b} d4", "another '{' at line 1, column 13"),
            ("1. e4 (1. d4 (d5)", "'(' opens at line 1, column 7"),
            ("1. e4 (1. d4 (d5", "'(' opens at line 1, column 14"),
            ("1. e4 (1. d4 {d5)", "'{' opens at line 1, column 14"),
            ("1. e4 [e5 2. Nf3", "'[' at line 1, column 7"),
            ("[Event \"x\n1. e4", "'[' at line 1, column 1"),
            ("1. e4 } e5", "'}' at line 1, column 7"),
            ("1. e4 ) e5", "')' at line 1, column 7"),
            ("1. e4 ] e5", "']' at line 1, column 7"),
            ("{e4 e5}", "no moves outside"),
            ("(e4 e5)", "no moves outside"),
            ("; e4 e5", "no moves outside"),
            ("% e4 e5", "no moves outside"),
            ("[Event \"x\"]\n{1. e4}", "no moves outside"),
            ("[Event \"x\"]\n", "tag pairs and no moves"),
            ("{e4} *", "no moves outside"),
            ("1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. d4 d5 0-1", "2 games"),
            ("[Event \"a\"] 1. e4 [Event \"b\"] 1. d4 [Event \"c\"] *", "3 games"),
            ("1. e4 e5 1-0 1. d4", "2 games"),
        ] {
            let error = moves::<Chess>(text).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_tag_names_the_start() {
        let start = |text| {
            read_record(&Chess::Standard, text).map(|record| record.start).unwrap_or_default()
        };
        assert_eq!(start("[FEN \"a b\"] 1. e4").as_deref(), Some("a b"));
        assert_eq!(start("[SetUp \"1\"]\n[ FEN \"a b\" ]\n\n*").as_deref(), Some("a b"));
        assert_eq!(start("{[FEN \"a b\"]} 1. e4"), None);
        assert_eq!(start("[FEN \"\"] 1. e4"), None);
    }
}
