//! Reasons: why a move is good or bad, as data and in a sentence. A reason is proven, or confirmed by searches, or
//! not told.
//!
//! A move takes at most twelve searches of [`NODES`](searcher::NODES) positions, some that confirm material, and two deeper
//! ones where its value speaks against it. All reasons of an answer share one [`BUDGET`] of nodes, spent on the best moves first. The answer
//! calls the moves that the budget does not reach unexplained. Within the deadline of the job nothing depends on
//! time, so equal requests get equal reasons.

mod material;
mod motifs;
mod searcher;
mod sentences;

use std::cell::OnceCell;
use std::time::Duration;

use self::searcher::{DEEPER_NODES, Exchange, NODES, PIECE, Searcher, boards, drawings};
pub(crate) use self::searcher::{Limits, Valued};
use self::sentences::{KINDS, Pieces, draft, ending, rank, told, worth};
use bestmove_engine::game::{Outcome, ReasonKind, Square};
use bestmove_engine::games::Knowledge;
use bestmove_engine::games::any::{
    Answer, AnyBoard, Evaluation, GameStatus, MoveText, Reason, SearchParameters,
};

/// The greatest number of reasons of a move.
const MOST_REASONS: usize = 3;
/// The least loss of expected points that counts as a mistake.
pub(crate) const LEAST_LOSS: f64 = 0.1;
/// The kinds of reasons that speak against a move, however many points it costs.
const FAULTS: [&str; 4] = ["throws-away", "allows", "loses", "misses"];
/// The kinds of reasons that call another move better.
const BLAME: [&str; 4] = ["throws-away", "misses", "loses-material", "loses-points"];
/// The nodes of all searches for the reasons of one answer.
const BUDGET: u64 = 2_000_000;
/// The plies of the longest threat that a move can be said to prevent.
const LONGEST_THREAT: u32 = 5;

/// The kinds of reasons in a game with the motifs `own`.
pub(crate) fn kinds(own: &'static [ReasonKind]) -> impl Iterator<Item = &'static ReasonKind> {
    KINDS.iter().chain(own)
}

/// The description of a kind; `None` where the game of the board has no such kind.
pub(crate) fn kind_description(board: &dyn AnyBoard, kind: &str) -> Option<&'static str> {
    let known = kinds(board.game().motifs).find(|known| known.name == kind);
    known.map(|known| known.description)
}

/// The piece on a square with its square, in words.
pub(crate) fn piece_words(board: &dyn AnyBoard, square: Square) -> String {
    Pieces::new(board, board).words(square)
}

/// The bytes that the searches of an explanation may occupy.
pub(crate) fn memory(board: &dyn AnyBoard, knowledge: &Knowledge) -> usize {
    let parameters = SearchParameters { nodes: Some(DEEPER_NODES), ..SearchParameters::default() };
    board.search(&parameters, knowledge).map_or(0, |search| search.memory())
}

/// The explanations that a request asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// The reasons of the moves.
    pub reasons: bool,
    /// The threat of the other side.
    pub threat: bool,
}

/// The share of a job's time that is kept for its explanation.
pub(crate) fn share(time: Duration) -> Duration {
    time / 4
}

/// Finds the reasons of the moves of one position.
pub(crate) struct Explainer<'a> {
    board: &'a dyn AnyBoard,
    searcher: Searcher<'a>,
    /// The best move of the other side if it were to move.
    threat: Option<Valued>,
    /// The best move by a deeper search of it alone, which runs when it is first needed.
    deeper_best: OnceCell<Option<Valued>>,
}

impl<'a> Explainer<'a> {
    pub(crate) fn new(
        board: &'a dyn AnyBoard,
        knowledge: &'a Knowledge,
        limits: Limits<'a>,
    ) -> Self {
        let searcher = Searcher::new(knowledge, limits, BUDGET);
        let threat = board.passed().and_then(|passed| searcher.best(NODES, &*passed, Vec::new()));
        Self { board, searcher, threat, deeper_best: OnceCell::new() }
    }

