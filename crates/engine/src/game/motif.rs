//! Motifs: patterns that players see in a move, such as a fork. A game finds motifs on the board. A search confirms them
//! before they are told as reasons.

use super::Square;

/// A motif of a move, as it shows on the board after the move. No search has confirmed it.
///
/// ```
/// use bestmove_engine::game::{Drawing, Game, Notation, PositionText};
/// use bestmove_engine::games::chess::Chess;
/// let text = PositionText::Text("r3k3/8/8/1N6/8/8/8/4K3 w - -".to_owned());
/// let position = Chess::Standard.read_position(&text)?;
/// let motifs = Chess::motifs(&position, Chess::read_move(&position, "Nc7")?);
/// assert!(motifs.iter().any(|motif| motif.kind == "fork"), "{motifs:?}");
/// assert!(motifs.iter().all(|motif| Chess::Standard.game_info().motifs.iter().any(|kind| kind.name == motif.kind)));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Motif {
    /// Its name, one of [`GameInfo::motifs`](super::GameInfo::motifs).
    pub kind: &'static str,
    /// The squares that the sentence of the motif names, in their order.
    pub squares: Vec<Square>,
    /// The claim that must hold for the motif to be told.
    pub claim: Claim,
}

/// The claim of a motif, which a search confirms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The board shows the motif, and there is nothing to confirm.
    Shown,
    /// The move wins, or wins material, and one of the side's next two moves makes this capture.
    Captures(NextCapture),
    /// The move wins, or wins more material than it takes back.
    Gains,
    /// The move gains, and takes nothing back.
    Takes,
    /// The move wins, and its line ends on one of the squares of the motif.
    EndsOn {
        /// Whether the other side must have played right below that square just before.
        above_reply: bool,
    },
    /// The move wins, wins material, or loses none.
    Holds,
}

/// A capture that a motif announces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NextCapture {
    /// The squares on one of which the capture is made.
    pub on: Vec<Square>,
    /// The square of the piece that captures; `None` for any.
    pub by: Option<Square>,
    /// The replies, each from a square to another one, one of which the capture follows at once; empty for any.
    pub replies: Vec<[Square; 2]>,
    /// Whether the squares stand for the pieces on them, wherever the pieces go meanwhile.
    pub follows: bool,
}

impl From<NextCapture> for Claim {
    fn from(capture: NextCapture) -> Self {
        Self::Captures(capture)
    }
}

/// A kind of reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
pub struct ReasonKind {
    /// Its name, as in `kind`.
    pub name: &'static str,
    /// What it means, in a sentence or two.
    pub description: &'static str,
    /// The sentences that tell the reason; a motif has one. `{move}` is the move; `{0}` is the piece on the first of the
    /// squares, with its square, or the square alone where it is empty; `{rest}` lists the other squares likewise.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub sentences: &'static [&'static str],
}

/// A table of kinds of reasons: the name, the description and the sentences of each.
#[macro_export]
macro_rules! reason_kinds {
    ($($name:literal $description:literal [$($sentence:literal),+])+) => {
        &[$($crate::game::ReasonKind {
            name: $name,
            description: $description,
            sentences: &[$($sentence),+],
        }),+]
    };
}

pub use reason_kinds;
