//! The static evaluation, and what each kind of search may ask about a position besides.

use super::solver::by_rules;
use super::{
    Expansion, Move, Outcome, Position, Prover, Score, SelectiveParameters, SolverScore,
    SolverTables,
};

/// Where a value comes from that was found out beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KnowledgeKind {
    /// An opening book.
    Book,
    /// Endgame tables.
    Tables,
}

/// A static evaluation: the value of a position without any search. A game may have several.
///
/// This is what every search asks. Only [`score`](Self::score) must be answered; the other methods have
/// defaults for a game that knows nothing of the kind.
///
/// ```
/// use bestmove_engine::game::{Evaluator, Game, MoveError, Position, Score};
/// use bestmove_engine::games::{Knowledge, chess::Chess};
/// let knowledge = Knowledge::default().of::<Chess>();
/// let evaluator = Chess::evaluator("piece-square", &knowledge).expect("one of the evaluators");
/// let mut position = Chess::Standard.start();
/// for text in ["e4", "d5", "exd5"] {
///     position = position.play(Chess::read_move(&position, text)?);
/// }
/// let score = evaluator.score(&position);
/// assert!(score < 0, "Black, who is to move, is a pawn down");
/// assert!(Score::heuristic(score).value(evaluator.half_value()) > -1.0);
/// # Ok::<_, MoveError>(())
/// ```
pub trait Evaluator<P: Position>: Send + Sync {
    /// Where [`known`](Self::known) values come from.
    const KNOWLEDGE: KnowledgeKind = KnowledgeKind::Tables;

    /// What [`score_after`](Self::score_after) keeps from one position to the next, such as the sums of a
    /// network; `()` where there is nothing to keep. It belongs to one search.
    type Accumulator: Clone + Default + Send;

    /// The score of an unfinished position from the view of the side to move, in the evaluator's
    /// own unit. Scores beyond plus or minus 29000 are cut off there.
    fn score(&self, position: &P) -> i32;

    /// As [`score`](Self::score). An evaluator that computes it from what it found for the position before keeps
    /// that in the accumulator. The score does not depend on the position before.
    #[inline]
    fn score_after(&self, position: &P, accumulator: &mut Self::Accumulator) -> i32 {
        let _ = accumulator;
        self.score(position)
    }

    /// The score at which the side to move is expected to score three quarters of the points: the
    /// `k` of `value = score / (|score| + k)`.
    fn half_value(&self) -> i32 {
        100
    }

    /// The [`half_value`](Self::half_value) of what a search finds out about `position`: a smaller one where few plies are
    /// left, since less can still change.
    fn searched_half_value(&self, position: &P) -> i32 {
        let _ = position;
        self.half_value()
    }

    /// The exact value of an unfinished position, where a book or an endgame table has it, its
    /// distance counted from there. It leaves out draws by repetition or by a move counter.
    fn known(&self, position: &P) -> Option<Score> {
        let _ = position;
        None
    }

    /// A bound of the [`known`](Self::known) value that tells whether it reaches `beta`: the value is no less where the
    /// bound reaches it, and no more where it does not. None where that takes as long as the value itself.
    fn known_bound(&self, position: &P, beta: Score) -> Option<Score> {
        let _ = (position, beta);
        None
    }

    /// Who wins an unfinished position, where a table has the outcome but not the distance.
    fn known_outcome(&self, position: &P) -> Option<Outcome> {
        let _ = position;
        None
    }

    /// The [`score_after`](Self::score_after), corrected by the [`known_outcome`](Self::known_outcome).
    fn informed_score(
        &self,
        position: &P,
        outcome: Outcome,
        accumulator: &mut Self::Accumulator,
    ) -> i32 {
        let _ = outcome;
        self.score_after(position, accumulator)
    }

    /// How promising `mv` looks before it is searched; more is better. It orders moves and never
    /// changes a value.
    fn ordering_hint(&self, position: &P, mv: P::Move) -> i32 {
        let _ = (position, mv);
        0
    }
}

