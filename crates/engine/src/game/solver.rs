//! The values of a proof, and what a game tells the prover about a position.

use super::{Outcome, Position, Score};

/// The value of a position in a game that must end, from the view of the side to move: the plies
/// that are still unused when the game is over, plus one, for the winner; minus that for the loser;
/// 0 for a draw. Since every ply uses up exactly one, a solver score is the same number at every node of a
/// line (Pons, *Solving Connect Four*), and a quicker win has a larger one.
///
/// In games that count it is the margin in steps of [`margin_step`](super::Properties::margin_step) instead.
///
/// ```
/// use bestmove_engine::game::{Game, Notation, Outcome, PositionError, PositionText, Score};
/// use bestmove_engine::game::{final_value, outcome_and_score_of, plies_left, solver_score_range};
/// use bestmove_engine::games::tic_tac_toe::TicTacToe;
/// let read = |text: &str| TicTacToe::STANDARD.read_position(&PositionText::Text(text.to_owned()));
/// // X has won with the fifth mark: four plies are unused.
/// let ended = read("XXXOO.... O")?;
/// assert_eq!((plies_left(&ended), final_value(Outcome::Loss, &ended)), (4, -5));
/// // One ply before, the same number stands for a win in one.
/// let before = read("XX.OO.... X")?;
/// assert_eq!(solver_score_range(&before), (-4, 5));
/// assert_eq!(outcome_and_score_of(5, &before), (Outcome::Win, Score::won_in(1)));
/// # Ok::<_, PositionError>(())
/// ```
pub type SolverScore = i8;

/// What is known of a position without searching it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// A bound of the solver score that answers the question: a lower bound if it is `beta` or more, else an upper bound.
    Decided(SolverScore),
    /// The children must be searched; the solver score lies between `low` and `high`.
    Open {
        /// The least that the side to move can be held to.
        low: SolverScore,
        /// The most that the side to move can reach.
        high: SolverScore,
        /// The most that the side to move can reach by the moves left out: less than `beta`.
        rest: SolverScore,
    },
}

/// The plies that a position leaves at most; 0 in a game that need not end.
pub fn plies_left<P: Position>(position: &P) -> SolverScore {
    position.plies_left().map_or(0, |plies| plies as SolverScore)
}

/// The solver score of a finished position.
pub fn final_value<P: Position>(outcome: Outcome, position: &P) -> SolverScore {
    let won = match P::PROPERTIES.margin_step {
        0 => plies_left(position) + 1,
        step => (position.margin() / step) as SolverScore,
    };
    match outcome {
        Outcome::Win => won,
        Outcome::Draw => 0,
        Outcome::Loss => -won,
    }
}

/// The values between which the solver score of an unfinished position lies.
///
/// ```
/// use bestmove_engine::game::{Game, solver_score_range};
/// use bestmove_engine::games::{othello::Othello, tic_tac_toe::TicTacToe};
/// assert_eq!(solver_score_range(&TicTacToe::STANDARD.start()), (-8, 9));
/// // Margins in steps of two discs.
/// assert_eq!(solver_score_range(&Othello::Standard.start()), (-63, 63));
/// ```
pub fn solver_score_range<P: Position>(position: &P) -> (SolverScore, SolverScore) {
    match P::PROPERTIES.margin_step {
        0 => (1 - plies_left(position), plies_left(position)),
        _ => (-MOST_MARGIN, MOST_MARGIN),
    }
}

/// The largest margin in steps, by the form of the prover's table.
const MOST_MARGIN: SolverScore = 63;

/// The outcome that a solver score of `position` stands for, and the score.
///
/// ```
/// use bestmove_engine::game::{Game, Outcome, Position, Score, outcome_and_score_of};
/// use bestmove_engine::games::othello::{Othello, OthelloBoard};
/// assert_eq!(OthelloBoard::PROPERTIES.margin_step, 2);
/// assert_eq!(outcome_and_score_of(-5, &Othello::Standard.start()), (Outcome::Loss, -Score::won_by(10)));
/// ```
pub fn outcome_and_score_of<P: Position>(value: SolverScore, position: &P) -> (Outcome, Score) {
    let (outcome, score) = outcome_and_score(value, position.plies_left().unwrap_or(0));
    let won = || Score::won_by(u32::from(value.unsigned_abs()) * P::PROPERTIES.margin_step);
    match outcome {
        Outcome::Win if P::PROPERTIES.margin_step > 0 => (outcome, won()),
        Outcome::Loss if P::PROPERTIES.margin_step > 0 => (outcome, -won()),
        _ => (outcome, score),
    }
}

/// In a game without margins: the outcome that a solver score stands for, and the score of a position that leaves so
/// many plies.
///
/// ```
/// use bestmove_engine::game::{Outcome, Score, outcome_and_score};
/// assert_eq!(outcome_and_score(3, 9), (Outcome::Win, Score::won_in(7)));
/// assert_eq!(outcome_and_score(0, 9), (Outcome::Draw, Score::DRAWN));
/// ```
pub fn outcome_and_score(value: SolverScore, plies_left: u32) -> (Outcome, Score) {
    let outcome = match value {
        0 => Outcome::Draw,
        1.. => Outcome::Win,
        _ => Outcome::Loss,
    };
    let unused = u32::from(value.unsigned_abs()).saturating_sub(1);
    (outcome, Score::ended(outcome, plies_left - unused.min(plies_left)))
}

/// The solver score of a position with `plies_left` plies left, from the score: the inverse of [`outcome_and_score`].
///
/// ```
/// use bestmove_engine::game::{Score, solver_score_of};
/// assert_eq!(solver_score_of(Score::won_in(7), 9), 3);
/// assert_eq!(solver_score_of(Score::lost_in(2), 2), -1);
/// ```
pub fn solver_score_of(score: Score, plies_left: u32) -> SolverScore {
    let Some(plies) = score.plies() else { return 0 };
    let value = (plies_left + 1).saturating_sub(plies) as SolverScore;
    if score.is_won() { value } else { -value }
}

/// An [`Expansion`] that knows only the rules: the children in the game's order, those that end the
/// game decided.
pub(crate) fn by_rules<P: Position>(
    position: &P,
    beta: SolverScore,
    mut child: impl FnMut(P, i32),
) -> Expansion {
    let (least, high) = solver_score_range(position);
    let mut best_ended = None;
    for mv in position.legal_moves() {
        let next = position.play(mv);
        match next.outcome() {
            Some(outcome) => best_ended = best_ended.max(Some(-final_value(outcome, &next))),
            None => child(next, 0),
        }
        if best_ended >= Some(high) {
            return Expansion::Decided(high);
        }
    }
    match best_ended {
        Some(value) if value >= beta => Expansion::Decided(value),
        Some(value) => Expansion::Open { low: value, high, rest: value },
        None => Expansion::Open { low: least, high, rest: SolverScore::MIN },
    }
}
