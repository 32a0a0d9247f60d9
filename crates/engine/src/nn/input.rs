//! The input of a network.

/// The most features that a position has: two for each square of checkers.
pub const MOST_FEATURES: usize = 64;

/// The features that are present in a position.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    present: [u16; MOST_FEATURES],
    len: usize,
}

impl Features {
    /// None so far.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self { present: [0; MOST_FEATURES], len: 0 }
    }

    /// Adds one; those beyond [`MOST_FEATURES`] are left out.
    #[inline]
    pub fn add(&mut self, feature: u16) {
        if let Some(next) = self.present.get_mut(self.len) {
            *next = feature;
            self.len += 1;
        }
    }

    /// Those that are present.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u16] {
        &self.present[..self.len]
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::new()
    }
}

/// The shape of the networks of a game; each position belongs to one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// How many there are.
    pub count: usize,
    /// The input features of each.
    pub features: usize,
}

/// A position as a trainer sees it.
#[derive(Clone, Copy, Debug)]
pub struct NetworkInput {
    /// The index of its network.
    pub network: usize,
    /// The input of the network.
    pub features: Features,
    /// The score without the network, from the view of the side to move.
    pub score: i32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_beyond_the_most_are_left_out() {
        let mut features = Features::new();
        (0..=MOST_FEATURES as u16).for_each(|feature| features.add(feature));
        assert_eq!(features.as_slice().len(), MOST_FEATURES);
    }
}
