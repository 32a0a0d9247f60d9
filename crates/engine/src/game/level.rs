//! How strong a player is.

/// The names of the levels in every game, the weakest first.
pub const LEVELS: [&str; 4] = ["beginner", "amateur", "professional", "master"];

/// How a player of some strength plays a game. Depth sets the skill, as in the textbooks (Stephens,
/// *Essential Algorithms*); a weaker player also takes a lesser move now and then.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Whom it suits and how it plays, in a sentence.
    pub description: &'static str,
    /// The plies that it looks ahead; without them, `nodes` bound it.
    pub depth: Option<u32>,
    /// The positions that it visits at most.
    pub nodes: Option<u64>,
    /// The name of its algorithm; the game's default where absent.
    pub algorithm: Option<&'static str>,
    /// The name of its evaluator; the game's strongest where absent.
    pub evaluator: Option<&'static str>,
    /// When it takes a lesser move.
    pub lapses: Lapses,
}

/// Lesser moves: how often, and how much less.
#[derive(Clone, Copy, Debug)]
pub struct Lapses {
    /// Of a hundred moves, how many.
    pub percent: u8,
    /// What such a move may give away of the expected result, which lies between -1 and 1.
    pub worth: f64,
}

impl Lapses {
    /// Always the best move.
    pub const NONE: Self = Self { percent: 0, worth: 0.0 };
}
