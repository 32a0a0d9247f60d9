//! The values of the positions of a game, each by search and by the value of the next position.
//!
//! Values are backed up as in a minimax tree with the game as its trunk. The value of a position is the better of two: the
//! value of the played move, which is the value of the next position, and the value of the best other move by a search.
//! So each fall of the value is the loss of one move.

use bestmove_engine::game::{Outcome, Score};
use bestmove_engine::games::any::{Evaluation, MoveText};

/// The difference between neighbours, in ten-thousandths of a point, from which a position is searched a second time.
const DISAGREEMENT: i32 = 500;
/// The number of times that the effort of a search can be raised.
pub(super) const RAISES: u32 = 3;
/// All points of a game, in ten-thousandths.
pub(super) const ALL_POINTS: i32 = 10_000;
/// The greatest number of moves of a line whose end is not proven.
const MOST_MOVES: usize = 16;
/// The greatest number of moves of any other line. Otherwise a game of forced moves would have a line to its end at each
/// move.
const MOST_PROVEN_MOVES: usize = 48;

/// A line of moves in the notation of requests, with blanks between them; empty where a game is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line(Box<str>);

impl Line {
    pub(super) fn of(moves: &[MoveText]) -> Self {
        let moves: Vec<_> = moves.iter().take(MOST_PROVEN_MOVES).map(|mv| &*mv.text).collect();
        Self(moves.join(" ").into())
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }

    fn first(&self) -> Option<&str> {
        self.moves().next()
    }

    /// The line after its first move.
    fn rest(&self) -> Self {
        Self(self.0.split_once(' ').map_or("", |(_, rest)| rest).into())
    }
}

/// The result of a search of a position, from the view of its side to move.
#[derive(Clone)]
pub(super) struct Finding {
    pub(super) evaluation: Evaluation,
    pub(super) line: Line,
}

/// A search of a position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    /// Whether only the moves that were not played are searched.
    pub(super) is_of_others: bool,
    /// The number of times that the effort was raised.
    pub(super) effort: u32,
}

impl Scope {
    /// The first search of a position.
    pub(super) const FIRST: Self = Self { is_of_others: false, effort: 0 };

    /// The next search with more effort, if there is one.
    fn next(self, is_of_others: bool) -> Option<Self> {
        let effort = if self.is_of_others == is_of_others { self.effort + 1 } else { 1 };
        (effort <= RAISES).then_some(Self { is_of_others, effort })
    }

    /// Whether neighbours differ enough for this search, which is not the first one. A fourth one also needs a value that the
    /// third one changed.
    fn is_worth(self, difference: i32, change: i32) -> bool {
        match self.effort {
            1 => difference > DISAGREEMENT,
            2 => difference > 2 * DISAGREEMENT,
            _ => difference > 2 * DISAGREEMENT && change > DISAGREEMENT,
        }
    }
}

/// A position of the game with the result of its last search.
pub(super) struct SearchedPosition {
    /// The move that led here, in the notation of requests; empty at the start.
    pub(super) played: Box<str>,
    pub(super) has_choice: bool,
    pub(super) scope: Scope,
    pub(super) finding: Finding,
    /// By how much the last search changed the expected points, in ten-thousandths.
    pub(super) change: i32,
}

impl SearchedPosition {
    /// Takes the place of the position by an earlier search.
    pub(super) fn replace(self, earlier: &mut Self) {
        let points = [&self, earlier].map(|it| points_of(&it.finding.evaluation));
        *earlier = Self { change: (points[0] - points[1]).abs(), ..self };
    }

    /// Whether nothing is known of the moves beside `played`, whose value fell to `points`. Another one may be better.
    fn is_open(&self, played: &str, points: i32) -> bool {
        /// The fall of a value that changes no label by itself.
        const NEAR: i32 = 50;
        self.has_choice
            && !self.scope.is_of_others
            && self.finding.line.first() == Some(played)
            && points_of(&self.finding.evaluation) > points + NEAR
    }

    /// The outcome of the position, where it is proven.
    fn proven(&self) -> Option<Outcome> {
        self.finding.evaluation.outcome.filter(|_| !self.scope.is_of_others)
    }

