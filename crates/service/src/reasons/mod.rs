//! Reasons: why a move is good or bad, as data and in a sentence. A reason is proven, or confirmed by searches, or
//! not told.
//!
//! A move takes at most twelve searches of [`NODES`](searcher::NODES) positions, and two deeper ones where nothing but its value is
//! wrong with it. Nothing depends on time, so the same request gets the same reasons.

mod motifs;
mod searcher;
mod sentences;

use std::cell::Cell;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

pub(crate) use self::searcher::Valued;
use self::searcher::{DEEPER_NODES, Exchange, PIECE, Searcher, within};
use self::sentences::{Draft, KINDS, Pieces, rank};
use bestmove_engine::game::{Outcome, Square};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{
    Answer, AnyBoard, AnyGame, AnySearch, Evaluation, GameStatus, MoveText, Reason, Variation,
};

/// The most reasons of a move.
const MOST_REASONS: usize = 3;
/// The material within which an exchange is even.
const EVEN: i32 = 50;
/// The kinds that say what is wrong with a move.
const FAULTS: [&str; 4] = ["throws-away", "allows", "loses", "loses-material"];
/// The plies of the longest threat of which it is checked that a move prevents it.
const LONGEST_THREAT: u32 = 5;

/// A kind of reason that a game may give.
#[derive(Serialize)]
pub(crate) struct ReasonKind {
    name: &'static str,
    description: &'static str,
}

/// The kinds of reasons that are given in a game.
pub(crate) fn kinds(game: &dyn AnyGame) -> Vec<ReasonKind> {
    let own = game.motifs().iter();
    let own = own.map(|kind| ReasonKind { name: kind.name, description: kind.description });
    let shared = KINDS.iter();
    let shared = shared.map(|kind| ReasonKind { name: kind.name, description: kind.description });
    shared.chain(own).collect()
}

/// What a kind means; none where the game of the board has no such kind.
pub(crate) fn kind_description(board: &dyn AnyBoard, kind: &str) -> Option<&'static str> {
    let shared = KINDS.iter().map(|known| (known.name, known.description));
    let own = board.motif_kinds().iter().map(|known| (known.name, known.description));
    shared.chain(own).find(|(name, _)| *name == kind).map(|(_, description)| description)
}

/// The piece on a square with its square, in words.
pub(crate) fn piece_words(board: &dyn AnyBoard, square: Square) -> String {
    Pieces::new(board, board).words(square)
}

/// The bytes that the searches of an explanation may come to occupy.
pub(crate) fn memory(board: &dyn AnyBoard, knowledge: &Knowledge) -> usize {
    board.search(&within(DEEPER_NODES), knowledge).map_or(0, |search| AnySearch::memory(&*search))
}

/// What an answer is to explain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// Why its moves are good or bad.
    pub reasons: bool,
    /// What the other side threatens.
    pub threat: bool,
}

/// Adds reasons to an answer about `board`, or about some of its moves alone, where it `is_restricted`.
pub fn explain(
    answer: &mut Answer,
    board: &dyn AnyBoard,
    wanted: Wanted,
    is_restricted: bool,
    knowledge: &Knowledge,
    stop: &AtomicBool,
) {
    let explainer = Explainer::new(board, knowledge, stop);
    if wanted.threat {
        answer.threat = explainer.threat_reason().map(Box::new);
    }
    if wanted.reasons && answer.variations.is_empty() {
        let best = Valued {
            mv: answer.best_move.clone(),
            evaluation: answer.evaluation,
            line: answer.principal_variation.clone(),
        };
        answer.reasons = Some(explainer.reasons(best, None));
    } else if wanted.reasons {
        let moves: Vec<_> = answer.variations.iter().map(Valued::from).collect();
        for (index, variation) in answer.variations.iter_mut().enumerate() {
            let other = moves.get(usize::from(index == 0)).filter(|_| !is_restricted);
            variation.reasons = Some(explainer.reasons(moves[index].clone(), other.cloned()));
        }
    }
    answer.search.nodes += explainer.nodes();
}

impl From<&Variation> for Valued {
    fn from(variation: &Variation) -> Self {
        Self {
            mv: variation.mv.clone(),
            evaluation: variation.evaluation,
            line: variation.principal_variation.clone(),
        }
    }
}

/// A capture of the piece that has just captured.
#[derive(Clone, Copy)]
struct TakenBack {
    /// The material that this side lost by the last move.
    lost: i32,
    /// The material that it gets back at once.
    won: i32,
}

