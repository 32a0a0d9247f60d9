//! The principal variation while it grows.

/// The best line found below each ply of the current path: a triangular array.
pub(super) struct Lines<M> {
    lines: Vec<Vec<M>>,
}

impl<M: Copy> Lines<M> {
    /// Room for lines of up to `depth` moves.
    pub(super) fn new(depth: u32) -> Self {
        Self { lines: vec![Vec::new(); depth as usize + 1] }
    }

    /// Forgets the line at `ply`.
    pub(super) fn clear(&mut self, ply: u32) {
        self.lines[ply as usize].clear();
    }

    /// The best line at `ply` is now `mv` and the best line one ply further down.
    pub(super) fn extend(&mut self, ply: u32, mv: M) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// The best line at `ply`.
    pub(super) fn get(&self, ply: u32) -> &[M] {
        &self.lines[ply as usize]
    }
}
