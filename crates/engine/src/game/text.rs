//! Plain characters in place of those that word processors, web pages and printed games use. All readers of moves,
//! positions and records call this module first.

use std::borrow::Cow;

/// The text with plain hyphens, quotation marks, spaces and line ends, and without characters that
/// have no width.
///
/// ```
/// use bestmove_engine::game::plain_text;
/// assert_eq!(plain_text("O–O"), "O-O");
/// ```
#[must_use]
pub fn plain_text(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").chars().filter_map(plain_letter).collect())
}

/// A sign for characters without width in a word. Such characters may break a move, or separate two moves.
pub(crate) const INVISIBLE: char = '\u{200b}';

/// As [`plain_text`], with [`INVISIBLE`] for characters without width that letters or digits follow and a move may precede.
pub(super) fn plain_record(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (mut may_be_move, mut is_broken) = (false, false);
    for letter in text.replace("\r\n", "\n").chars() {
        let Some(letter) = plain_letter(letter) else {
            is_broken = may_be_move;
            continue;
        };
        if is_broken && letter.is_alphanumeric() {
            plain.push(INVISIBLE);
        }
        is_broken = false;
        let is_number = letter.is_ascii_digit() || letter == '.';
        may_be_move = !letter.is_whitespace() && (may_be_move || !is_number);
        plain.push(letter);
    }
    plain
}

/// The plain character for `letter`; `None` for a character without width.
fn plain_letter(letter: char) -> Option<char> {
    Some(match letter {
        // Hyphens, dashes, minus signs and rules.
        '\u{2010}'..='\u{2015}'
        | '\u{2212}'
        | '\u{fe58}'
        | '\u{fe63}'
        | '\u{ff0d}'
        | '\u{2500}'
        | '\u{2501}'
        | '\u{2550}' => '-',
        // Spaces that do not break a line, or have a fixed width.
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2033}' | '\u{ff02}' => '"',
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{d7}' => 'x',
        '\n' | '\t' => letter,
        // Bars, and their crossings with rules.
        '\u{2502}' | '\u{2503}' | '\u{2551}' => '|',
        '\u{250c}'..='\u{254b}' | '\u{2552}'..='\u{256c}' => '+',
        // The empty pattern of Braille has a width and no ink; the last one stands for an object that is not text.
        other if other.is_control() || matches!(other, '\u{2800}' | '\u{fffc}') => ' ',
        // Default_Ignorable_Code_Point of Unicode 17: the byte order mark, soft hyphens, joiners, marks of direction,
        // fillers, variation selectors, tags. Moreover the frame of digits as emoji, and anchors of annotations.
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{20e3}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{16fe4}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => return None,
        other => other,
    })
}

/// The position in a text: what a tag pair `[FEN "…"]` or quotation marks enclose, else the text.
///
/// ```
/// use bestmove_engine::game::position_text;
/// assert_eq!(position_text("[FEN \"8/8/8/4k3/8/8/8/4K3 w - -\"]"), "8/8/8/4k3/8/8/8/4K3 w - -");
/// ```
#[must_use]
pub fn position_text(text: &str) -> Cow<'_, str> {
    match plain_text(text) {
        Cow::Borrowed(text) => Cow::Borrowed(enclosed(text)),
        Cow::Owned(text) => Cow::Owned(enclosed(&text).to_owned()),
    }
}

fn enclosed(text: &str) -> &str {
    if text.trim_start().starts_with('[') {
        return tagged(text).unwrap_or(text);
    }
    let quoted = text.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    quoted.unwrap_or(text)
}

/// The value of the tag `FEN` in a text of tag pairs alone.
fn tagged(text: &str) -> Option<&str> {
    let (mut rest, mut position) = (text.trim(), None);
    while !rest.is_empty() {
        let (name, value, length) = tag_pair(rest)?;
        if name.eq_ignore_ascii_case("FEN") {
            position = position.or(Some(value));
        }
        rest = rest[length..].trim_start();
    }
    position
}

/// The name and the value of the tag pair with which a line begins, and its length in bytes. The value
/// ends with the first quotation mark before a bracket.
pub(super) fn tag_pair(line: &str) -> Option<(&str, &str, usize)> {
    let inner = line.strip_prefix('[')?.trim_start();
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let is_name = name.chars().all(|letter| letter.is_alphanumeric() || "_+#=:-.".contains(letter));
    let value = value.trim_start().strip_prefix('"').filter(|_| is_name && !name.is_empty())?;
    value.match_indices('"').find_map(|(end, _)| {
        let rest = value[end + 1..].trim_start().strip_prefix(']')?;
        Some((name, &value[..end], line.len() - rest.len()))
    })
}

