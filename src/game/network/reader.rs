//! Reading the weights of a network as a trainer writes them.

/// Reads whole numbers of two bytes, the low one first, one after the other.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// From this byte on.
    pub(super) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The next number.
    ///
    /// # Panics
    /// Where there is none, or it is beyond plus or minus `largest`: for constants.
    pub(super) const fn next(&mut self, largest: i32) -> i16 {
        let number = i16::from_le_bytes([self.bytes[self.at], self.bytes[self.at + 1]]);
        assert!((number as i32).abs() <= largest, "a weight that can't overflow");
        self.at += 2;
        number
    }

    /// As many of the next ones.
    pub(super) const fn row<const LEN: usize>(&mut self, largest: i32) -> [i16; LEN] {
        let mut row = [0; LEN];
        let mut number = 0;
        while number < LEN {
            row[number] = self.next(largest);
            number += 1;
        }
        row
    }
}