/// Finds the reasons of the moves of one position.
pub(crate) struct Explainer<'a> {
    board: &'a dyn AnyBoard,
    searcher: Searcher<'a>,
    /// What the other side would do if it were its turn.
    threat: Option<Valued>,
}

impl<'a> Explainer<'a> {
    pub(crate) fn new(
        board: &'a dyn AnyBoard,
        knowledge: &'a Knowledge,
        stop: &'a AtomicBool,
    ) -> Self {
        let searcher = Searcher { knowledge, stop, nodes: Cell::new(0) };
        let threat = board.passed().and_then(|passed| searcher.best_of(&*passed, Vec::new()));
        Self { board, searcher, threat }
    }

    /// The positions that all searches have visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.searcher.nodes.get()
    }

    /// Why a legal move is good or bad, the most important reason first. `other` is the best of the other moves,
    /// where that is known.
    pub(crate) fn reasons(&self, own: Valued, other: Option<Valued>) -> Vec<Reason> {
        let Ok(after) = self.board.after(&own.mv.text, 0) else { return Vec::new() };
        let stated = own.evaluation;
        let (own, again) = self.deepened(own);
        let others = self.board.other_moves(&own.mv);
        let (mut drafts, mut other_value) = (Vec::new(), None);
        if others.is_empty() {
            drafts.push(Draft::new("forced", 0, std::slice::from_ref(&own.mv)));
        } else {
            let known = other.clone().filter(|other| other.evaluation.outcome.is_some());
            let found = known.or_else(|| self.searcher.best_of(self.board, others.clone()));
            if let Some(found) = found {
                drafts.extend(self.compared(&own, &found, &*after));
                let best = other.map_or(found.evaluation, |other| other.evaluation);
                other_value = Some([best, found.evaluation]);
            }
        }
        drafts.extend(Self::outcome(&own, &*after, &drafts));
        let outcome = own.evaluation.outcome;
        if outcome != Some(Outcome::Loss) && after.state().status == GameStatus::Ongoing {
            drafts.extend(self.prevented(&own, &*after));
            drafts.extend(self.threats(&*after));
            self.exchanges(&own, &others, &mut drafts);
        } else {
            let taken_back = self.taken_back(&own.mv);
            drafts.extend(motifs::confirmed(self.board, &own, None, taken_back));
        }
        if !drafts.iter().any(|draft| FAULTS.contains(&draft.kind)) {
            let costs = other_value.and_then(|best| self.costs(&own, [stated, again], best));
            drafts.extend(costs);
        }
        drafts.sort_by_key(|draft| rank(draft.kind));
        let pieces = Pieces::new(self.board, &*after);
        let told = drafts.into_iter().take(MOST_REASONS);
        told.map(|draft| draft.told(&own.mv, &pieces)).collect()
    }

    /// The best of the moves but this one.
    pub(crate) fn best_other(&self, mv: &MoveText) -> Option<Valued> {
        let others = self.board.other_moves(mv);
        if others.is_empty() { None } else { self.searcher.best_of(self.board, others) }
    }

    /// The same move with an outcome that a search of it alone proves, where none is known yet, and what the search
    /// says of it.
    fn deepened(&self, own: Valued) -> (Valued, Evaluation) {
        let stated = own.evaluation;
        if stated.outcome.is_some() {
            return (own, stated);
        }
        match self.searcher.best_of(self.board, vec![own.mv.text.clone()]) {
            Some(again) if again.evaluation.outcome.is_some() => (again.clone(), again.evaluation),
            again => (own, again.map_or(stated, |again| again.evaluation)),
        }
    }

    /// The expected points that a move costs beside the best other one, where two searches each say so, and then
    /// deeper ones. In games that are solved only what is proven counts.
    fn costs(
        &self,
        own: &Valued,
        values: [Evaluation; 2],
        other_values: [Evaluation; 2],
    ) -> Option<Draft> {
        /// Where a mistake begins in a review.
        const LEAST_LOSS: f64 = 0.1;
        /// The moves of a line that ends nowhere.
        const MOST_MOVES: usize = 6;
        self.board.game().default_depth?;
        let loss = |own: Evaluation, other: Evaluation| {
            let loss = other.expected_points() - own.expected_points();
            (loss >= LEAST_LOSS).then_some(loss)
        };
        let first = loss(values[0], other_values[0])?;
        let second = loss(values[1], other_values[1])?;
        let deeper = |moves| {
            let best = self.searcher.best_within(DEEPER_NODES, self.board, moves);
            best.map(|best| best.evaluation)
        };
        let deeper_own = deeper(vec![own.mv.text.clone()])?;
        let third = loss(deeper_own, deeper(self.board.other_moves(&own.mv))?)?;
        let shown = &own.line[..own.line.len().min(MOST_MOVES)];
        Some(Draft::new("loses-points", 0, shown).costing(first.min(second).min(third)))
    }

    /// What is certain of a move beside the best other one.
    fn compared(&self, own: &Valued, other: &Valued, after: &dyn AnyBoard) -> Option<Draft> {
        use Outcome::{Draw, Loss, Win};
        let of = |valued: &Valued| valued.evaluation.outcome;
        let (plies, others_plies) = (own.evaluation.plies, other.evaluation.plies);
        let numbered = |plies: Option<u32>| usize::from(plies.is_none());
        Some(match (of(own), of(other)) {
            (Some(Draw | Loss), Some(Win)) => Draft::new("throws-away", 0, &other.line),
            (Some(Loss), Some(Draw)) => Draft::new("throws-away", 1, &other.line),
            (Some(Loss), Some(Loss)) => {
                Draft::new("loses", numbered(plies), &own.line).within(plies)
            }
            (None, Some(Win)) => {
                Draft::new("misses", numbered(others_plies), &other.line).within(others_plies)
            }
            (Some(Win | Draw), Some(Loss)) => {
                let sentence = numbered(others_plies);
                Draft::new("only-move", sentence, &other.line).within(others_plies)
            }
            (None, Some(Loss)) => {
                let plies = others_plies.filter(|&plies| plies <= LONGEST_THREAT + 1)?;
                // After the move the opponent is one ply nearer to its win.
                let holds = self.searcher.has_no_win(after, plies - 1);
                return holds.then(|| Draft::new("only-move", 0, &other.line).within(Some(plies)));
            }
            (Some(Win), Some(Draw)) => Draft::new("only-move", 2, std::slice::from_ref(&own.mv)),
            _ => return None,
        })
    }

    /// The outcome of a move, where it is proven; `found` are the reasons that are known already.
    fn outcome(own: &Valued, after: &dyn AnyBoard, found: &[Draft]) -> Option<Draft> {
        let plies = own.evaluation.plies;
        Some(match own.evaluation.outcome? {
            Outcome::Win if plies == Some(1) => {
                let squares = match after.state().status {
                    GameStatus::Won { line, .. } => line,
                    _ => Vec::new(),
                };
                Draft { squares, ..Draft::new("wins", 0, &own.line).within(plies) }
            }
            Outcome::Win => {
                Draft::new("wins", 1 + usize::from(plies.is_none()), &own.line).within(plies)
            }
            Outcome::Draw => Draft::new("draws", 0, &own.line),
            Outcome::Loss if found.iter().any(|draft| draft.kind == "loses") => return None,
            Outcome::Loss if found.iter().any(|draft| draft.kind == "forced") => return None,
            Outcome::Loss => {
                Draft::new("allows", usize::from(plies.is_none()), &own.line).within(plies)
            }
        })
    }

    /// A win of the other side that is there if this one passes, and not after the move.
    fn prevented(&self, own: &Valued, after: &dyn AnyBoard) -> Option<Draft> {
        let threat = self.threat.as_ref()?;
        let plies = threat.evaluation.plies.filter(|&plies| plies <= LONGEST_THREAT)?;
        if threat.evaluation.outcome != Some(Outcome::Win) {
            return None;
        }
        let is_safe = own.evaluation.outcome.is_some() || self.searcher.has_no_win(after, plies);
        is_safe.then(|| Draft::new("prevents", 0, &threat.line).within(Some(plies)))
    }

    /// The moves that would win at once if the other side passed now.
    fn threats(&self, after: &dyn AnyBoard) -> Option<Draft> {
        let wins = self.searcher.immediate_wins(&*after.passed()?);
        let kind = match wins.len() {
            0 => return None,
            1 => "threatens",
            _ => "double-threat",
        };
        Some(Draft::new(kind, 0, &wins))
    }

    /// What the move does to the material, and the motifs of the game, which material confirms.
    fn exchanges(&self, own: &Valued, others: &[String], drafts: &mut Vec<Draft>) {
        let wins = own.evaluation.outcome == Some(Outcome::Win);
        let exchange = self.searcher.exchange(self.board, std::slice::from_ref(&own.mv.text));
        let taken_back = self.taken_back(&own.mv);
        drafts.extend(motifs::confirmed(self.board, own, exchange.as_ref(), taken_back));
        drafts.extend(self.sacrifice(own, exchange.as_ref()));
        let Some(exchange) = exchange.filter(|_| !wins) else { return };
        let Exchange { gain, line } = &exchange;
        let is_even = taken_back.is_some_and(|it| *gain < it.lost + PIECE);
        if *gain >= PIECE && !is_even {
            drafts.push(Draft::new("wins-material", 0, line).worth(*gain));
        } else if *gain <= -PIECE {
            let best = self.searcher.exchange(self.board, others);
            if best.is_some_and(|best| best.gain >= gain + PIECE) {
                drafts.push(Draft::new("loses-material", 0, line).worth(*gain));
            }
        } else if is_even {
            drafts.push(Draft::new("trades", 0, &line[..line.len().min(1)]).worth(*gain));
        } else if gain.abs() < EVEN && is_trade(self.board, line) {
            drafts.push(Draft::new("trades", 1, &line[..2]).worth(*gain));
        } else if gain.abs() < EVEN && self.offers_trade(line) {
            drafts.push(Draft::new("trades", 2, &line[..3]).worth(*gain));
        }
    }

    /// What the last move took, and what the move takes from the piece that did so; none where it does not.
    fn taken_back(&self, mv: &MoveText) -> Option<TakenBack> {
        let last = self.board.last_move().filter(|last| !last.drawing.captures.is_empty())?;
        let captures = motifs::captures(self.board, mv);
        last.drawing.path.last().filter(|target| captures.contains(target))?;
        let now = self.searcher.material(self.board)?;
        // Both from the view of the other side.
        let before = self.searcher.material(&*self.board.before()?)?;
        let after = self.searcher.material(&*self.board.after(&mv.text, 0).ok()?)?;
        Some(TakenBack { lost: -now - before, won: -now - after })
    }

    /// Whether the other side must capture after the first move of a line, and the third one takes back.
    fn offers_trade(&self, line: &[MoveText]) -> bool {
        let Some((first, rest)) = line.split_first() else { return false };
        let Ok(after) = self.board.after(&first.text, 0) else { return false };
        let forced = after.legal_moves();
        let is_forced =
            !forced.is_empty() && forced.iter().all(|mv| !mv.drawing.captures.is_empty());
        is_forced && is_trade(&*after, rest)
    }

    /// Whether the side has less material than now after a later move of a line that wins, or wins material: two
    /// of the least pieces less.
    fn sacrifice(&self, own: &Valued, exchange: Option<&Exchange>) -> Option<Draft> {
        let now = self.searcher.material(self.board)?;
        let wins = own.evaluation.outcome == Some(Outcome::Win);
        let gains = exchange.filter(|exchange| exchange.gain >= PIECE);
        let line = if wins { &own.line } else { &gains?.line };
        let along = self.searcher.material_along(self.board, line);
        // What a promotion of the other side makes of the balance is not given up.
        let is_taken = |&index: &usize| {
            let before = searcher::played(self.board, &line[..index - 1]);
            before.is_some_and(|before| !motifs::captures(&*before, &line[index - 1]).is_empty())
        };
        let after_captures = (2..along.len()).step_by(2).filter(is_taken);
        let least = after_captures.map(|index| along[index]).min()? - now;
        let sacrifice = Draft::new("sacrifices", 0, line).worth(least);
        (least <= -2 * PIECE).then_some(Draft { is_proven: wins, ..sacrifice })
    }

    /// What the other side threatens, where it threatens to win or to win material.
    pub(crate) fn threat_reason(&self) -> Option<Reason> {
        let threat = self.threat.as_ref()?;
        let passed = self.board.passed()?;
        let plies = threat.evaluation.plies;
        let draft = if threat.evaluation.outcome == Some(Outcome::Win) && plies.is_some() {
            Draft::new("threat", 0, &threat.line).within(plies)
        } else {
            let exchange = self.searcher.exchange(&*passed, &[]);
            let Exchange { gain, line } = exchange.filter(|exchange| exchange.gain >= PIECE)?;
            Draft::new("threat", 1, &line).worth(gain)
        };
        Some(draft.told(&threat.mv, &Pieces::new(self.board, self.board)))
    }
}

/// Whether the first two moves of a line capture, the second one what the first one left there.
fn is_trade(board: &dyn AnyBoard, line: &[MoveText]) -> bool {
    let [first, second, ..] = line else { return false };
    let Ok(after) = board.after(&first.text, 0) else { return false };
    let landing = after.last_move().and_then(|mv| mv.drawing.path.last().copied());
    let is_capture = !motifs::captures(board, first).is_empty();
    is_capture && landing.is_some_and(|it| motifs::captures(&*after, second).contains(&it))
}