/// What only the selective search asks. The defaults are right for a game without captures.
///
/// ```
/// use bestmove_engine::game::{Game, MoveError, Position, SelectiveHooks};
/// use bestmove_engine::games::{Knowledge, chess::Chess};
/// let knowledge = Knowledge::default().of::<Chess>();
/// let evaluator = Chess::evaluator("piece-square", &knowledge).expect("one of the evaluators");
/// let mut position = Chess::Standard.start();
/// for text in ["e4", "d5", "Nc3", "h6"] {
///     position = position.play(Chess::read_move(&position, text)?);
/// }
/// let pawn = Chess::read_move(&position, "exd5")?;
/// assert!(evaluator.gain(&position, pawn).is_some() && !evaluator.is_forced(&position));
/// assert_eq!(evaluator.gain(&position, Chess::read_move(&position, "d4")?), None);
/// let mut noisy = Vec::new();
/// evaluator.noisy_moves(&position, |mv, _| noisy.push(Chess::write_move(&position, mv)));
/// noisy.sort();
/// assert_eq!(noisy, ["c3d5", "e4d5"]);
/// // The knight guards the pawn that has captured: a pawn is won, and no more.
/// assert!(evaluator.exchange_at_least(&position, pawn, 1));
/// assert!(!evaluator.exchange_at_least(&position, pawn, 2 * evaluator.unit()));
/// # Ok::<_, MoveError>(())
/// ```
pub trait SelectiveHooks<P: Position>: Evaluator<P> {
    /// All [history indices](Self::history_index) are below this.
    const HISTORY_INDICES: u16 = P::Move::INDICES;

    /// The constants of the search that differ from game to game.
    const PARAMETERS: SelectiveParameters = SelectiveParameters::DEFAULT;

    /// The size of a small but clear advantage, such as a pawn in chess or a man in checkers: the
    /// margins of the selective search are parts and multiples of it.
    fn unit(&self) -> i32 {
        self.half_value()
    }

    /// Whether the rules leave the side to move little choice, so that the static evaluation of
    /// `position` means little: a check, a compulsory capture.
    fn is_forced(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// Whether a piece of the side to move may be captured next, so that the static evaluation of
    /// `position` counts only once a move has been found that saves it.
    fn is_threatened(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// What `mv` gains at once, at most, if it is noisy: a capture, a promotion. None if it is quiet.
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

    /// Static exchange evaluation: whether `mv` gains at least `threshold` once all captures that
    /// follow on its square are played out.
    fn exchange_at_least(&self, position: &P, mv: P::Move, threshold: i32) -> bool {
        self.gain(position, mv).unwrap_or(0) >= threshold
    }

    /// Whether having to move is often what loses such a position (zugzwang): what it is worth is then not told by a
    /// static evaluation.
    fn risks_zugzwang(&self, position: &P) -> bool {
        let _ = position;
        false
    }

    /// The index of `mv` in capture and continuation histories, which does not depend on where the
    /// piece came from. In chess: the piece and the square to which it goes.
    fn history_index(&self, position: &P, mv: P::Move) -> u16 {
        let _ = position;
        mv.move_index()
    }
}

/// What only the solver of games that must end asks.
///
/// ```
/// use bestmove_engine::game::{Expansion, Game, PositionError, PositionText, SolverHooks};
/// use bestmove_engine::games::{Knowledge, tic_tac_toe::TicTacToe};
/// let evaluator = TicTacToe::evaluator("outcome", &Knowledge::default().of::<TicTacToe>());
/// let evaluator = evaluator.expect("one of the evaluators");
/// let read = |text: &str| TicTacToe.read_position(&PositionText::Text(text.to_owned()));
/// // A win on the spot leaves seven of the eight plies unused: less cannot be held against X.
/// let expanded = evaluator.expand(&read("XX.OO.... X")?, 1, |_, _| ());
/// assert!(matches!(expanded, Expansion::Decided(value) if value >= 1));
/// let mut children = 0;
/// evaluator.expand(&TicTacToe.start(), 1, |_, _| children += 1);
/// assert!(children > 0, "the start is open");
/// # Ok::<_, PositionError>(())
/// ```
pub trait SolverHooks<P: Position>: Evaluator<P> {
    /// What is known of an unfinished position when asked whether its solver score is at least `beta`.
    /// Unless that decides, every child that may matter goes to `child` with its rank; more is sooner,
    /// and of equals the first.
    fn expand(&self, position: &P, beta: SolverScore, child: impl FnMut(P, i32)) -> Expansion {
        by_rules(position, beta, child)
    }

    /// The game's own prover with these tables, in a game that is not proven by counting plies.
    fn prove(&self, tables: SolverTables) -> Option<Box<dyn Prover<P> + '_>> {
        let _ = tables;
        None
    }

    /// A lower bound of the solver score of an unfinished position by stored knowledge.
    fn least_value(&self, _: &P) -> Option<SolverScore> {
        None
    }

    /// A move that holds the solver score of an unfinished position by stored knowledge.
    fn known_move(&self, _: &P) -> Option<P::Move> {
        None
    }
}
