//! The embedded tables.
//!
//! A file is a [`Header`] and a section for each slice of three and more men. A section begins with the length of its
//! model (32 bits); 0 stands for a slice that is left out, since the positions after its moves are kept. The
//! [`Model`] follows, the lengths of all blocks (16 bits each), and the blocks.

use std::io;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::super::super::endgame::{Decoder, Header, Model, Slice};
use super::super::super::knowledge::invalid;
use super::memo::Memo;
use super::packing::{Bucket, NODES, blocks, code_block, place_in_block};
use super::placement::ChessPlacement;
use super::slice::{ChessSlice, MOST_MEN};
use crate::game::TableForm;

/// The unpacked blocks that are kept, of up to 2 KiB each.
const SLOTS: usize = 6144;

/// Tables that can be asked.
#[derive(Debug)]
pub(super) struct BucketTables {
    file: &'static [u8],
    /// By the index of the slice.
    sections: Vec<Option<Section>>,
    /// The blocks that were asked for last, each in the slot that the remainder of its number tells.
    slots: Vec<Mutex<Option<Unpacked>>>,
    /// The exact values that were asked for last.
    pub(super) memo: Memo,
}

/// The number of a block, and its buckets.
type Unpacked = (usize, Vec<Bucket>);

/// The part of the file that a slice has.
#[derive(Debug)]
struct Section {
    /// The number of its first block.
    first: usize,
    model_bytes: Range<usize>,
    model: OnceLock<Model>,
    /// Where each block begins, and where the last one ends.
    starts: Vec<usize>,
}

impl BucketTables {
    /// The tables that a file holds.
    pub(super) fn new(file: &'static [u8]) -> io::Result<Self> {
        let header = Header::read(file, MOST_MEN as u32);
        let header = header.filter(|header| header.form == TableForm::Packed);
        let header = header.ok_or_else(|| invalid("not a table of this version"))?;
        let mut sections: Vec<_> =
            std::iter::repeat_with(|| None).take(ChessSlice::INDICES).collect();
        let (mut place, mut first) = (Header::LENGTH, 0);
        for slice in (3..=header.pieces as u8).flat_map(ChessSlice::of_pieces) {
            let section = Section::read(file, &mut place, slice, first)?;
            first += section.as_ref().map_or(0, |_| blocks(slice));
            sections[slice.index()] = section;
        }
        if place != file.len() {
            return Err(invalid("the file is not complete"));
        }
        let slots = std::iter::repeat_with(Mutex::default).take(SLOTS).collect();
        Ok(Self { file, sections, slots, memo: Memo::default() })
    }

    /// Whether there are buckets of the positions of a slice.
    pub(super) fn has(&self, slice: ChessSlice) -> bool {
        self.sections.get(slice.index()).is_some_and(Option::is_some)
    }

    /// The bucket of a position in which nothing can be captured en passant; none where its slice is left out.
    pub(super) fn bucket(&self, placement: &ChessPlacement) -> Option<Bucket> {
        let slice = placement.slice();
        let section = self.sections.get(slice.index())?.as_ref()?;
        let (_, number) = ChessSlice::place(&placement.canonical());
        let (block, place) = place_in_block(slice, number);
        let id = section.first + block;
        let mut slot = self.slots[id % SLOTS].lock().unwrap_or_else(PoisonError::into_inner);
        let (_, buckets) = match &mut *slot {
            Some(kept) if kept.0 == id => kept,
            slot => slot.insert((id, self.unpacked(slice, section, block))),
        };
        buckets.get(place).copied()
    }

    fn unpacked(&self, slice: ChessSlice, section: &Section, block: usize) -> Vec<Bucket> {
        let model = section.model.get_or_init(|| {
            let bytes = self.file.get(section.model_bytes.clone()).unwrap_or_default();
            Model::read(bytes, NODES).unwrap_or_default()
        });
        let range = section.starts[block]..section.starts[block + 1];
        let bytes = self.file.get(range).unwrap_or_default();
        code_block(slice, block, &mut Decoder::new(model, bytes), |_| 0)
    }
}

impl Section {
    /// The section at this place, which then is that of the next one; none where the slice is left out.
    fn read(
        file: &[u8],
        place: &mut usize,
        slice: ChessSlice,
        first: usize,
    ) -> io::Result<Option<Self>> {
        let incomplete = || invalid("the file is not complete");
        let mut take = |bytes: usize| {
            let range = *place..place.saturating_add(bytes);
            *place = range.end;
            file.get(range.clone()).map(|bytes| (range, bytes)).ok_or_else(incomplete)
        };
        let (_, length) = take(4)?;
        let length = length.iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
        if length == 0 {
            return Ok(None);
        }
        let (model_bytes, _) = take(length)?;
        let (lengths_range, lengths) = take(2 * blocks(slice))?;
        let mut starts = vec![lengths_range.end];
        for length in lengths.chunks_exact(2) {
            let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
            starts.push(take(length)?.0.end);
        }
        Ok(Some(Self { first, model_bytes, model: OnceLock::new(), starts }))
    }
}