    /// Takes over a proof of the position `before`, whose line leads here.
    fn inherit(&mut self, before: &Finding) {
        let (evaluation, line) = (one_ply_later(before.evaluation), before.line.rest());
        if before.line.first() != Some(&*self.played) {
            return;
        }
        if line != Line::default() {
            self.finding = Finding { evaluation, line };
        } else if evaluation.outcome == Some(Outcome::Loss) {
            // Every move loses, so no best move is needed.
            self.finding.evaluation = evaluation;
        }
    }
}

/// The value of a position, from the view of its side to move.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) evaluation: Evaluation,
    /// The expected points in ten-thousandths.
    pub(super) points: i32,
    pub(super) line: Line,
}

impl Value {
    /// The value by the result of a search.
    fn found(finding: &Finding) -> Self {
        let (evaluation, line) = (finding.evaluation, finding.line.clone());
        Self { evaluation, points: points_of(&evaluation), line }
    }

    /// Turns the value of the position `next` into the value of the move that leads to it.
    fn before(&self, next: &SearchedPosition) -> Self {
        let is_proven = self.evaluation.outcome.is_some();
        let most = if is_proven { MOST_PROVEN_MOVES } else { MOST_MOVES };
        let moves = std::iter::once(&*next.played).chain(self.line.moves()).take(most);
        let line = Line(moves.collect::<Vec<_>>().join(" ").into());
        let evaluation = one_ply_earlier(self.evaluation);
        Self { evaluation, points: ALL_POINTS - self.points, line }
    }

    /// The value without its proof.
    fn unproven(self, half_value: i32) -> Self {
        let score = Score::heuristic(self.evaluation.score);
        let evaluation = Evaluation::of(score, None, half_value);
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

/// The better one of the value `found` by a search of the position and the value of the `played` move.
fn better(position: &SearchedPosition, found: Value, played: Value) -> Value {
    if !position.has_choice {
        return played;
    }
    if position.proven().is_some() {
        return found;
    }
    let half_value = found.evaluation.half_value;
    let is_same =
        found.line.first() == played.line.first() && found.points - played.points <= DISAGREEMENT;
    let is_played_best =
        (played.points, played.evaluation.score) >= (found.points, found.evaluation.score);
    let both = found.evaluation.outcome.is_some() && played.evaluation.outcome.is_some();
    let best = if is_same || is_played_best { played } else { found };
    // One move proves a win; only all moves prove anything else.
    if both || best.evaluation.outcome == Some(Outcome::Win) {
        best
    } else {
        best.unproven(half_value)
    }
}

/// The positions to search again because neighbours disagree or a second line is near, in the order of the game.
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
        if again.last().is_none_or(|last| last.0 < index) {
            let is_open = before.is_open(&after.played, ALL_POINTS - values[1].points);
            let of_others =
                of_others.filter(|scope| is_open || scope.is_worth(difference, before.change));
            again.extend(of_others.map(|scope| (index, scope)));
        }
        let of_all = of_all.filter(|scope| scope.is_worth(difference, after.change));
        again.extend(of_all.map(|scope| (index + 1, scope)));
    }
    again
}

pub(super) fn shown_points(points: i32) -> f64 {
    f64::from(points) / f64::from(ALL_POINTS)
}

/// The value in the form of answers: a finished game has no distance to its end.
pub(super) fn shown(evaluation: Evaluation) -> Evaluation {
    Evaluation { plies: evaluation.plies.filter(|&plies| plies > 0), ..evaluation }
}

/// An evaluation from the view of a side: its own one, or the other side's reversed.
pub(super) fn seen(evaluation: Evaluation, is_own: bool) -> Evaluation {
    if is_own { evaluation } else { evaluation.reversed() }
}

/// The points that a side may expect of a game, in ten-thousandths.
#[expect(clippy::cast_possible_truncation, reason = "points are between 0 and 1")]
pub(super) fn points_of(evaluation: &Evaluation) -> i32 {
    (evaluation.expected_points() * f64::from(ALL_POINTS)).round() as i32
}

/// The value of a position by the value of the next one.
fn one_ply_earlier(next: Evaluation) -> Evaluation {
    at_distance(next.reversed(), |plies| plies + 1)
}

/// The value of a position by the value of the last one.
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
