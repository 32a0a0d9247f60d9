//! Constants of the selective search that differ from game to game.

/// The constants of the selective search for one game. [`games::parameters`](crate::games) has those of
/// all games in one table.
#[derive(Clone, Copy, Debug)]
pub struct SelectiveParameters {
    /// Whether a forced position is searched a ply deeper, and a move that leads to one and loses
    /// nothing is not reduced. At the horizon forced positions are searched deeper in any case.
    pub extends_forced: bool,
    /// The `a` and `b` of the late move reduction `a + log2(depth) * log2(move number) / b`: it and
    /// both logarithms are counted in 1024ths.
    pub reduction: [i32; 2],
}

impl SelectiveParameters {
    /// For a game of which nothing else is known: the values that suit chess.
    pub const DEFAULT: Self = Self { extends_forced: true, reduction: [800, 4800] };
}
