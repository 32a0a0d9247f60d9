//! The root probe: the answer to a task from a book or endgame tables.
//!
//! Tables leave out draws by repetition and by a move counter. A table value is proven where the move counter admits
//! it. Else it is a score with an unknown outcome, and of such moves the one with the best table value is played.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::alpha_beta::{TIE_BREAK_PLIES, proven_line};
use super::losing_tie_break::{break_tie, near_loss, put_first};
use super::report::{Report, SearchVariation, Source, proven};
use super::task::{Algorithm, Task};
use crate::game::limits::{Budget, Interrupted, SearchLimits};
use crate::game::{Evaluator, Outcome, Position, Question, Score, SolverHooks, known_value};

/// The answer, where the values of the root moves are known and within the task's probe limit. `None` past the deadline
/// too: the search, which comes next, reports it.
pub(super) fn answer<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
) -> Option<Report<P::Move>> {
    let mut moves = known_moves(task, evaluator, budget).ok().flatten()?;
    moves.sort_by_key(KnownMove::rank);
    let best = &moves[..task.wanted()];
    if !best.iter().all(|best| best.is_within_probe_limit(task)) {
        return None;
    }
    let mut variations = best.iter().map(|best| best.variation.clone()).collect();
    budget.count(moves.len());
    if let Err(interrupted) = break_losing_tie(task, evaluator, budget, &moves, &mut variations) {
        budget.note_interruption(interrupted);
    }
    for variation in &mut variations {
        extend_line(task, evaluator, budget, variation);
    }
    let is_proven = variations[0].outcome.is_some();
    let report = Report::new(task, budget, variations, is_proven);
    Some(Report { source: Source::Stored(P::PROPERTIES.knowledge), ..report })
}

/// Moves, each with its table value.
type Valued<M> = Vec<(M, Score)>;

/// A root move whose table value is known.
struct KnownMove<M> {
    /// The place of the move in the game's order.
    place: usize,
    /// The value of the root if the move is played, draw rules left out.
    table_value: Score,
    /// The move with its score, and its outcome where that is proven.
    variation: SearchVariation<M>,
}

impl<M> KnownMove<M> {
    /// The key of the order of moves, best first, without ties. Of moves with equal scores the one with the best table value
    /// comes first, then the first in the game's order.
    fn rank(&self) -> (Reverse<Score>, Reverse<Score>, usize) {
        let is_proven = self.variation.outcome.is_some();
        let tie_break = if is_proven { Score::DRAWN } else { self.table_value };
        (Reverse(self.variation.score), Reverse(tie_break), self.place)
    }

    fn is_within_probe_limit<P: Position<Move = M>>(&self, task: &Task<P>) -> bool {
        let is_proven = self.variation.outcome.is_some() || task.probe_limit.is_none();
        is_proven && task.is_within_probe_limit(self.variation.score, 0)
    }
}

/// The root moves, if the values of all are known, or else the stored move.
fn known_moves<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &Budget,
) -> Result<Option<Vec<KnownMove<P::Move>>>, Interrupted> {
    let root = &task.position;
    let moves = task.root_moves();
    if moves.iter().all(|&mv| root.play(mv).outcome().is_some()) {
        // Every root move ends the game, so there is nothing to look up.
        return Ok(None);
    }
    let values = known_values(evaluator, budget, root, moves)?;
    let values = values.or_else(|| Some(vec![stored_move(task, evaluator)?]));
    let drawing = drawing_keys(task, &[]);
    let Some(values) = values else { return Ok(None) };
    let mut known = Vec::new();
    for (place, (mv, table_value)) in values.into_iter().enumerate() {
        let (score, outcome) = judged(task, evaluator, &drawing, mv, table_value);
        let variation = SearchVariation { outcome, ..SearchVariation::new(mv, score, Vec::new()) };
        known.push(KnownMove { place, table_value, variation });
    }
    Ok(Some(known))
}

/// The given moves of a position, each with its table value for the side to move, if all have one.
fn known_values<P: Position, E: Evaluator<P>>(
    evaluator: &E,
    budget: &Budget,
    position: &P,
    moves: impl IntoIterator<Item = P::Move>,
) -> Result<Option<Valued<P::Move>>, Interrupted> {
    let mut values = Vec::new();
    for mv in moves {
        budget.check()?;
        let Some(reply) = value(evaluator, &position.play(mv)) else { return Ok(None) };
        values.push((mv, -reply.seen_from_root(1)));
    }
    Ok(Some(values))
}

/// The value of a position by a book or a table, or by its outcome.
fn value<P: Position, E: Evaluator<P>>(evaluator: &E, position: &P) -> Option<Score> {
    match position.outcome() {
        Some(outcome) => Some(Score::of_end(position, outcome, 0)),
        None => known_value(evaluator, position),
    }
}

/// The stored move that holds the stored value of the root, in a game that must end; `None` where the tie-break among
/// losing moves may prefer another move.
fn stored_move<P: Position, E: SolverHooks<P>>(
    task: &Task<P>,
    evaluator: &E,
) -> Option<(P::Move, Score)> {
    let is_asked = task.moves.is_empty() && task.wanted() == 1;
    let mv = evaluator.known(&task.position, Question::Move).filter(|_| is_asked)?.mv()?;
    let value = known_value(evaluator, &task.position)?;
    let may_tie = value.is_lost() && value.plies() <= Some(TIE_BREAK_PLIES);
    (!may_tie).then_some((mv, value))
}

