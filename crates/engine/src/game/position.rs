//! The rules of a game, as the search asks for them.

use std::fmt::Debug;

use super::KnowledgeKind;

/// One of the two players.
///
/// ```
/// use bestmove_engine::game::{Game, Position, Side};
/// use bestmove_engine::games::tic_tac_toe::TicTacToe;
/// let start = TicTacToe::STANDARD.start();
/// let side = start.side_to_move();
/// assert_eq!((side, side.other()), (Side::First, Side::Second));
/// assert_eq!(TicTacToe::STANDARD.game_info().sides[side as usize], "X");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The one that moves first by the game's convention: X, Red, Black in checkers and Othello, White in chess.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// Both sides, the first one first.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a finished game ended, or how an unfinished one will, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move has won.
    Win,
    /// Nobody has won.
    Draw,
    /// The side to move has lost.
    Loss,
}

impl Outcome {
    /// The same outcome as the opponent sees it.
    ///
    /// ```
    /// use bestmove_engine::game::Outcome;
    /// assert_eq!(Outcome::Win.reversed(), Outcome::Loss);
    /// assert_eq!(Outcome::Draw.reversed(), Outcome::Draw);
    /// ```
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }
}

/// A move of one side (a ply).
pub trait Move: Copy + Eq + Debug + Send + Sync + 'static {
    /// All move indices are below this.
    const INDICES: u16;

    /// The index of this move in tables of moves. Moves of one position should differ in it: sharing an index makes
    /// move ordering worse, no value wrong.
    fn move_index(self) -> u16;
}

/// A symmetry of the board, by a number that only the game understands; 0 is the identity.
///
/// ```
/// use bestmove_engine::game::{Game, MoveError, Notation, Position};
/// use bestmove_engine::games::tic_tac_toe::{TicTacToe, TicTacToeBoard};
/// // One corner is as good as another.
/// let start = TicTacToe::STANDARD.start();
/// let corners = [TicTacToe::read_move(&start, "0")?, TicTacToe::read_move(&start, "8")?];
/// let [one, other] = corners.map(|corner| start.play(corner));
/// assert_ne!(one.key(), other.key());
/// assert_eq!(one.canonical().0, other.canonical().0);
/// // The symmetry carries moves along: the answer beside the corner lies beside its image.
/// let beside = TicTacToe::read_move(&one, "1")?;
/// let image = TicTacToeBoard::transformed(beside, one.canonical().1);
/// let standard = TicTacToeBoard::transformed(corners[0], one.canonical().1);
/// assert_eq!(start.play(standard).play(image).canonical().0, one.play(beside).canonical().0);
/// # Ok::<_, MoveError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symmetry(pub u8);

/// What a search must know of a game beforehand.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "no two of them depend on each other")]
pub struct Properties {
    /// Whether a position can come back during a game. Where it can't, the search keeps no history.
    pub repeats: bool,
    /// Whether a side without another move has to pass. A pass is a move, and no two passes follow each other.
    pub passes: bool,
    /// The step between two [margins](Position::margin), in games that count discs, points or the like at the end; 0 in
    /// all others.
    pub margin_step: u32,
    /// Whether the selective search plays all moves of a position in advance, to prefetch the table entries of the
    /// children: it gains where moves are cheap to play.
    pub plays_cheaply: bool,
    /// Whether a search takes symmetric positions for one, which gains where they are often met. Answers and books do in
    /// any case.
    pub folds_in_search: bool,
    /// Where stored values of positions come from.
    pub knowledge: KnowledgeKind,
}

impl Properties {
    /// Those of a game in which no position comes back and only the outcome counts.
    pub const DEFAULT: Self = Self {
        repeats: false,
        passes: false,
        margin_step: 0,
        plays_cheaply: false,
        folds_in_search: true,
        knowledge: KnowledgeKind::Tables,
    };
}

/// A legal position of a game: a small value, cheap to copy, never changed. A move makes a new one,
/// so a search that is stopped has nothing to undo.
///
/// The history that led to a position is no part of it; see [`History`](super::History).
///
/// ```
/// use bestmove_engine::game::{Game, Position};
/// use bestmove_engine::games::{chess::Chess, othello::Othello};
///
/// /// The games of so many plies.
/// fn perft(position: &impl Position, plies: u32) -> u64 {
///     if plies == 0 || position.outcome().is_some() {
///         return u64::from(plies == 0);
///     }
///     position.legal_moves().into_iter().map(|mv| perft(&position.play(mv), plies - 1)).sum()
/// }
/// assert_eq!(perft(&Chess::Standard.start(), 3), 8902);
/// assert_eq!(perft(&Othello::Standard.start(), 4), 244);
/// ```
pub trait Position: Clone + Eq + Debug + Send + Sync + 'static {
    /// A move.
    type Move: Move;
    /// The legal moves, in the game's own order.
    type Moves: IntoIterator<Item = Self::Move>;

    /// What a search must know of the game beforehand.
    const PROPERTIES: Properties = Properties::DEFAULT;

    /// The side to move. In a finished game: the side whose turn would be next.
    fn side_to_move(&self) -> Side;

    /// The outcome, if the pieces end the game. Draws by repetition or by a move counter are left out: they follow from
    /// [`History`](super::History), [`plies_to_draw`](Self::plies_to_draw) and
    /// [`plies_to_forced_draw`](Self::plies_to_forced_draw).
    fn outcome(&self) -> Option<Outcome>;

    /// In a game that [counts](Properties::margin_step): the margin of the winner of a finished game, 0 in a draw. The win
    /// with the larger margin is the better win, however late.
    fn margin(&self) -> u32 {
        0
    }

    /// The moves that the side to move may make. Asked only while [`outcome`](Self::outcome) is
    /// `None`, and then there is at least one.
    fn legal_moves(&self) -> Self::Moves;

    /// The position after one of the [`legal_moves`](Self::legal_moves).
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// The identity of this position, the side to move included: equal positions have equal keys,
    /// and different ones differ for certain or with overwhelming likelihood. Repetitions are told
    /// by it; move counters are no part of it.
    fn key(&self) -> u64;

    /// The key of the position that stands for all those symmetric to this one, and the symmetry
    /// that leads from this position to that one.
    fn canonical(&self) -> (u64, Symmetry) {
        (self.key(), Symmetry::default())
    }

    /// What becomes of `mv` under `symmetry`.
    #[must_use]
    fn transformed(mv: Self::Move, symmetry: Symmetry) -> Self::Move {
        let _ = symmetry;
        mv
    }

    /// In a game that must end: the greatest number of plies to the end. The number falls by exactly one with each ply, and a
    /// draw takes all plies. In a game with [passes](Properties::passes) the number may fall by less or more, and the game
    /// may end sooner.
    fn plies_left(&self) -> Option<u32> {
        None
    }

    /// The plies of the game before this position, where the position tells the number.
    fn plies_played(&self) -> Option<u32> {
        None
    }

    /// The greatest number of plies back at which an equal position can lie.
    fn reversible_plies(&self) -> u32 {
        0
    }

    /// In a game with a move-count rule: the plies after which the side to move may claim a draw by
    /// it, unless the counter is reset before; 0 where it may. A position that is won or lost is so even
    /// then. Below the root a search counts such a position as a draw.
    fn plies_to_draw(&self) -> Option<u32> {
        None
    }

    /// In a game with a move-count rule: the plies after which that rule draws the game though nobody
    /// claims it; 0 where it has drawn it.
    fn plies_to_forced_draw(&self) -> Option<u32> {
        None
    }
}