    /// Adds explanations to an answer about the board, or, where it `is_restricted`, about some of its moves.
    pub(crate) fn explain(&self, answer: &mut Answer, wanted: Wanted, is_restricted: bool) {
        if wanted.threat {
            answer.threat = self.threat_reason().map(Box::new);
        }
        if wanted.reasons && answer.variations.is_empty() {
            let reasons = self.reasons(Valued::best(answer), None, !is_restricted);
            answer.reasons = Some(reasons.unwrap_or_default());
        } else if wanted.reasons {
            let moves: Vec<_> = answer.variations.iter().map(Valued::of).collect();
            for (index, variation) in answer.variations.iter_mut().enumerate() {
                let is_best = index == 0 && !is_restricted;
                let other = moves.get(usize::from(index == 0)).filter(|_| !is_restricted);
                variation.reasons = self.reasons(moves[index].clone(), other.cloned(), is_best);
                variation.is_unexplained = variation.reasons.is_none();
            }
        }
        answer.search.nodes += self.searcher.nodes.get();
        answer.are_reasons_cut |= self.is_cut();
    }

    /// Whether time ended a search.
    pub(crate) fn is_cut(&self) -> bool {
        self.searcher.is_cut.get()
    }

    /// The reasons of a legal move, the most important one first; `None` where the budget ended before all searches for them.
    /// `other` is the best of the other moves, if known. A move that the answer calls best is not blamed beside another one.
    pub(crate) fn reasons(
        &self,
        own: Valued,
        other: Option<Valued>,
        is_best: bool,
    ) -> Option<Vec<Reason>> {
        if self.searcher.is_spent.get() || self.is_cut() {
            return None;
        }
        let mut reasons = self.found(own, other);
        reasons.retain(|reason| !is_best || !BLAME.contains(&reason.kind));
        (!self.searcher.is_spent.get()).then_some(reasons)
    }

    fn found(&self, own: Valued, other: Option<Valued>) -> Vec<Reason> {
        let Ok(after) = self.board.after(&own.mv.text, 0) else { return Vec::new() };
        let (own, again) = self.deepened(own);
        let others = self.board.other_moves(&own.mv);
        let (mut drafts, mut losses, mut best) = (Vec::new(), [0.0; 2], None);
        if others.is_empty() {
            drafts.push(draft("forced", 0, std::slice::from_ref(&own.mv)));
        } else {
            let known = other.clone().filter(|other| other.evaluation.outcome.is_some());
            let found = known.or_else(|| self.searcher.best(NODES, self.board, others.clone()));
            if let Some(found) = found {
                drafts.extend(self.compared(&own, &found, &*after));
                let other = best.insert(other.unwrap_or(found));
                losses = [&own, &again].map(|own| cost(other.evaluation, own.evaluation));
            }
        }
        drafts.extend(Self::outcome(&own, &*after, &drafts));
        let outcome = own.evaluation.outcome;
        let mut lost = None;
        if outcome != Some(Outcome::Loss) && after.state().status == GameStatus::Ongoing {
            drafts.extend(self.prevented(&own, &*after));
            drafts.extend(self.threats(&*after));
            let is_worse =
                is_faulty(&drafts) || losses.iter().any(|&loss| loss >= LEAST_LOSS / 2.0);
            lost = self.exchanges(&own, &again.line, is_worse, &mut drafts);
        } else {
            let taken_back = self.taken_back(&own.mv);
            drafts.extend(motifs::confirmed(self.board, &own, None, taken_back));
        }
        if let Some(best) = best.filter(|_| !is_faulty(&drafts)) {
            drafts.extend(self.costs(&own, &best, losses[0].min(losses[1]), lost, &others));
        }
        drafts.sort_by_key(|draft| rank(draft.kind));
        let pieces = Pieces::new(self.board, &*after);
        let most_important = drafts.into_iter().take(MOST_REASONS);
        most_important.map(|draft| told(draft, &own.mv, &pieces)).collect()
    }

