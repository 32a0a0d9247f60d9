//! The constants of the selective search that differ from game to game.

/// The constants of the selective search that differ from game to game: one table for all games. Plies and the
/// evaluator's [`unit`](super::Scale::unit) are counted in parts of 1024.
#[derive(Clone, Copy, Debug)]
pub struct SelectiveParameters {
    /// Whether a forced position is searched a ply deeper, and a move that leads to one and loses
    /// nothing is not reduced. At the horizon forced positions are searched deeper in any case.
    pub extends_forced: bool,
    /// The `A` and `B` of the late move reduction `A + log2(depth) * log2(move number) / B`, in plies.
    pub reduction: [i32; 2],
    /// What a node that is not improving adds to the reduction, in plies.
    pub not_improving_reduction: i32,
    /// What an open window takes off the reduction, in plies.
    pub open_window_reduction: i32,
    /// What a killer move has taken off its reduction, in plies.
    pub killer_reduction: i32,
    /// How far the first aspiration window reaches to either side, in units.
    pub aspiration: i32,
    /// The `A` and `B` of the margin of futility pruning, `A + B * depth`, in units.
    pub futility: [i32; 2],
    /// What an exchange begun by a quiet move may lose, for each ply of depth, in units.
    pub quiet_loss: i32,
    /// Whether futility and the exchanges of a quiet move are judged by the depth less its late move reduction.
    pub prunes_by_reduced_depth: bool,
    /// How far a reduced search must exceed alpha for a search a ply deeper, in units; none for no such search.
    pub deeper: Option<i32>,
    /// The most by which the correction history changes a static evaluation, in units; 0 for no correction.
    pub correction: i32,
}

impl SelectiveParameters {
    /// The values for a game of which nothing is known.
    pub const DEFAULT: Self = Self {
        extends_forced: true,
        reduction: [800, 4800],
        not_improving_reduction: 1024,
        open_window_reduction: 1024,
        killer_reduction: 0,
        aspiration: 256,
        futility: [1024, 1024],
        quiet_loss: 512,
        prunes_by_reduced_depth: false,
        deeper: None,
        correction: 0,
    };

    /// The values for a game with compulsory captures, in which exchanges would use up the nodes that other
    /// lines need. What they gain: `docs/experiments/checkers-evaluation.md`.
    pub const COMPULSORY_CAPTURES: Self =
        Self { extends_forced: false, reduction: [1000, 3600], ..Self::DEFAULT };
}
