//! What stands at the beginning of a file.
//!
//! A mark, then in little-endian numbers the most pieces of its positions and the form (32 bits each),
//! and a checksum of what the file says (64 bits).

use flate2::Crc;

use crate::game::TableForm;

const MARK: &[u8; 8] = b"endgame1";

/// The forms by their numbers.
const FORMS: [TableForm; 3] = [TableForm::Plain, TableForm::Packed, TableForm::Outcomes];

/// What a file is.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// The most pieces of its positions.
    pub pieces: u32,
    /// What it says, and how.
    pub form: TableForm,
    /// Tells it from others.
    pub checksum: u64,
}

impl Header {
    /// The bytes that it takes.
    pub const LENGTH: usize = 24;

    /// The header of a file that says `bytes`.
    #[must_use]
    pub fn of(pieces: u32, form: TableForm, bytes: &[u8]) -> Self {
        let mut crc = Crc::new();
        crc.update(bytes);
        Self { pieces, form, checksum: u64::from(crc.sum()) }
    }

    /// The bytes of the header.
    #[must_use]
    pub fn written(&self) -> Vec<u8> {
        let (pieces, form) = (self.pieces.to_le_bytes(), (self.form as u32).to_le_bytes());
        [&MARK[..], &pieces, &form, &self.checksum.to_le_bytes()].concat()
    }

    /// The header of a file; none where there is none of this version, or it has more pieces.
    pub(in super::super) fn read(file: &[u8], most_pieces: u32) -> Option<Self> {
        let (mark, rest) = file.split_first_chunk()?;
        let (pieces, rest) = rest.split_first_chunk()?;
        let (form, rest) = rest.split_first_chunk()?;
        let (checksum, _) = rest.split_first_chunk()?;
        let pieces = u32::from_le_bytes(*pieces);
        let form = *FORMS.get(u32::from_le_bytes(*form) as usize)?;
        let checksum = u64::from_le_bytes(*checksum);
        let is_possible = mark == MARK && (2..=most_pieces).contains(&pieces);
        is_possible.then_some(Self { pieces, form, checksum })
    }
}
