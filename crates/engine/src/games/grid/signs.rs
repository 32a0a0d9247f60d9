//! The signs that people write for the pieces of a grid.

use crate::game::{Piece, PositionError, Side};

/// Signs of the first side and of the second one that are written together, in every game. A game adds the symbols of
/// its pieces and the initials of their labels.
const PAIRS: [[&str; 2]; 7] =
    [["X", "O"], ["*", "O"], ["#", "O"], ["@", "O"], ["●", "○"], ["1", "2"], ["1", "-1"]];

/// The signs for the pieces of a game.
#[derive(Clone, Copy)]
pub(super) struct Signs<'a>(pub(super) &'a [Piece; 2]);

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    Empty,
    Piece(Side),
}

impl<'a> Signs<'a> {
    /// The signs that are written together: of the first side, and of the second one.
    fn pairs(self) -> impl Iterator<Item = [&'a str; 2]> {
        let pieces = self.0;
        let symbols = [pieces[0].symbol, pieces[1].symbol];
        PAIRS.into_iter().chain([symbols, self.initials()])
    }

    fn initials(self) -> [&'a str; 2] {
        [0, 1].map(|side| self.0[side].label.split_at(1).0)
    }

    /// The cell that a text stands for; `None` for a text that stands for no cell.
    pub(super) fn cell(self, text: &str) -> Option<Cell> {
        let sign = bare(text);
        if matches!(sign, "" | "." | "-" | "_" | "0") {
            return Some(Cell::Empty);
        }
        let side = [Side::First, Side::Second]
            .into_iter()
            .find(|&side| self.pairs().any(|pair| pair[side as usize].eq_ignore_ascii_case(sign)));
        side.map(Cell::Piece)
    }

    /// The side of this sign or name, such as `black`.
    pub(super) fn side(self, word: &str) -> Option<Side> {
        if let Some(Cell::Piece(side)) = self.cell(word) {
            return Some(side);
        }
        [Side::First, Side::Second].into_iter().find(|&side| {
            let label = self.0[side as usize].label.split(' ').next();
            label.is_some_and(|name| name.eq_ignore_ascii_case(word.trim()))
        })
    }

    /// Refuses signs that are not written together, and zeros that could be empty cells or the letter O.
    pub(super) fn check(self, cells: &[&str]) -> Result<(), PositionError> {
        let signs: Vec<&str> = cells.iter().map(|cell| bare(cell)).collect();
        let [first, second] = [Side::First, Side::Second].map(|side| -> Vec<&str> {
            let is_of_side = Some(Cell::Piece(side));
            signs.iter().copied().filter(|sign| self.cell(sign) == is_of_side).collect()
        });
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

/// A sign without what surrounds it: blanks, and the mark by which a symbol is shown in colours.
fn bare(text: &str) -> &str {
    text.trim().trim_end_matches('\u{fe0f}')
}
