//! The static evaluation, and what each kind of search may ask about a position besides.

use super::solver::by_rules;
use super::{
    Expansion, Known, Move, Position, Prover, Question, SelectiveParameters, SolverScore,
    SolverTable,
};
use crate::network::SparseInput;

/// The scale of an evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The score at which the side to move is expected to score three quarters of the points: the `k` of
    /// `value = score / (|score| + k)`.
    pub half_value: i32,
    /// The size of a small but clear advantage, such as a pawn in chess or a man in checkers: the margins of the selective
    /// search are parts and multiples of the unit.
    pub unit: i32,
    /// The half value of a score that a search has found, where it differs from `half_value`: the half value at the end of the
    /// game, and the rise for each ply left, since more can still change with more plies left.
    pub searched: Option<[i32; 2]>,
}

impl Scale {
    /// The scale with this half value, which is the unit too.
    #[must_use]
    pub const fn of(half_value: i32) -> Self {
        Self { half_value, unit: half_value, searched: None }
    }

    /// The half value of a score that a search has found for a position with `plies_left` plies left.
    ///
    /// ```
    /// use bestmove_engine::game::Scale;
    /// let scale = Scale { searched: Some([100, 5]), ..Scale::of(800) };
    /// assert_eq!((scale.searched_half_value(36), Scale::of(800).searched_half_value(36)), (280, 800));
    /// ```
    #[must_use]
    pub fn searched_half_value(self, plies_left: u32) -> i32 {
        self.searched.map_or(self.half_value, |[end, per_ply]| end + per_ply * plies_left as i32)
    }

    /// The score for the winner of a known win in about `plies` plies: above every static evaluation.
    #[inline]
    pub(super) fn decided(self, plies: i32) -> i32 {
        14 * self.unit - self.unit * plies / 25
    }
}

/// Why the static evaluation of a position may mean little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The rules leave the side to move little choice: a check, a compulsory capture.
    Forced,
    /// A piece of the side to move may be captured next: the evaluation counts only once a move that saves the piece is found.
    Threatened,
    /// The side to move may lose because of the duty to move (zugzwang).
    Zugzwang,
}

/// A static evaluation: the value of a position without any search. A game may have several.
///
/// Every search asks an evaluator. Only [`score`](Self::score) must be answered; the other methods have defaults.
///
/// ```
/// use bestmove_engine::game::{Evaluator, Game, MoveError, Notation, Position, Score};
/// use bestmove_engine::games::{Knowledge, chess::Chess};
/// let knowledge = Knowledge::default().of::<Chess>();
/// let evaluator = Chess::evaluator("piece-square", &knowledge).expect("one of the evaluators");
/// let mut position = Chess::Standard.start();
/// for text in ["e4", "d5", "exd5"] {
///     position = position.play(Chess::read_move(&position, text)?);
/// }
/// let score = evaluator.score(&position);
/// assert!(score < 0, "Black, who is to move, is a pawn down");
/// assert!(Score::heuristic(score).value(evaluator.scale().half_value) > -1.0);
/// # Ok::<_, MoveError>(())
/// ```
pub trait Evaluator<P: Position>: Send + Sync {
    /// What [`score_after`](Self::score_after) keeps from one position to the next, such as the sums of a
    /// network; `()` where there is nothing to keep. It belongs to one search.
    type Accumulator: Clone + Default + Send;

    /// The score of an unfinished position from the view of the side to move, in the evaluator's
    /// own unit. Scores beyond plus or minus 29000 are cut off there.
    fn score(&self, position: &P) -> i32;

    /// As [`score`](Self::score). The accumulator keeps sums from the last position, from which the evaluator may compute the
    /// score sooner. The score does not depend on the accumulator.
    #[inline]
    fn score_after(&self, position: &P, accumulator: &mut Self::Accumulator) -> i32 {
        let _ = accumulator;
        self.score(position)
    }

    /// The scale of the scores.
    fn scale(&self) -> Scale {
        Scale::of(100)
    }

    /// What a book or an endgame table answers to a question about an unfinished position.
    #[inline]
    fn known(&self, position: &P, question: Question) -> Option<Known<P::Move>> {
        let _ = (position, question);
        None
    }

    /// The promise of `mv` before a search; more is better. The hint orders moves and never changes a value.
    fn ordering_hint(&self, position: &P, mv: P::Move) -> i32 {
        let _ = (position, mv);
        0
    }

    /// The input of the network for an unfinished position, for the training of the network; `None` without a network.
    fn sparse_input(&self, position: &P) -> Option<SparseInput> {
        let _ = position;
        None
    }
}

