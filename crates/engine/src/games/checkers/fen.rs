//! Positions as PDN writes them: `B:W18,24,K27:B5,6`.

use super::super::bits::Bits;
use super::board::{CheckersBoard, KING_ROWS, bit_of, square_at, square_named};
use crate::game::{Position, PositionError, Side, excerpt};

/// A letter for each side, Black's first.
const LETTERS: [char; 2] = ['B', 'W'];
const NAMES: [&str; 2] = ["Black", "White"];

const MOST_PIECES: u32 = 12;

/// Writes the side to move, White's pieces and Black's.
pub(super) fn write(board: &CheckersBoard) -> String {
    let letter = LETTERS[board.side_to_move() as usize];
    format!("{letter}:W{}:B{}", list(board, Side::Second), list(board, Side::First))
}

/// The squares of a side's pieces, with a K before that of a king.
fn list(board: &CheckersBoard, side: Side) -> String {
    let names = Bits(board.pieces(side)).map(|bit| {
        let king = if board.kings >> bit & 1 != 0 { "K" } else { "" };
        format!("{king}{}", square_at(bit))
    });
    names.collect::<Vec<_>>().join(",")
}

/// Reads a position, if a game could have reached it.
pub(super) fn read(text: &str) -> Result<CheckersBoard, PositionError> {
    let text = text.replace('_', " ");
    let fields = without_ornaments(&text).split(':').map(str::trim);
    let fields: Vec<&str> = fields.filter(|field| !is_counter(field)).collect();
    let &[turn, first, second] = &fields[..] else {
        return refuse(format!(
            "expected three parts with colons between them, the side to move and the pieces of \
             both sides, as in B:W18,24:B5,6, but got {}",
            fields.len()
        ));
    };
    let Some((side, "")) = split_side(turn) else {
        return refuse(format!(
            "the side to move: expected B or W but got '{turn}'",
            turn = excerpt(turn)
        ));
    };
    let mut pieces = FenPieces::default();
    let listed = [pieces.read_list(first)?, pieces.read_list(second)?];
    if listed[0] == listed[1] {
        return refuse(format!("both lists of pieces are {}'s", NAMES[listed[0] as usize]));
    }
    pieces.check(side)?;
    Ok(CheckersBoard::new(pieces.by_side, pieces.kings, side))
}

/// Whether a text lists pieces, and has no rows of cells.
pub(super) fn is_list(text: &str) -> bool {
    text.contains([':', ','])
}

/// Reads the listed pieces, for a picture: the side to move and whether a game could reach the pieces do not matter.
pub(super) fn read_pieces(text: &str) -> Result<CheckersBoard, PositionError> {
    let fields = without_ornaments(text).split(':').map(str::trim);
    // One letter, or none, is the side to move; H and F begin the counters of moves.
    let lists = fields.filter(|field| field.len() > 1 && !field.starts_with(['H', 'h', 'F', 'f']));
    let mut pieces = FenPieces::default();
    for list in lists {
        pieces.read_list(list)?;
    }
    Ok(CheckersBoard::new(pieces.by_side, pieces.kings, Side::First))
}

/// Removes the quotation marks and the full stop that PDN files put around a position.
fn without_ornaments(text: &str) -> &str {
    let text = text.trim();
    let unquoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let text = unquoted.unwrap_or(text).trim();
    text.strip_suffix('.').unwrap_or(text)
}

/// Whether a field is a counter that PDN files may add: `H0`, the half moves without progress, or `F1`, the
/// number of the move.
fn is_counter(field: &str) -> bool {
    let digits = field.strip_prefix(['H', 'h', 'F', 'f']);
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The side that a text begins with, and the rest.
fn split_side(text: &str) -> Option<(Side, &str)> {
    let mut letters = text.chars();
    let side = match letters.next()?.to_ascii_uppercase() {
        'B' => Side::First,
        'W' => Side::Second,
        _ => return None,
    };
    Some((side, letters.as_str().trim()))
}

/// The pieces read so far.
#[derive(Default)]
struct FenPieces {
    by_side: [u64; 2],
    kings: u64,
}

impl FenPieces {
    /// Reads the pieces of one side, and returns the side.
    fn read_list(&mut self, list: &str) -> Result<Side, PositionError> {
        let Some((side, pieces)) = split_side(list) else {
            return refuse(format!(
                "a list of pieces begins with B or W, as in W18,24, but here is '{list}'",
                list = excerpt(list)
            ));
        };
        if !pieces.is_empty() {
            pieces.split(',').try_for_each(|piece| self.read_piece(side, piece.trim()))?;
        }
        Ok(side)
    }

    /// Reads `18`, `K18`, `1-12` or `K1-4`.
    fn read_piece(&mut self, side: Side, piece: &str) -> Result<(), PositionError> {
        let crowned = piece.strip_prefix(['K', 'k']);
        let squares = crowned.unwrap_or(piece);
        let (first, last) = match squares.split_once('-') {
            Some((first, last)) => (read_square(first)?, read_square(last)?),
            None => (read_square(squares)?, read_square(squares)?),
        };
        if first > last {
            return refuse(format!(
                "the range {squares} runs backwards",
                squares = excerpt(squares)
            ));
        }
        (first..=last).try_for_each(|square| self.place(side, square, crowned.is_some()))
    }

    fn place(&mut self, side: Side, square: u8, is_king: bool) -> Result<(), PositionError> {
        let bit = 1 << bit_of(square);
        if (self.by_side[0] | self.by_side[1]) & bit != 0 {
            return refuse(format!("square {square} is named twice"));
        }
        self.by_side[side as usize] |= bit;
        if is_king {
            self.kings |= bit;
        }
        Ok(())
    }

    /// Checks that a game could reach the pieces with `side` to move.
    fn check(&self, side: Side) -> Result<(), PositionError> {
        for (pieces, name) in self.by_side.into_iter().zip(NAMES) {
            let count = pieces.count_ones();
            if count > MOST_PIECES {
                return refuse(format!("{name} has {count} pieces, more than {MOST_PIECES}"));
            }
        }
        for ((pieces, name), king_row) in self.by_side.into_iter().zip(NAMES).zip(KING_ROWS) {
            if let Some(uncrowned) = Bits(pieces & king_row & !self.kings).next() {
                let square = square_at(uncrowned);
                return refuse(format!(
                    "{name} has a man on {square}, its king row, where it must be a king: \
                     K{square}"
                ));
            }
        }
        if self.by_side[side.other() as usize] == 0 {
            return refuse(format!(
                "{} has no pieces, but the side that moved last has one at least",
                NAMES[side.other() as usize]
            ));
        }
        Ok(())
    }
}

fn read_square(text: &str) -> Result<u8, PositionError> {
    let text = text.trim();
    match square_named(text) {
        Some(square) => Ok(square),
        None => {
            refuse(format!("expected a square, 1 to 32, but got '{text}'", text = excerpt(text)))
        }
    }
}

fn refuse<T>(reason: String) -> Result<T, PositionError> {
    Err(PositionError(reason))
}