/// The score of a root move under the draw rules, and its outcome where that is proven.
fn judged<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    drawing: &HashSet<u64>,
    mv: P::Move,
    table_value: Score,
) -> (Score, Option<Outcome>) {
    let child = task.position.play(mv);
    let may_recur = !drawing.is_empty() && child.reversible_plies() > 0;
    let plies = table_value.plies().map(|plies| plies - 1);
    // A draw of the table is a draw under the draw rules too.
    let is_proven = plies.is_none_or(|plies| plies == 0) || is_admitted(&child, plies, may_recur);
    let may_claim = table_value.is_won() || !task.is_past_claim(&child, 1);
    if is_proven {
        (table_value, proven(table_value, || true))
    } else if is_drawn(&child, drawing) && may_claim {
        (Score::DRAWN, None)
    } else {
        let score = evaluator.score(&task.position);
        let score = if table_value.is_won() { score.max(1) } else { score.min(-1) };
        (Score::heuristic(score), None)
    }
}

/// Whether the draw rules admit the table value of a position: the game ends before a move counter draws it, and no
/// position that would draw by repetition can come back.
#[inline]
pub(super) fn is_admitted<P: Position>(position: &P, plies: Option<u32>, may_recur: bool) -> bool {
    !may_recur && plies <= position.plies_to_draw().or(Some(u32::MAX))
}

/// Whether a draw rule ends the game at a position. `drawing` has the keys that draw by repetition.
fn is_drawn<P: Position>(position: &P, drawing: &HashSet<u64>) -> bool {
    position.plies_to_draw() == Some(0) || drawing.contains(&position.key())
}

/// The keys of the positions whose next occurrence below the root draws by repetition: positions that have occurred
/// twice, where the root and the positions of a `line` from the root count.
pub(super) fn drawing_keys<P: Position>(task: &Task<P>, line: &[P::Move]) -> HashSet<u64> {
    if !P::PROPERTIES.repeats {
        return HashSet::new();
    }
    let (mut position, mut history) = (task.position.clone(), task.history.clone());
    for &mv in line {
        history.played(position.key());
        position = position.play(mv);
    }
    history.played(position.key());
    history.recurred(position.reversible_plies() + 1)
}

/// The tie-break among losing moves. It needs no search where the replies to the moves that hold out longest are known.
fn break_losing_tie<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    moves: &[KnownMove<P::Move>],
    variations: &mut Vec<SearchVariation<P::Move>>,
) -> Result<(), Interrupted> {
    let Some(plies) = near_loss(variations) else { return Ok(()) };
    let fastest_win = Score::won_in(plies - 1);
    let mut hardest: Option<(usize, &SearchVariation<P::Move>)> = None;
    let longest = moves.iter().map(|known| &known.variation);
    for known in longest.filter(|known| known.score == variations[0].score) {
        let child = task.position.play(known.mv);
        let Some(replies) = known_values(evaluator, budget, &child, child.legal_moves())? else {
            break_tie(task, evaluator, budget, variations);
            return Ok(());
        };
        let wins = replies.iter().filter(|&&(_, score)| score == fastest_win).count();
        if hardest.is_none_or(|(fewest, _)| wins < fewest) {
            hardest = Some((wins, known));
        }
    }
    if let Some((_, hardest)) = hardest {
        put_first(variations, hardest.clone());
    }
    Ok(())
}

/// Continues a line by table values, and, in a game that must end, beyond the end of a book by an exact search of the last
/// plies. A line that cannot be continued to the end that its score announces stays shorter.
pub(super) fn extend_line<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &mut Budget,
    variation: &mut SearchVariation<P::Move>,
) {
    let continued = follow_tables(task, evaluator, budget, variation)
        .and_then(|end| search_last_plies(end, evaluator, budget, variation));
    if let Err(interrupted) = continued {
        budget.note_interruption(interrupted);
    }
}

/// Continues a line by the best table values, the first of equals, up to the end of the game, be it by a draw rule, and
/// returns its last position. A draw without an end has no line.
fn follow_tables<P: Position, E: Evaluator<P>>(
    task: &Task<P>,
    evaluator: &E,
    budget: &Budget,
    variation: &mut SearchVariation<P::Move>,
) -> Result<P, Interrupted> {
    let line: Vec<_> = variation.line().collect();
    // The last position of the line may itself be a second occurrence, which does not draw.
    let drawing = drawing_keys(task, &line[..line.len() - 1]);
    let mut position = line.iter().fold(task.position.clone(), |position, &mv| position.play(mv));
    let announced = variation.score.plies().map(|plies| plies.saturating_sub(variation.plies()));
    if announced.is_some() && value(evaluator, &position).and_then(Score::plies) != announced {
        return Ok(position);
    }
    while position.outcome().is_none() && !is_drawn(&position, &drawing) {
        let moves = known_values(evaluator, budget, &position, position.legal_moves())?;
        let best = moves.into_iter().flatten().rev().max_by_key(|&(_, score)| score);
        let Some((mv, score)) = best else { break };
        if score == Score::DRAWN && position.plies_left().is_none() {
            break;
        }
        variation.continuation.push(mv);
        position = position.play(mv);
    }
    Ok(position)
}

/// Continues a line that ends with `position` by an exact search, if the game must end within few plies.
fn search_last_plies<P: Position, E: Evaluator<P>>(
    position: P,
    evaluator: &E,
    budget: &mut Budget,
    variation: &mut SearchVariation<P::Move>,
) -> Result<(), Interrupted> {
    let played = variation.plies();
    let left = variation.score.plies().unwrap_or(0).saturating_sub(played);
    let must_end = position.outcome().is_none() && position.plies_left().is_some();
    if must_end && (1..=TIE_BREAK_PLIES).contains(&left) {
        let score = variation.score.seen_from(played);
        let score = if played.is_multiple_of(2) { score } else { -score };
        let task = Task::new(position, SearchLimits::depth(left), Algorithm::AlphaBeta);
        variation.continuation.extend(proven_line(&task, evaluator, budget, score)?);
    }
    Ok(())
}
