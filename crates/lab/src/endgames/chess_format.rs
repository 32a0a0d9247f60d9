//! Files of the endings of chess, as the engine reads them: each slice, or its reverse where that is smaller, with its
//! model and its blocks.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::io::{self, Write};

use bestmove_engine::game::TableForm;
use bestmove_engine::games::chess::endgame::{ChessSlice, NODES, blocks, bucket, code_block};
use bestmove_engine::games::endgame::{
    BinaryCoder, ContextHasher, Header, Levels, Model, Plies, Slice, SliceLayout, split,
};
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// A context with fewer decisions shares the fallback of its kind.
const FEW: u32 = 12;

pub(super) fn write_buckets(pieces: u32, values: &[Plies], sink: &mut dyn Write) -> io::Result<()> {
    let layout = SliceLayout::<ChessSlice>::up_to(pieces as u8);
    let section = |slice: ChessSlice| {
        let start = layout.start(slice).unwrap_or_default();
        section(slice, &values[start..start + slice.positions()])
    };
    let mut sections: Vec<Option<Vec<u8>>> = vec![None; ChessSlice::INDICES];
    let slices: Vec<_> = (3..=pieces as u8).flat_map(ChessSlice::of_pieces).collect();
    for &slice in &slices {
        let reversed = slice.reversed();
        if reversed.index() < slice.index() {
            continue;
        }
        let (own, other) = (section(slice)?, section(reversed)?);
        let (kept, bytes) = if own.len() <= other.len() { (slice, own) } else { (reversed, other) };
        sections[kept.index()] = Some(bytes);
    }
    let mut bytes = Vec::new();
    for slice in slices {
        match &sections[slice.index()] {
            Some(section) => bytes.extend_from_slice(section),
            None => bytes.extend_from_slice(&[0; 4]),
        }
    }
    sink.write_all(&Header::of(pieces, TableForm::Packed, &bytes).written())?;
    sink.write_all(&bytes)
}

/// The section of a slice.
fn section(slice: ChessSlice, values: &[Plies]) -> io::Result<Vec<u8>> {
    let value = |number: usize| bucket(values[number]);
    let mut counter = Counter::default();
    for block in 0..blocks(slice) {
        code_block(slice, block, &mut counter, value);
    }
    let levels = counter.levels();
    let stream = written(&levels)?;
    let model = Model::new(levels, NODES);
    let (mut lengths, mut coded) = (Vec::new(), Vec::new());
    for block in 0..blocks(slice) {
        let mut encoder = Encoder::new(&model);
        code_block(slice, block, &mut encoder, value);
        let bytes = encoder.finish();
        let length = u16::try_from(bytes.len()).map_err(io::Error::other)?;
        lengths.extend_from_slice(&length.to_le_bytes());
        coded.extend_from_slice(&bytes);
    }
    Ok([&(stream.len() as u32).to_le_bytes(), &stream[..], &lengths, &coded].concat())
}

/// The numbers of zeros and ones among the decisions in each context.
#[derive(Default)]
struct Counter(HashMap<u32, [u32; 2], BuildHasherDefault<ContextHasher>>);

impl BinaryCoder for Counter {
    fn code(&mut self, context: u32, bit: bool) -> bool {
        for context in [context, Model::FALLBACK + context % NODES] {
            self.0.entry(context).or_default()[usize::from(bit)] += 1;
        }
        bit
    }
}

impl Counter {
    /// The levels of the probabilities of all contexts with enough decisions.
    fn levels(&self) -> Levels {
        let is_kept = |&(&context, counts): &(&u32, &[u32; 2])| {
            context >= Model::FALLBACK || counts[0] + counts[1] >= FEW
        };
        self.0.iter().filter(is_kept).map(|(&context, counts)| (context, level(*counts))).collect()
    }
}

/// The level of the probability of a 1, by the counts of zeros and ones.
fn level(counts: [u32; 2]) -> u8 {
    let [zeros, ones] = counts.map(|count| f64::from(count) + 0.4);
    let cost = |level: u8| {
        let one = f64::from(split(0, u32::MAX, level)) / f64::from(u32::MAX);
        -(ones * one.ln() + zeros * (1.0 - one).ln())
    };
    (0..=u8::MAX).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(128)
}

/// The bytes of a model as the engine reads it.
fn written(levels: &Levels) -> io::Result<Vec<u8>> {
    let mut sorted: Vec<_> = levels.iter().map(|(&context, &level)| (context, level)).collect();
    sorted.sort_unstable();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&(sorted.len() as u32).to_le_bytes())?;
    let mut last = 0;
    for &(context, _) in &sorted {
        encoder.write_all(&(context - last).to_le_bytes())?;
        last = context;
    }
    for &(_, level) in &sorted {
        encoder.write_all(&[level])?;
    }
    encoder.finish()
}

/// Encodes the decisions of a block.
struct Encoder<'a> {
    model: &'a Model,
    bytes: Vec<u8>,
    low: u32,
    high: u32,
}

impl<'a> Encoder<'a> {
    fn new(model: &'a Model) -> Self {
        Self { model, bytes: Vec::new(), low: 0, high: u32::MAX }
    }

    /// Ends the block and returns its bytes. The decoder reads zeros behind them.
    fn finish(mut self) -> Vec<u8> {
        if self.low > 0 {
            // The first bytes of the ends of the range differ, so this byte leads between them.
            self.bytes.push((self.low >> 24) as u8 + 1);
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl BinaryCoder for Encoder<'_> {
    fn code(&mut self, context: u32, bit: bool) -> bool {
        let middle = split(self.low, self.high, self.model.level(context));
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
        bit
    }
}
