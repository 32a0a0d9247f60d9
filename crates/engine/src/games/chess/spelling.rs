//! How people spell moves beside the notations: figurines, other signs for capture and promotion, and
//! letters of the other case.

/// The figurines of the pieces with the letters that stand for them; the order is that of Unicode.
const FIGURINES: [char; 12] = ['K', 'Q', 'R', 'B', 'N', 'P', 'K', 'Q', 'R', 'B', 'N', 'P'];

/// The move with letters for figurines, `x` for a capture, nothing between a promotion and its piece, and no
/// remark about taking en passant.
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
    for remark in ["e.p.", "e.p", "ep.", "ep"] {
        if let Some(rest) = plain.strip_suffix(remark) {
            plain.truncate(rest.len());
            break;
        }
    }
    plain.replace(['/', '='], "")
}

/// Whether this is a null move, as chess programs and databases write it.
pub(super) fn is_null_move(plain: &str) -> bool {
    matches!(plain, "--" | "Z0" | "z0" | "0000" | "@@@@" | "<>" | "null" | "NULL" | "pass")
}

/// Other readings of a move that can't be played as it is written: a piece in lower case, squares in
/// upper case, and a novelty `N` or the like after the move.
pub(super) fn other_readings(plain: &str) -> Vec<String> {
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
