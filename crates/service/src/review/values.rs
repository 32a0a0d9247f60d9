//! What the positions of a game are worth, each by what turned out after it.
//!
//! The value of a position is backed up as in a minimax tree that has the game as its trunk: it is the better one of what
//! the played move turned out to be worth, which is the value of the next position, and of what a search says about the best
//! of the other moves. So each fall of the value is the loss of one move.

use super::summary::{ExpectedPoints, Label, ReviewedMove};
use bestmove_engine::game::{Outcome, Score};
use bestmove_engine::games::any::{AnyBoard, Evaluation, MoveText, ShownMove, State, Variation};

/// The difference of neighbours, in ten-thousandths of a point, from which on a position is searched again with more
/// effort, and from which on once more.
const DISAGREEMENTS: [i32; 2] = [500, 1000];
/// All points of a game, in ten-thousandths.
const ALL_POINTS: i32 = 10_000;
/// The moves of a line whose end is not proven.
const MOST_MOVES: usize = 16;

/// A move, and the line that is expected with it at the start.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) best: ShownMove,
    pub(super) moves: Vec<MoveText>,
}

/// What a search found out about a position, from the view of its side to move.
pub(super) struct Finding {
    pub(super) evaluation: Evaluation,
    /// None where the game is over.
    pub(super) line: Option<Line>,
}

/// A search of a position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    /// Whether the moves that were not played are searched, and not all.
    pub(super) is_of_others: bool,
    /// How often the effort was raised.
    pub(super) effort: u32,
}

impl Scope {
    /// The first search of a position.
    pub(super) const FIRST: Self = Self { is_of_others: false, effort: 0 };

    /// The next search of this kind, if there is one.
    fn next(self, is_of_others: bool) -> Option<Self> {
        let effort = if self.is_of_others == is_of_others { self.effort + 1 } else { 1 };
        (effort as usize <= DISAGREEMENTS.len()).then_some(Self { is_of_others, effort })
    }
}

/// A position of the game with what a search found out about it.
pub(super) struct SearchedPosition {
    /// None while another thread searches it again.
    pub(super) board: Option<Box<dyn AnyBoard>>,
    pub(super) state: State,
    /// The move that led here.
    pub(super) played: Option<ShownMove>,
    pub(super) has_choice: bool,
    pub(super) scope: Scope,
    pub(super) finding: Finding,
}

impl SearchedPosition {
    /// A position of which all moves were searched.
    pub(super) fn new(board: Box<dyn AnyBoard>, finding: Finding) -> Self {
        let (state, played, has_choice) = (board.state(), board.last_move(), board.has_choice());
        Self { board: Some(board), state, played, has_choice, scope: Scope::FIRST, finding }
    }

    /// The outcome of the position, where it is proven.
    fn proven(&self) -> Option<Outcome> {
        self.finding.evaluation.outcome.filter(|_| !self.scope.is_of_others)
    }

    /// Takes over what is proven about the position `before`, whose line leads here.
    fn inherit(&mut self, before: &Finding) -> Option<()> {
        let (line, played) = (before.line.as_ref()?, self.played.as_ref()?);
        let evaluation = one_ply_later(before.evaluation);
        if line.best.text != played.text {
            return None;
        }
        let shown = line
            .moves
            .get(1)
            .and_then(|mv| self.board.as_ref()?.after(&mv.text, 0).ok()?.last_move());
        match shown {
            Some(best) => {
                let line = Some(Line { best, moves: line.moves[1..].to_vec() });
                self.finding = Finding { evaluation, line };
            }
            // Every move loses, so the best move need not be known.
            None if evaluation.outcome == Some(Outcome::Loss) => {
                self.finding.evaluation = evaluation;
            }
            None => return None,
        }
        Some(())
    }
}

/// The value of a position, from the view of its side to move.
pub(super) struct Value {
    evaluation: Evaluation,
    /// The expected points in ten-thousandths.
    points: i32,
    line: Option<Line>,
}

impl Value {
    /// The value that a search found.
    fn found(finding: &Finding) -> Self {
        let (evaluation, line) = (finding.evaluation, finding.line.clone());
        Self { evaluation, points: points_of(&evaluation), line }
    }

    /// The value of playing the move that leads to `next`, of which this is the value.
    fn before(&self, next: &SearchedPosition) -> Self {
        let line = next.played.clone().map(|best| {
            let rest = self.line.iter().flat_map(|line| &line.moves);
            let moves = std::iter::once(&best.text).chain(rest).cloned();
            let most = if self.evaluation.outcome.is_some() { usize::MAX } else { MOST_MOVES };
            Line { moves: moves.take(most).collect(), best }
        });
        let evaluation = one_ply_earlier(self.evaluation);
        Self { evaluation, points: ALL_POINTS - self.points, line }
    }

    fn is_best(&self, played: &Self) -> bool {
        let best = |value: &Self| value.line.as_ref().map(|line| line.best.text.clone());
        best(self) == best(played)
    }

    /// The same value without a proof.
    fn unproven(self, half_value: i32) -> Self {
        let score = Score::heuristic(self.evaluation.score);
        let (value, score) = (score.value(half_value), score.number());
        let evaluation = Evaluation {
            outcome: None,
            margin: None,
            plies: None,
            plies_bound: None,
            score,
            score_bound: None,
            value,
            half_value,
        };
        Self { evaluation, ..self }
    }
}