    /// The move `best`, then the moves that a search values as high, `best` among them; never `but`.
    pub(crate) fn as_good(&self, best: &Valued, but: &MoveText) -> Vec<String> {
        /// The greatest cost of a move that is as good as the best one, in expected points.
        const NEAR: f64 = 0.05;
        let ranked = self.searcher.ranked(self.board);
        let highest = ranked.first().map_or(0.0, |first| first.evaluation.expected_points());
        let near = ranked.iter().filter(|it| it.evaluation.expected_points() >= highest - NEAR);
        let mut good: Vec<_> = near.map(|it| &it.mv).collect();
        // A search that does not see what the best move is for says nothing of the others.
        if !good.contains(&&best.mv) {
            good.clear();
        }
        good.retain(|mv| **mv != best.mv && *mv != but);
        std::iter::once(&best.mv).chain(good).map(|mv| mv.text.clone()).collect()
    }

    /// The move, with a proven outcome where a search of the move alone proves one, and as that search sees it.
    fn deepened(&self, own: Valued) -> (Valued, Valued) {
        if own.evaluation.outcome.is_some() {
            return (own.clone(), own);
        }
        let again = self.searcher.best(NODES, self.board, vec![own.mv.text.clone()]);
        let again = again.unwrap_or_else(|| own.clone());
        let is_proven = again.evaluation.outcome.is_some();
        (if is_proven { again.clone() } else { own }, again)
    }

    /// The fault of a move that costs the expected points `first` beside the `best` other one. Deeper searches of the two agree,
    /// that of the move itself unless it costs much and is `lost` material. In solved games only proofs count.
    fn costs(
        &self,
        own: &Valued,
        best: &Valued,
        first: f64,
        lost: Option<Exchange>,
        others: &[String],
    ) -> Option<Reason> {
        /// The greatest number of moves of a line without a proven end.
        const MOST_MOVES: usize = 6;
        /// The least loss of expected points that is told where no other fault is found.
        const LEAST_POINTS: f64 = 0.15;
        /// The expected points from which on a loss of material needs no deeper search.
        const CLEAR: f64 = 0.2;
        self.board.game().default_depth?;
        let lost = lost.filter(|_| first >= LEAST_LOSS);
        let kept = lost.as_ref().and_then(|_| self.searcher.exchange(self.board, others));
        let lost = lost.filter(|lost| kept.is_some_and(|kept| kept.gain >= lost.gain + PIECE));
        let lost = lost.map(|lost| worth(lost.gain, draft("loses-material", 0, &lost.line)));
        let (least, clear, nodes) = match lost {
            Some(_) => (LEAST_LOSS, CLEAR, DEEPER_NODES / 4),
            None => (LEAST_POINTS, f64::MAX, DEEPER_NODES),
        };
        if first < least || self.comes_back(&own.line) {
            return None;
        }
        let alone =
            |nodes, of: &Valued| self.searcher.best(nodes, self.board, vec![of.mv.text.clone()]);
        let best = self.deeper_best.get_or_init(|| alone(DEEPER_NODES / 2, best)).as_ref()?;
        if best.mv == own.mv {
            return None;
        }
        let own_again = if first < clear { alone(nodes, own)? } else { own.clone() };
        let second = best.evaluation.expected_points() - own_again.evaluation.expected_points();
        if second < least || self.comes_back(&own_again.line) {
            return None;
        }
        let cost = Some((first.min(second) * 100.0).round() / 100.0);
        let shown = &own.line[..own.line.len().min(MOST_MOVES)];
        lost.or_else(|| {
            Some(Reason { loss: cost, proven: false, ..draft("loses-points", 0, shown) })
        })
    }

    /// Whether a line comes back to the board, where another move can still be played.
    fn comes_back(&self, line: &[MoveText]) -> bool {
        let cells = self.board.cells();
        boards(self.board, line).iter().skip(1).step_by(2).any(|board| board.cells() == cells)
    }

    /// The reason that follows from the proven outcomes of a move and of the best other one.
    fn compared(&self, own: &Valued, other: &Valued, after: &dyn AnyBoard) -> Option<Reason> {
        use Outcome::{Draw, Loss, Win};
        Some(match (own.evaluation.outcome, other.evaluation.outcome) {
            (Some(Draw | Loss), Some(Win)) => draft("throws-away", 0, &other.line),
            (Some(Loss), Some(Draw)) => draft("throws-away", 1, &other.line),
            (Some(Loss), Some(Loss)) => ending("loses", own.evaluation, &own.line),
            (None, Some(Win)) => ending("misses", other.evaluation, &other.line),
            (Some(Win | Draw), Some(Loss)) => ending("only-move", other.evaluation, &other.line),
            (None, Some(Loss)) => {
                let plies = other.evaluation.plies.filter(|&plies| plies <= LONGEST_THREAT + 1)?;
                // After the move the opponent is one ply nearer to its win.
                let holds = self.searcher.has_no_win(after, plies - 1);
                return holds.then(|| ending("only-move", other.evaluation, &other.line));
            }
            (Some(Win), Some(Draw)) => draft("only-move", 3, std::slice::from_ref(&own.mv)),
            _ => return None,
        })
    }

