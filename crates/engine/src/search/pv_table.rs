//! The principal variation: a triangular array.

/// The best line found below each ply of the current path.
pub(super) struct PvTable<M> {
    /// The line of each ply, in a stretch as long as the longest line.
    moves: Vec<Option<M>>,
    lengths: Vec<usize>,
    longest: usize,
}

impl<M: Copy> PvTable<M> {
    /// Room for lines of up to `depth` moves.
    pub(super) fn new(depth: u32) -> Self {
        let longest = depth as usize + 1;
        Self { moves: vec![None; longest * longest], lengths: vec![0; longest], longest }
    }

    /// Forgets the line at `ply`.
    #[inline]
    pub(super) fn clear(&mut self, ply: u32) {
        self.lengths[ply as usize] = 0;
    }

    /// Makes `mv`, followed by the best line one ply further down, the best line at `ply`.
    #[inline]
    pub(super) fn extend(&mut self, ply: u32, mv: M) {
        let ply = ply as usize;
        let length = self.lengths[ply + 1];
        let (upper, lower) = self.moves.split_at_mut((ply + 1) * self.longest);
        let line = &mut upper[ply * self.longest..];
        line[0] = Some(mv);
        for (target, source) in line[1..].iter_mut().zip(&lower[..length]) {
            *target = *source;
        }
        self.lengths[ply] = length + 1;
    }

    pub(super) fn get(&self, ply: u32) -> Vec<M> {
        let from = ply as usize * self.longest;
        self.moves[from..from + self.lengths[ply as usize]].iter().flatten().copied().collect()
    }
}
