//! Binary arithmetic coding with probabilities that are part of the file (Witten, Neal and Cleary, *Arithmetic Coding
//! for Data Compression*, 1987).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, Read};
use std::sync::LazyLock;

use flate2::read::DeflateDecoder;

use super::super::knowledge::invalid;

/// Codes binary decisions, each in a context that tells its probability.
pub trait BinaryCoder {
    /// Codes a decision. Returns it; a decoder returns the one that was coded, whatever `bit` is.
    fn code(&mut self, context: u32, bit: bool) -> bool;
}

/// The steps of a logarithm of odds to the base e by which probabilities are told apart.
const STEPS: f64 = 16.0;

/// The probability of a 1, of 65 536, by its level: level 128 is one half, and each level more raises the logarithm of
/// the odds by a sixteenth.
fn probability(level: u8) -> u32 {
    static PROBABILITIES: LazyLock<[u32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|level| {
            let log_odds = (f64::from(level as u8) - 128.0) / STEPS;
            (65_536.0 / (1.0 + libm::exp(-log_odds))) as u32
        })
    });
    PROBABILITIES[usize::from(level)]
}

/// Spreads contexts: a multiplication, since they are asked for at every decision.
#[derive(Debug, Default)]
pub struct ContextHasher(u64);

impl Hasher for ContextHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
    }
}

/// The levels of the probabilities by context.
pub type Levels = HashMap<u32, u8, BuildHasherDefault<ContextHasher>>;

/// The levels of the probabilities of all contexts.
#[derive(Debug, Default)]
pub struct Model {
    levels: Levels,
    /// The contexts of which those below a multiple share the fallback of that number.
    nodes: u32,
}

impl Model {
    /// A model of these levels. A context that it leaves out has the level of the context with the same remainder by
    /// `nodes` from [`Self::FALLBACK`] on.
    #[must_use]
    pub fn new(levels: Levels, nodes: u32) -> Self {
        Self { levels, nodes }
    }

    /// The first of the contexts that stand for all that are left out.
    pub const FALLBACK: u32 = 1 << 24;

    /// The level of a context.
    #[must_use]
    pub fn level(&self, context: u32) -> u8 {
        let fallback = || self.levels.get(&(Self::FALLBACK + context % self.nodes));
        self.levels.get(&context).or_else(fallback).copied().unwrap_or(128)
    }

    /// Reads a model: in a deflate stream the number of contexts (32 bits), the contexts in ascending order (32 bits
    /// each) less the one before, and their levels.
    pub(in super::super) fn read(stream: &[u8], nodes: u32) -> io::Result<Self> {
        let mut bytes = Vec::new();
        DeflateDecoder::new(stream).read_to_end(&mut bytes)?;
        let (words, rest) = bytes.split_first_chunk::<4>().ok_or_else(|| invalid("no model"))?;
        let count = u32::from_le_bytes(*words) as usize;
        if rest.len() != count.saturating_mul(5) {
            return Err(invalid("the model is not complete"));
        }
        let (contexts, levels) = rest.split_at(4 * count);
        let mut context = 0_u32;
        let contexts = contexts.chunks_exact(4).map(|step| {
            context =
                context.wrapping_add(u32::from_le_bytes([step[0], step[1], step[2], step[3]]));
            context
        });
        Ok(Self::new(contexts.zip(levels.iter().copied()).collect(), nodes))
    }
}

/// Decodes the decisions of a block.
#[derive(Debug)]
pub struct Decoder<'a> {
    model: &'a Model,
    /// What is left of the block; zeros follow.
    bytes: &'a [u8],
    low: u32,
    high: u32,
    value: u32,
}

impl<'a> Decoder<'a> {
    /// Decodes a block from its beginning.
    #[must_use]
    pub fn new(model: &'a Model, bytes: &'a [u8]) -> Self {
        let mut decoder = Self { model, bytes, low: 0, high: u32::MAX, value: 0 };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        let (next, rest) =
            self.bytes.split_first().map_or((0, self.bytes), |(&next, rest)| (next, rest));
        self.bytes = rest;
        self.value = self.value << 8 | u32::from(next);
    }
}

/// The last number of the part of a range that stands for a 1 of this probability.
#[must_use]
pub fn split(low: u32, high: u32, level: u8) -> u32 {
    let range = u64::from(high - low);
    low + ((range * u64::from(probability(level))) >> 16) as u32
}

impl BinaryCoder for Decoder<'_> {
    fn code(&mut self, context: u32, _: bool) -> bool {
        let middle = split(self.low, self.high, self.model.level(context));
        let bit = self.value <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.shift();
        }
        bit
    }
}
