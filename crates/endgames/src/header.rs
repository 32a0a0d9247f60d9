//! What stands at the beginning of a file.

use std::io;

use flate2::Crc;

use crate::invalid;

const MARK: &[u8; 8] = b"endgame1";

/// What a file says, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The exact values, to be mapped into memory.
    Plain,
    /// The exact values, compressed.
    Packed,
    /// Who wins the positions with the most pieces, compressed.
    Outcomes,
}

/// The forms, by number.
const FORMS: [Form; 3] = [Form::Plain, Form::Packed, Form::Outcomes];

/// The name of the file that holds a game's table of up to `pieces` pieces.
///
/// ```
/// use bestmove_endgames::{Form, file_name};
/// assert_eq!(file_name("checkers", 4, Form::Plain), "checkers-4.tables");
/// ```
#[must_use]
pub fn file_name(game: &str, pieces: u32, form: Form) -> String {
    let kind = if form == Form::Outcomes { "outcomes" } else { "tables" };
    format!("{game}-{pieces}.{kind}")
}

/// What a file is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    /// The most pieces of a position.
    pub(crate) pieces: u32,
    pub(crate) form: Form,
    pub(crate) checksum: u64,
}

impl Header {
    /// The bytes of a header.
    pub(crate) const LENGTH: usize = 24;

    /// The bytes of the header of a file that says `bytes`.
    pub(crate) fn written(pieces: u32, form: Form, bytes: &[u8]) -> Vec<u8> {
        let (pieces, form) = (pieces.to_le_bytes(), (form as u32).to_le_bytes());
        [&MARK[..], &pieces, &form, &checksum([bytes]).to_le_bytes()].concat()
    }

    /// The header of a file. Refuses a file of another version, or with more than `most_pieces` pieces.
    pub(crate) fn read(file: &[u8], most_pieces: usize) -> io::Result<Self> {
        Self::parsed(file, most_pieces).ok_or_else(|| invalid("not a table of this version"))
    }

    fn parsed(file: &[u8], most_pieces: usize) -> Option<Self> {
        let (mark, rest) = file.split_first_chunk()?;
        let (pieces, rest) = rest.split_first_chunk()?;
        let (form, rest) = rest.split_first_chunk()?;
        let (checksum, _) = rest.split_first_chunk()?;
        let pieces = u32::from_le_bytes(*pieces);
        let form = *FORMS.get(u32::from_le_bytes(*form) as usize)?;
        let checksum = u64::from_le_bytes(*checksum);
        let is_possible = mark == MARK && (2..=most_pieces as u32).contains(&pieces);
        is_possible.then_some(Self { pieces, form, checksum })
    }
}

/// The checksum of all parts, one after the other.
pub(crate) fn checksum(bytes: impl IntoIterator<Item = impl AsRef<[u8]>>) -> u64 {
    let mut crc = Crc::new();
    bytes.into_iter().for_each(|bytes| crc.update(bytes.as_ref()));
    u64::from(crc.sum())
}
