//! Spellings of moves that people use beside the notations: figurines, other signs for capture and promotion, and letters of
//! the other case.

/// The figurines of the pieces with the letters that stand for them; the order is that of Unicode.
const FIGURINES: [char; 12] = ['K', 'Q', 'R', 'B', 'N', 'P', 'K', 'Q', 'R', 'B', 'N', 'P'];

/// Remarks after a move, on captures en passant and on attacks on the king. Longer words come first.
const REMARKS: &str = "checkmate mate dis.ch. dis.ch dbl.ch. dbl.ch check ch. ch e.p. e.p ep. ep";

/// The move with letters for figurines, `x` for a capture, nothing between a promotion and its piece, and no
/// remark.
pub(super) fn plain(text: &str) -> String {
    let letters = text.trim().chars().map(|letter| match letter {
        '\u{2654}'..='\u{265f}' => FIGURINES[letter as usize - 0x2654],
        ':' => 'x',
        // The Cyrillic letters that look like those of castling.
        'О' | 'о' => 'O',
        other => other,
    });
    let mut plain: String = letters.filter(|letter| !matches!(letter, '(' | ')' | ' ')).collect();
    plain.truncate(plain.trim_end_matches(['+', '#', '!', '?']).len());
    let remark = REMARKS.split(' ').find(|remark| plain.ends_with(remark));
    plain.truncate(plain.len() - remark.map_or(0, str::len));
    plain.replace(['/', '='], "")
}

/// Whether `plain` is a null move in the spelling of chess programs and databases.
pub(super) fn is_null_move(plain: &str) -> bool {
    matches!(plain, "--" | "Z0" | "z0" | "0000" | "@@@@" | "<>" | "null" | "NULL" | "pass")
}

/// Other readings of a move that can't be played as it is written: a piece in lower case, squares in
/// upper case, a novelty `N` or the like after the move, castling without dashes, and a pawn's capture by its files.
pub(super) fn other_readings(plain: &str) -> Vec<String> {
    match plain.as_bytes() {
        b"00" | b"oo" | b"OO" => return vec!["O-O".to_owned()],
        b"000" | b"ooo" | b"OOO" => return vec!["O-O-O".to_owned()],
        [from @ b'a'..=b'h', b'x', to @ b'a'..=b'h'] | [from @ b'a'..=b'h', to @ b'a'..=b'h'] => {
            let [from, to] = [*from, *to].map(char::from);
            return (1..=8).map(|rank| format!("{from}x{to}{rank}")).collect();
        }
        _ => {}
    }
    let mut readings = Vec::new();
    let bare = ["TN", "N", "D"].iter().find_map(|sign| plain.strip_suffix(sign));
    readings.extend(bare.map(str::to_owned));
    let Some(first) = plain.chars().next().filter(|_| plain.is_ascii()) else { return readings };
    let (rest, lower) = (&plain[1..], plain.to_ascii_lowercase());
    let has_upper_squares = rest
        .contains(|letter: char| ('A'..='H').contains(&letter) || letter == 'X')
        || first.is_ascii_uppercase() && !"KQRBNPO".contains(first);
    if "kqrbn".contains(first) {
        readings.push(format!("{}{rest}", first.to_ascii_uppercase()));
    } else if has_upper_squares {
        readings.push(format!("{first}{}", &lower[1..]));
        readings.push(lower);
    }
    readings
}
