//! What a network is shown of a position.

/// The most features that a position has: two for each square of checkers.
pub const MOST_FEATURES: usize = 64;

/// The features of a position.
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

/// The networks that judge the positions of a game, one of them each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Networks {
    /// How many there are.
    pub count: usize,
    /// How many features each is shown.
    pub features: usize,
}

/// What a trainer sees of a position.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// The number of the network that judges it.
    pub network: usize,
    /// What the network is shown.
    pub features: Features,
    /// What the score is without the network, from the view of the side to move.
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