/// What only the selective search asks. The defaults are right for a game without captures.
///
/// ```
/// use bestmove_engine::game::{Doubt, Evaluator, Game, MoveError, Notation, Position, SelectiveHooks};
/// use bestmove_engine::games::{Knowledge, chess::Chess};
/// let knowledge = Knowledge::default().of::<Chess>();
/// let evaluator = Chess::evaluator("piece-square", &knowledge).expect("one of the evaluators");
/// let mut position = Chess::Standard.start();
/// for text in ["e4", "d5", "Nc3", "h6"] {
///     position = position.play(Chess::read_move(&position, text)?);
/// }
/// let pawn = Chess::read_move(&position, "exd5")?;
/// assert!(evaluator.gain(&position, pawn).is_some());
/// assert!(!evaluator.doubts(&position, Doubt::Forced));
/// assert_eq!(evaluator.gain(&position, Chess::read_move(&position, "d4")?), None);
/// let mut noisy = Vec::new();
/// evaluator.noisy_moves(&position, |mv, _| noisy.push(Chess::write_move(&position, mv).text));
/// noisy.sort();
/// assert_eq!(noisy, ["c3d5", "e4d5"]);
/// // The knight guards the pawn that has captured: a pawn is won, and no more.
/// assert!(evaluator.exchange_at_least(&position, pawn, 1));
/// assert!(!evaluator.exchange_at_least(&position, pawn, 2 * evaluator.scale().unit));
/// # Ok::<_, MoveError>(())
/// ```
pub trait SelectiveHooks<P: Position>: Evaluator<P> {
    /// All [history indices](Self::history_index) are below this.
    const HISTORY_INDICES: u16 = P::Move::INDICES;

    /// The constants of the search that differ from game to game.
    const PARAMETERS: SelectiveParameters = SelectiveParameters::DEFAULT;

    /// Whether the static evaluation of `position` means little, for this reason.
    #[inline]
    fn doubts(&self, position: &P, doubt: Doubt) -> bool {
        let _ = (position, doubt);
        false
    }

    /// The most that `mv` gains at once, if `mv` is noisy: a capture or a promotion. `None` if `mv` is quiet.
    fn gain(&self, position: &P, mv: P::Move) -> Option<i32> {
        let _ = (position, mv);
        None
    }

    /// Hands the noisy moves to `sink`, each with its [`gain`](Self::gain).
    fn noisy_moves(&self, position: &P, mut sink: impl FnMut(P::Move, i32)) {
        for mv in position.legal_moves() {
            if let Some(gain) = self.gain(position, mv) {
                sink(mv, gain);
            }
        }
    }

    /// Static exchange evaluation: whether `mv` gains at least `threshold` once all captures that follow on the target square
    /// are played out.
    fn exchange_at_least(&self, position: &P, mv: P::Move, threshold: i32) -> bool {
        self.gain(position, mv).unwrap_or(0) >= threshold
    }

    /// The index of `mv` in capture and continuation histories, which does not depend on where the
    /// piece came from. In chess: the piece and the square to which it goes.
    fn history_index(&self, position: &P, mv: P::Move) -> u16 {
        let _ = position;
        mv.move_index()
    }

    /// How far outside a window the value of a search must lie that stands for one deeper by `plies`, an even number;
    /// `None` for no `ProbCut`.
    fn prob_cut_margin(&self, position: &P, plies: u32) -> Option<i32> {
        let _ = (position, plies);
        None
    }
}

/// What only the solver of games that must end asks.
///
/// ```
/// use bestmove_engine::game::{Expansion, Game, Notation, PositionError, PositionText, SolverHooks};
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// let evaluator = TicTacToe::evaluator("outcome", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.expect("one of the evaluators");
/// let read = |text: &str| TicTacToe::STANDARD.read_position(&PositionText::Text(text.to_owned()));
/// // A win on the spot leaves seven of the eight plies unused: less cannot be held against X.
/// let expanded = evaluator.expand(&read("XX.OO.... X")?, 1, |_, _| ());
/// assert!(matches!(expanded, Expansion::Decided(value) if value >= 1));
/// let mut children = 0;
/// evaluator.expand(&TicTacToe::STANDARD.start(), 1, |_, _| children += 1);
/// assert!(children > 0, "the start is open");
/// # Ok::<_, PositionError>(())
/// ```
pub trait SolverHooks<P: Position>: Evaluator<P> {
    /// What is known of an unfinished position about the question whether the solver score is at least `beta`. Unless the
    /// question is decided, `child` gets every child that may matter, with a rank. The child with the highest rank is searched
    /// first, of equal children the first.
    fn expand(&self, position: &P, beta: SolverScore, child: impl FnMut(P, i32)) -> Expansion {
        by_rules(position, beta, child)
    }

    /// The game's own prover with this table, in a game that is not proven by counting plies.
    fn prove(&self, table: SolverTable) -> Option<Box<dyn Prover<P> + '_>> {
        let _ = table;
        None
    }
}
