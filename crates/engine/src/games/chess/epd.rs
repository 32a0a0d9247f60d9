//! The operations of Extended Position Description (EPD), which test suites write after the fields of a
//! position: `bm Qg6; id "test 1";`.

use crate::game::{PositionError, excerpt};

/// The operations that say something about the position.
#[derive(Default)]
pub(super) struct Operations {
    /// `hmvc`: the halfmove clock.
    pub(super) clock: Option<u16>,
    /// `fmvn`: the move number.
    pub(super) number: Option<u16>,
}

/// The operations that may end without a semicolon.
const KNOWN: &str = "acd acn acs am bm ce dm draw_claim eco fmvn hmvc id nic pm pv sm resign";

/// Whether a field begins an operation: a letter, or the semicolon before it.
pub(super) fn begins(field: &str) -> bool {
    field.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == ';')
}

/// Reads the operations that follow the other fields. Other words are refused, since they could be moves.
pub(super) fn read<'t>(fields: impl Iterator<Item = &'t str>) -> Result<Operations, PositionError> {
    let text = fields.collect::<Vec<_>>().join(" ");
    let mut operations = Operations::default();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (operation, after) = match end(rest) {
            Some(end) => (&rest[..end], rest[end + 1..].trim_start()),
            None => (rest, ""),
        };
        let (name, operand) = operation.split_once(' ').unwrap_or((operation, ""));
        let is_known = KNOWN.split(' ').any(|known| known == name) || is_numbered(name);
        let is_operation = begins(name) && name != "moves" && (is_known || end(rest).is_some());
        if !operation.is_empty() && !is_operation {
            return Err(PositionError(format!(
                "a FEN has six fields: leave out '{name}' and what follows it; moves have a field of their own, \
                 and an operation of EPD ends with a semicolon",
                name = excerpt(name)
            )));
        }
        match name {
            "hmvc" => operations.clock = operand.trim().parse().ok(),
            "fmvn" => operations.number = operand.trim().parse().ok(),
            _ => {}
        }
        rest = after;
    }
    Ok(operations)
}

/// The end of the first operation: a semicolon outside of quotation marks.
fn end(text: &str) -> Option<usize> {
    let mut is_quoted = false;
    text.char_indices().find_map(|(at, letter)| {
        is_quoted ^= letter == '"';
        (letter == ';' && !is_quoted).then_some(at)
    })
}

/// The comments `c0` to `c9`, and the counts of moves `D1`, `D2`, … of perft suites.
fn is_numbered(name: &str) -> bool {
    let number = name.strip_prefix(['c', 'D']);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}
