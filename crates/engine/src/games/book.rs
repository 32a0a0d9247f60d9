//! Opening books of games that must end: the solver score and a best move of every unfinished position up to a
//! number of plies.
//!
//! A book is one deflate stream (RFC 1951): a byte with the number of plies; the solver scores of the positions
//! after that number of plies, symmetric ones once, a byte each, in the order of their canonical keys; and in that
//! order the [numbers](move_number) of their best moves. The reader derives the positions themselves, and the
//! scores of earlier positions, from the rules, which takes a few hundredths of a second. A look-up takes less than a
//! microsecond.

use std::io::{self, Read};

use flate2::read::DeflateDecoder;

use super::knowledge::invalid;
use crate::game::{Position, Score, SolverScore, final_value, outcome_and_score};

/// The entry of a position in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The proven solver score.
    pub value: SolverScore,
    /// The [number](move_number) of a move that holds the score.
    pub best_move: u8,
}

/// The number of a move: the place of the position to which it leads among the positions to which the moves
/// lead, by canonical key. Moves to symmetric positions have the same number, and a move has it in all symmetric
/// positions.
pub fn move_number<P: Position>(position: &P, mv: P::Move) -> u8 {
    let key = position.play(mv).canonical().0;
    next_keys(position).iter().filter(|&&next| next < key).count() as u8
}

/// The first move with this [number](move_number).
pub fn numbered_move<P: Position>(position: &P, number: u8) -> Option<P::Move> {
    let key = *next_keys(position).get(usize::from(number))?;
    position.legal_moves().into_iter().find(|&mv| position.play(mv).canonical().0 == key)
}

/// The canonical keys of the positions to which the moves lead, in ascending order.
fn next_keys<P: Position>(position: &P) -> Vec<u64> {
    let moves = position.legal_moves().into_iter();
    let mut keys: Vec<_> = moves.map(|mv| position.play(mv).canonical().0).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// A book, unpacked.
#[derive(Clone, Debug, Default)]
pub struct Book {
    plies: u8,
    /// Sorted by canonical key.
    entries: Vec<(u64, Entry)>,
}

impl Book {
    /// Reads a book of the game that begins at `start`.
    ///
    /// # Errors
    /// Where they are no deflate stream of such a book.
    pub fn read<P: Position>(bytes: &[u8], start: &P) -> io::Result<Self> {
        let mut unpacked = Vec::new();
        DeflateDecoder::new(bytes).read_to_end(&mut unpacked)?;
        let (&plies, rest) = unpacked.split_first().ok_or_else(|| invalid("the book is empty"))?;
        let mut generations = generations(start, plies);
        let last = generations.pop().unwrap_or_default();
        if rest.len() != 2 * last.len() {
            return Err(invalid("the book is not complete"));
        }
        let (values, moves) = rest.split_at(last.len());
        let entries = values
            .iter()
            .zip(moves)
            .map(|(&value, &best_move)| Entry { value: value as SolverScore, best_move });
        let mut next: Vec<_> = last.into_iter().map(|(key, _)| key).zip(entries).collect();
        let mut all = next.clone();
        for generation in generations.into_iter().rev() {
            next = generation
                .into_iter()
                .map(|(key, position)| (key, backed_up(&position, &next)))
                .collect();
            all.extend_from_slice(&next);
        }
        all.sort_unstable_by_key(|&(key, _)| key);
        Ok(Self { plies, entries: all })
    }

    /// The plies up to which it has every position.
    pub fn plies(&self) -> u8 {
        self.plies
    }

    /// The entry of an unfinished position.
    pub fn entry<P: Position>(&self, position: &P) -> Option<Entry> {
        found(&self.entries, position.canonical().0)
    }

    /// The solver score of an unfinished position.
    pub fn value<P: Position>(&self, position: &P) -> Option<SolverScore> {
        self.entry(position).map(|entry| entry.value)
    }

    /// The score of an unfinished position.
    pub fn score<P: Position>(&self, position: &P) -> Option<Score> {
        let value = self.value(position)?;
        position.plies_left().map(|plies| outcome_and_score(value, plies).1)
    }

    /// A move that holds the solver score of an unfinished position.
    pub fn best_move<P: Position>(&self, position: &P) -> Option<P::Move> {
        numbered_move(position, self.entry(position)?.best_move)
    }

    /// All entries, by canonical key in ascending order.
    pub fn entries(&self) -> &[(u64, Entry)] {
        &self.entries
    }
}

/// The unfinished positions after each number of plies up to `plies`, symmetric ones once, by canonical key.
pub(super) fn generations<P: Position>(start: &P, plies: u8) -> Vec<Vec<(u64, P)>> {
    let mut all = vec![vec![(start.canonical().0, start.clone())]];
    for ply in 0..usize::from(plies) {
        let mut next = Vec::new();
        for (_, position) in &all[ply] {
            let children = position.legal_moves().into_iter().map(|mv| position.play(mv));
            let unfinished = children.filter(|child| child.outcome().is_none());
            next.extend(unfinished.map(|child| (child.canonical().0, child)));
        }
        next.sort_unstable_by_key(|&(key, _)| key);
        next.dedup_by_key(|&mut (key, _)| key);
        all.push(next);
    }
    all
}

/// The entry of a position by the entries of the positions after it.
fn backed_up<P: Position>(position: &P, next: &[(u64, Entry)]) -> Entry {
    let moves = position.legal_moves().into_iter().map(|mv| {
        let child = position.play(mv);
        let value = child.outcome().map(|outcome| final_value(outcome, &child));
        let value = value.or_else(|| found(next, child.canonical().0).map(|entry| entry.value));
        // Every unfinished position has an entry, and the value of none is as low as this.
        (value.map_or(SolverScore::MIN + 1, |value| -value), mv)
    });
    let best = moves.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(Entry { value: 0, best_move: 0 }, |(value, mv)| Entry {
        value,
        best_move: move_number(position, mv),
    })
}

fn found(entries: &[(u64, Entry)], key: u64) -> Option<Entry> {
    let place = entries.binary_search_by_key(&key, |&(key, _)| key).ok()?;
    Some(entries[place].1)
}