/// The move in the text of a single move, without its number and the assessment after it. The whole text where nothing
/// else is left.
///
/// ```
/// use bestmove_engine::game::bare_move;
/// assert_eq!(bare_move("12. Nf3!?"), "Nf3");
/// ```
#[must_use]
pub fn bare_move(text: &str) -> String {
    let plain = plain_text(text);
    let plain = plain.trim();
    let unnumbered = without_number(plain);
    let bare = unnumbered.split('$').next().unwrap_or_default().trim_end_matches(is_assessment);
    if bare.is_empty() { plain.to_owned() } else { bare.to_owned() }
}

/// A text without the number of a move before it: `1.e4`, `1. e4`, `1...e4`.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.starts_with(['.', '…']) { rest.trim_start_matches(['.', '…', ' ']) } else { text }
}

/// Whether a character belongs to a sign that assesses a move or a position, such as `!?`, `+-`, `=`, `±`, `∞`, `□` and
/// `→`.
pub(crate) fn is_assessment(letter: char) -> bool {
    const SIGNS: &str = "!?+-#=/*,.…†‡±‼⁇⁈⁉Δ~ '^";
    let is_piece = matches!(letter, '\u{2654}'..='\u{265f}');
    // Arrows, mathematical signs, technical signs, shapes, symbols and dingbats.
    let is_symbol = matches!(letter, '\u{2190}'..='\u{23ff}' | '\u{25a0}'..='\u{2bff}');
    SIGNS.contains(letter) || is_symbol && !is_piece
}

/// The beginning of a text that a caller sent, for a message: at most 100 characters.
///
/// ```
/// use bestmove_engine::game::excerpt;
/// assert_eq!(excerpt("e2e5"), "e2e5");
/// assert_eq!(excerpt(&"é".repeat(101)).chars().count(), 100);
/// ```
pub fn excerpt(text: &str) -> Cow<'_, str> {
    const MOST: usize = 100;
    match text.char_indices().nth(MOST - 1) {
        Some((end, _)) if text[end..].chars().nth(1).is_some() => {
            Cow::Owned(format!("{}…", &text[..end]))
        }
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_print_become_plain() {
        for (text, plain) in [
            ("O\u{2011}O", "O-O"),
            ("1\u{2013}0", "1-0"),
            ("11\u{2212}15", "11-15"),
            ("\u{feff}e4\u{200b}", "e4"),
            ("e4\u{a0}e5", "e4 e5"),
            ("e4\r\ne5\rd4", "e4\ne5\nd4"),
            ("\u{201c}a\u{201d}", "\"a\""),
            ("e\u{ad}4", "e4"),
            ("├─┼═╣ │X┃", "+-+-+ |X|"),
            ("♘\u{fe0e}f3", "♘f3"),
        ] {
            assert_eq!(plain_text(text), plain);
        }
    }

    #[test]
    fn a_position_may_stand_in_a_tag_or_in_quotation_marks() {
        for text in [
            "[FEN \"a b\"]",
            " [ FEN \"a b\" ] ",
            "\"a b\"",
            "a b",
            "\u{201c}a b\u{201d}",
            "\u{feff}a b",
            "[SetUp \"1\"]\n[FEN \"a b\"]",
        ] {
            assert_eq!(position_text(text), "a b", "{text}");
        }
        assert_eq!(position_text("X O X   O"), "X O X   O");
        assert_eq!(position_text("\""), "\"");
        assert_eq!(position_text(""), "");
    }

    #[test]
    fn a_bare_move_has_no_number_and_no_assessment() {
        for (text, bare) in [
            ("1.e4", "e4"),
            ("12... Nf6!?", "Nf6"),
            ("e4$1", "e4"),
            ("e4±", "e4"),
            ("e4+/-", "e4"),
            ("Nf3⩲", "Nf3"),
            ("e8=(Q)#", "e8=(Q)"),
            ("11-15*", "11-15"),
            ("--", "--"),
            ("♘f3", "♘f3"),
            ("Rxe4→", "Rxe4"),
        ] {
            assert_eq!(bare_move(text), bare);
        }
    }
}