/// The value of each position, from the last one to the first.
pub(super) fn values(positions: &mut [SearchedPosition]) -> Vec<Value> {
    for next in 1..positions.len() {
        let (before, after) = positions.split_at_mut(next);
        let (before, after) = (&before[next - 1], &mut after[0]);
        if before.proven().is_some() && after.finding.evaluation.outcome.is_none() {
            after.inherit(&before.finding);
        }
    }
    let mut values: Vec<Value> = Vec::with_capacity(positions.len());
    for (index, position) in positions.iter().enumerate().rev() {
        let found = Value::found(&position.finding);
        let value = match (values.last(), positions.get(index + 1)) {
            (Some(after), Some(next)) => better(position, found, after.before(next)),
            _ => found,
        };
        values.push(value);
    }
    values.reverse();
    values
}

/// The better one of what a search of the position `found` and of what the `played` move turned out to be worth.
fn better(position: &SearchedPosition, found: Value, played: Value) -> Value {
    if !position.has_choice {
        return played;
    }
    if position.proven().is_some() {
        return found;
    }
    let half_value = found.evaluation.half_value;
    let is_same = found.is_best(&played) && found.points - played.points <= DISAGREEMENTS[0];
    let rank = |value: &Value| (value.points, value.evaluation.score);
    let both = found.evaluation.outcome.is_some() && played.evaluation.outcome.is_some();
    let best = if is_same || rank(&played) >= rank(&found) { played } else { found };
    // A win is proven by one move; anything else, by all.
    if both || best.evaluation.outcome == Some(Outcome::Win) {
        best
    } else {
        best.unproven(half_value)
    }
}

/// Which positions to search again, where neighbours disagree, in their order.
pub(super) fn disputed(positions: &[SearchedPosition], values: &[Value]) -> Vec<(usize, Scope)> {
    let mut again: Vec<(usize, Scope)> = Vec::new();
    for (index, (around, values)) in positions.windows(2).zip(values.windows(2)).enumerate() {
        let (before, after) = (&around[0], &around[1]);
        let difference = (values[0].points + values[1].points - ALL_POINTS).abs();
        let of_others = before.scope.next(true).filter(|_| before.proven().is_none());
        let of_all = after.scope.next(false).filter(|_| {
            let is_last = index + 2 == positions.len();
            let is_open = !after.scope.is_of_others && after.finding.evaluation.outcome.is_none();
            is_open && (is_last || before.proven().is_some())
        });
        let is_disputed = |scope: &Scope| difference > DISAGREEMENTS[scope.effort as usize - 1];
        if again.last().is_none_or(|last| last.0 < index) {
            again.extend(of_others.filter(is_disputed).map(|scope| (index, scope)));
        }
        again.extend(of_all.filter(is_disputed).map(|scope| (index + 1, scope)));
    }
    again
}

/// The moves of the game, each with what it was worth.
pub(super) fn reviewed(
    positions: &[SearchedPosition],
    values: Vec<Value>,
    first_side: &'static str,
) -> Vec<ReviewedMove> {
    let after: Vec<_> = values.iter().map(|value| (value.evaluation, value.points)).collect();
    let moves = values.into_iter().zip(positions.windows(2)).zip(after.into_iter().skip(1));
    let moves = moves.enumerate().filter_map(|(index, ((value, around), (evaluation, points)))| {
        let (before, Line { best, moves }) = (&around[0], value.line?);
        let side = before.state.side_to_move;
        let played = around[1].played.clone()?;
        let seen = |evaluation: Evaluation, is_own| {
            if is_own { evaluation } else { evaluation.reversed() }
        };
        let points = ALL_POINTS - points;
        let loss = shown_points((value.points - points).max(0));
        Some(ReviewedMove {
            ply: index + 1,
            side,
            mv: played.text.clone(),
            played,
            evaluation: shown(seen(evaluation, side != first_side)),
            best: Variation {
                mv: best.text,
                drawing: Some(best.drawing),
                evaluation: shown(seen(value.evaluation, side == first_side)),
                principal_variation: moves,
                reasons: None,
            },
            expected: ExpectedPoints {
                before: shown_points(value.points),
                after: shown_points(points),
            },
            loss,
            label: if before.has_choice { Label::of(loss) } else { Label::Forced },
            reasons: None,
            is_proven: value.evaluation.outcome.is_some() && evaluation.outcome.is_some(),
        })
    });
    moves.collect()
}

pub(super) fn shown_points(points: i32) -> f64 {
    f64::from(points) / f64::from(ALL_POINTS)
}

/// A game that is over has no distance to its end.
fn shown(evaluation: Evaluation) -> Evaluation {
    Evaluation { plies: evaluation.plies.filter(|&plies| plies > 0), ..evaluation }
}

/// The points that a side may expect of a game, in ten-thousandths.
pub(super) fn points_of(evaluation: &Evaluation) -> i32 {
    (evaluation.expected_points() * f64::from(ALL_POINTS)).round() as i32
}

/// The value of a position by that of the next one.
fn one_ply_earlier(next: Evaluation) -> Evaluation {
    at_distance(next.reversed(), |plies| plies + 1)
}

/// The value of a position by that of the one before.
fn one_ply_later(before: Evaluation) -> Evaluation {
    at_distance(before.reversed(), |plies| plies.saturating_sub(1))
}

fn at_distance(evaluation: Evaluation, moved: impl Fn(u32) -> u32) -> Evaluation {
    let plies = evaluation.plies.map(moved);
    let score = match (evaluation.outcome, plies) {
        _ if evaluation.margin.is_some() => evaluation.score,
        (Some(Outcome::Win), Some(plies)) => Score::won_in(plies).number(),
        (Some(Outcome::Loss), Some(plies)) => Score::lost_in(plies).number(),
        _ => evaluation.score,
    };
    Evaluation { plies, score, ..evaluation }
}

#[cfg(test)]
mod tests;