    /// The reason of a proven outcome. `found` has the reasons found so far.
    fn outcome(own: &Valued, after: &dyn AnyBoard, found: &[Reason]) -> Option<Reason> {
        let plies = own.evaluation.plies;
        let is_unavoidable = found.iter().any(|draft| ["loses", "forced"].contains(&draft.kind));
        Some(match own.evaluation.outcome? {
            Outcome::Win if plies == Some(1) => {
                let squares = match after.state().status {
                    GameStatus::Won { line, .. } => line,
                    _ => Vec::new(),
                };
                Reason { squares, plies, ..draft("wins", 3, &own.line) }
            }
            Outcome::Win => ending("wins", own.evaluation, &own.line),
            Outcome::Draw => draft("draws", 0, &own.line),
            Outcome::Loss if is_unavoidable => return None,
            Outcome::Loss => ending("allows", own.evaluation, &own.line),
        })
    }

    /// A win that the other side has if this side passes, and has not after the move.
    fn prevented(&self, own: &Valued, after: &dyn AnyBoard) -> Option<Reason> {
        let threat = self.threat.as_ref()?;
        let plies = threat.evaluation.plies.filter(|&plies| plies <= LONGEST_THREAT)?;
        if threat.evaluation.outcome != Some(Outcome::Win) {
            return None;
        }
        let is_safe = own.evaluation.outcome.is_some() || self.searcher.has_no_win(after, plies);
        let first = drawings(&*self.board.passed()?, &threat.line).into_iter().next()?;
        let squares = first.path.into_iter().last().filter(|_| plies == 1).into_iter().collect();
        let stops = draft("prevents", usize::from(plies > 1), &threat.line);
        is_safe.then_some(Reason { squares, plies: Some(plies), ..stops })
    }

    /// The threats of the move: moves that would win at once if the other side passed.
    fn threats(&self, after: &dyn AnyBoard) -> Option<Reason> {
        let wins = self.searcher.immediate_wins(&*after.passed()?);
        let kind = if wins.len() > 1 { "double-threat" } else { "threatens" };
        (!wins.is_empty()).then(|| draft(kind, 0, &wins))
    }

    /// The threat of the other side, where it is a win or a gain of material.
    pub(crate) fn threat_reason(&self) -> Option<Reason> {
        let threat = self.threat.as_ref()?;
        let passed = self.board.passed()?;
        let evaluation = threat.evaluation;
        let draft = if evaluation.outcome == Some(Outcome::Win) && evaluation.plies.is_some() {
            ending("threat", evaluation, &threat.line)
        } else {
            let exchange = self.searcher.exchange(&*passed, &[])?;
            let Exchange { gain, line } = self.searcher.first_gain(&*passed, &exchange)?;
            worth(gain, draft("threat", 3, &line))
        };
        Some(told(draft, &threat.mv, &Pieces::new(self.board, self.board)))
    }
}

/// The expected points that a move costs beside the best other one. Since points hardly differ in a decided game, scores that
/// differ much cost half of a mistake at least.
fn cost(best: Evaluation, own: Evaluation) -> f64 {
    /// A difference of scores, in units of the score at which three quarters of the points are expected.
    const MUCH: f64 = 0.5;
    let scores = f64::from(best.score.saturating_sub(own.score)) / f64::from(own.half_value);
    let least = if scores >= MUCH { LEAST_LOSS / 2.0 } else { f64::MIN };
    (best.expected_points() - own.expected_points()).max(least)
}

fn is_faulty(drafts: &[Reason]) -> bool {
    drafts.iter().any(|draft| FAULTS.contains(&draft.kind))
}
