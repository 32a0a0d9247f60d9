//! Linear evaluations with tapered weights, which a tuner can fit to games.
//!
//! Feature extraction counts features into an [`Accumulator`]: a [`Sum`] for the score, a list for the tuner. Both use
//! the same code.

use std::ops::{Add, AddAssign, Mul};

/// A tapered weight, or a sum of such weights: one value for the opening and one for the ending, packed into one
/// integer so that both are added at once.
///
/// ```
/// use bestmove_engine::game::linear::Tapered;
/// let sum = Tapered::new(30, -10) * 2 + Tapered::new(-5, 1);
/// assert_eq!((sum.opening(), sum.ending()), (55, -19));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered(i32);

impl Tapered {
    /// The weight of these two values. Values and sums lie within plus or minus 32000.
    #[must_use]
    pub const fn new(opening: i32, ending: i32) -> Self {
        Self((ending << 16).wrapping_add(opening))
    }

    /// The value in the opening.
    #[must_use]
    pub const fn opening(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value in the ending.
    #[must_use]
    pub const fn ending(self) -> i32 {
        // A negative lower half has borrowed from the upper one.
        self.0.wrapping_add(1 << 15) >> 16
    }
}

impl Add for Tapered {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    fn mul(self, times: i32) -> Self {
        Self(self.0.wrapping_mul(times))
    }
}

/// Weights of one kind, such as a piece-square table.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The features that they weigh.
    pub name: &'static str,
    /// How many there are.
    pub len: usize,
    /// The value from which the tuner starts.
    pub guess: i32,
}

impl Group {
    /// So many weights that start at 0.
    #[must_use]
    pub const fn new(name: &'static str, len: usize) -> Self {
        Self { name, len, guess: 0 }
    }

    /// One weight with a value to start from.
    #[must_use]
    pub const fn guessed(name: &'static str, guess: i32) -> Self {
        Self { guess, ..Self::new(name, 1) }
    }
}

/// The groups of weights that make up an evaluation, in the order of their indices.
///
/// ```
/// use bestmove_engine::game::linear::{Group, Layout, Tapered, read_weights};
/// const LAYOUT: Layout = Layout(&[Group::guessed("tempo", 8), Group::new("man", 2)]);
/// const WEIGHTS: [Tapered; LAYOUT.len()] = read_weights("tempo\n8 8\nman\n100 110\n90 120\n");
/// assert_eq!((LAYOUT.first("man"), LAYOUT.is_empty(), LAYOUT.0[0].guess), (1, false, 8));
/// assert_eq!(WEIGHTS[LAYOUT.first("man")].ending(), 110);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Layout(pub &'static [Group]);

impl Layout {
    /// The number of all weights.
    #[must_use]
    pub const fn len(&self) -> usize {
        let (mut group, mut len) = (0, 0);
        while group < self.0.len() {
            len += self.0[group].len;
            group += 1;
        }
        len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of the first weight of the group of this name; for constants, since it panics
    /// where there is none.
    #[must_use]
    pub const fn first(&self, name: &str) -> usize {
        let (mut group, mut first) = (0, 0);
        while !is_same(self.0[group].name, name) {
            first += self.0[group].len;
            group += 1;
        }
        first
    }
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// Reads the `N` weights that a tuner has written: an opening and an ending value each, under lines
/// with the names of the groups. For constants, since it panics where the text is something else.
#[must_use]
pub const fn read_weights<const N: usize>(text: &str) -> [Tapered; N] {
    let text = text.as_bytes();
    let mut weights = [Tapered(0); N];
    let (mut at, mut known) = (0, 0);
    while at < text.len() {
        match text[at] {
            b' ' | b'\n' => at += 1,
            b'-' | b'0'..=b'9' => {
                let (opening, after) = read_number(text, at);
                let (ending, after) = read_number(text, after + 1);
                weights[known] = Tapered::new(opening, ending);
                (known, at) = (known + 1, after);
            }
            _ => {
                while text[at] != b'\n' {
                    at += 1;
                }
            }
        }
    }
    assert!(known == N, "as many weights as the layout has");
    weights
}

/// The number that begins at `at`, and where it ends.
const fn read_number(text: &[u8], mut at: usize) -> (i32, usize) {
    let is_negative = text[at] == b'-';
    if is_negative {
        at += 1;
    }
    assert!(text[at].is_ascii_digit(), "a number");
    let mut number = 0;
    while at < text.len() && text[at].is_ascii_digit() {
        number = 10 * number + (text[at] - b'0') as i32;
        at += 1;
    }
    (if is_negative { -number } else { number }, at)
}

/// Where features are counted.
pub trait Accumulator {
    /// Counts the weight of this index `times` over: positive for the first side, negative for the
    /// second.
    fn count(&mut self, index: usize, times: i32);
}

/// Adds up weights.
///
/// ```
/// use bestmove_engine::game::linear::{Accumulator, Sum, Tapered};
/// let weights = [Tapered::new(100, 110), Tapered::new(3, 0)];
/// let mut sum = Sum::of(&weights);
/// sum.count(0, 2);
/// sum.count(1, -1);
/// assert_eq!((sum.total.opening(), sum.total.ending()), (197, 220));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sum<'a> {
    weights: &'a [Tapered],
    /// The sum so far.
    pub total: Tapered,
}

impl<'a> Sum<'a> {
    /// Nothing yet.
    #[must_use]
    pub fn of(weights: &'a [Tapered]) -> Self {
        Self { weights, total: Tapered::default() }
    }
}

impl Accumulator for Sum<'_> {
    #[inline]
    fn count(&mut self, index: usize, times: i32) {
        self.total += self.weights[index] * times;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_phases_are_added_up_at_once() {
        for (a, b) in [((3, -4), (-5, 6)), ((-300, -1), (299, 1)), ((0, -3000), (-1, 9001))] {
            let sum = Tapered::new(a.0, a.1) * -3 + Tapered::new(b.0, b.1) * 2;
            let expected = (-3 * a.0 + 2 * b.0, -3 * a.1 + 2 * b.1);
            assert_eq!((sum.opening(), sum.ending()), expected);
        }
    }

    #[test]
    fn weights_are_found_by_the_name_of_their_group() {
        const LAYOUT: Layout = Layout(&[Group::new("one", 1), Group::new("two", 2)]);
        const WEIGHTS: [Tapered; LAYOUT.len()] =
            read_weights("# said\none\n1 -2\ntwo\n3 4  -5 60\n");
        assert_eq!(WEIGHTS[LAYOUT.first("one")], Tapered::new(1, -2));
        assert_eq!(WEIGHTS[LAYOUT.first("two") + 1], Tapered::new(-5, 60));
    }
}
