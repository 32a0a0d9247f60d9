//! What is known of a position without a search: opening books and endgame tables.

use super::{Evaluator, Outcome, Position, Score};

/// Where a value comes from that was found out beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", schemars(inline), serde(rename_all = "kebab-case"))]
pub enum KnowledgeKind {
    /// An opening book.
    Book,
    /// Endgame tables.
    Tables,
}

/// A question about an unfinished position that stored knowledge may answer. The answers leave out draws by repetition and
/// by a move counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The exact value, its distance counted from the position: [`Known::Score`].
    Value,
    /// Whether the value reaches the score, where a bound is found sooner than the value: a lower bound if it reaches the
    /// score, else an upper bound. [`Known::Score`].
    Reaches(Score),
    /// A lower bound of the value: [`Known::Score`].
    Least,
    /// Who wins, where the distance is not stored: [`Known::Outcome`].
    Outcome,
    /// A move that holds the exact value: [`Known::Move`].
    Move,
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known<M> {
    /// A value or a bound of a value.
    Score(Score),
    /// Who wins, from the view of the side to move, and about how many plies the winner needs.
    Outcome(Outcome, i32),
    /// A move.
    Move(M),
}

impl<M> Known<M> {
    /// The score of an answer that has one.
    #[inline]
    pub fn score(self) -> Option<Score> {
        if let Self::Score(score) = self { Some(score) } else { None }
    }

    /// The outcome of an answer that has one.
    #[inline]
    pub fn outcome(self) -> Option<Outcome> {
        if let Self::Outcome(outcome, _) = self { Some(outcome) } else { None }
    }

    /// The move of an answer that has one.
    #[inline]
    pub fn mv(self) -> Option<M> {
        if let Self::Move(mv) = self { Some(mv) } else { None }
    }
}

/// The exact value of an unfinished position, where a book or an endgame table has it.
#[inline]
pub fn known_value<P: Position, E: Evaluator<P>>(evaluator: &E, position: &P) -> Option<Score> {
    evaluator.known(position, Question::Value)?.score()
}

/// The static evaluation of an unfinished position whose outcome is stored, corrected by that outcome; `None` of any other
/// position. A draw keeps a part of the evaluation, since the opponent may still go wrong.
#[inline]
pub fn informed_score<P: Position, E: Evaluator<P>>(
    evaluator: &E,
    position: &P,
    accumulator: &mut E::Accumulator,
) -> Option<i32> {
    const DRAW_DIVISOR: i32 = 16;
    let Known::Outcome(outcome, plies) = evaluator.known(position, Question::Outcome)? else {
        return None;
    };
    Some(match outcome {
        Outcome::Win => evaluator.scale().decided(plies),
        Outcome::Draw => evaluator.score_after(position, accumulator) / DRAW_DIVISOR,
        Outcome::Loss => -evaluator.scale().decided(plies),
    })
}
