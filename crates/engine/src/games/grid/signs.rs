//! The signs that people write for the pieces of a grid.

use crate::game::{GameInfo, PositionError, Side};

/// Signs of the first side and of the second one that are written together, in every game. A game adds the symbols of
/// its pieces, the names of its sides and their initials.
const PAIRS: [[&str; 2]; 8] = [
    ["X", "O"],
    ["*", "O"],
    ["#", "O"],
    ["@", "O"],
    ["●", "○"],
    ["❌", "⭕"],
    ["1", "2"],
    ["1", "-1"],
];

/// Signs of the empty cell. `None` is how Python prints it.
const EMPTY: [&str; 8] = ["", ".", "-", "_", "0", "None", "⬜", "⬛"];

/// Signs of the empty cell in games whose pieces have other symbols.
const DISCS: [&str; 2] = ["⚪", "⚫"];

/// The signs for the pieces of a game.
#[derive(Clone, Copy)]
pub(super) struct Signs(pub(super) &'static GameInfo);

impl Signs {
    /// The pairs of signs of the first and the second side.
    fn pairs(self) -> impl Iterator<Item = [&'static str; 2]> {
        let pieces = self.0.pieces;
        let symbols = [pieces[0].symbol, pieces[1].symbol];
        PAIRS.into_iter().chain([symbols, self.initials(), self.names()])
    }

    /// The names of the sides, such as `black`.
    pub(super) fn names(self) -> [&'static str; 2] {
        self.0.sides
    }

    /// Whether a text stands for an empty cell.
    pub(super) fn is_empty(self, text: &str) -> bool {
        let sign = bare(text);
        let is_disc = DISCS.contains(&sign)
            && self.0.pieces.iter().all(|piece| !DISCS.contains(&piece.symbol));
        is_disc || EMPTY.contains(&sign)
    }

    fn initials(self) -> [&'static str; 2] {
        self.names().map(|name| name.split_at(1).0)
    }

    /// The side with the sign or name `word`, such as `black`.
    pub(super) fn side(self, word: &str) -> Option<Side> {
        let sign = bare(word);
        Side::BOTH
            .into_iter()
            .find(|&side| self.pairs().any(|pair| pair[side as usize].eq_ignore_ascii_case(sign)))
    }

    /// Refuses signs of different pairs, and zeros that could be empty cells or the letter O.
    pub(super) fn check(self, cells: &[&str]) -> Result<(), PositionError> {
        let signs: Vec<&str> = cells.iter().map(|cell| bare(cell)).collect();
        let [first, second] = Side::BOTH.map(|side| -> Vec<&str> {
            signs.iter().copied().filter(|sign| self.side(sign) == Some(side)).collect()
        });
        let empty_discs =
            DISCS.iter().filter(|&&sign| self.is_empty(sign) && signs.contains(&sign)).count();
        let has_blank = EMPTY.iter().any(|sign| signs.contains(sign));
        if empty_discs + usize::from(has_blank) > 1 {
            return Err(self.mixed());
        }
        let fits = self.pairs().find(|pair| {
            first.iter().all(|sign| sign.eq_ignore_ascii_case(pair[0]))
                && second.iter().all(|sign| sign.eq_ignore_ascii_case(pair[1]))
        });
        let has_numbers = ["1", "2", "-1"].iter().any(|sign| signs.contains(sign));
        let may_be_letter = !first.is_empty() && fits.is_some_and(|pair| pair[1] == "O");
        let has_other_empty = [".", "-", "_"].iter().any(|sign| signs.contains(sign));
        let is_zero_unclear = signs.contains(&"0")
            && second.is_empty()
            && !has_numbers
            && (may_be_letter || has_other_empty);
        if is_zero_unclear || fits.is_none() && has_numbers {
            return Err(PositionError(
                "the cells are both digits and other signs: write X, O and . for the empty cell, or 1, 2 \
                 and 0"
                    .to_owned(),
            ));
        }
        match fits {
            Some(_) => Ok(()),
            None => Err(self.mixed()),
        }
    }

    fn mixed(self) -> PositionError {
        let [first, second] = self.initials().map(str::to_uppercase);
        let initials = match first.as_str() {
            "X" => String::new(),
            _ => format!(", or {first}, {second} and ."),
        };
        PositionError(format!(
            "the cells are signs that are not written together: write X, O and . for the empty cell{initials}"
        ))
    }
}

/// A sign without the blanks around it and the mark by which a symbol is shown in colours.
fn bare(text: &str) -> &str {
    text.trim().trim_end_matches('\u{fe0f}')
}
