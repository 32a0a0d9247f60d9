//! Late positions of every variant against plain minimax by the rules alone: outcome, distance and move of every
//! algorithm. A proof's distance is the longest defence. Othello's margins have tests of their own.

use bestmove_engine::game::{Game, Outcome, Position, Score, SelectiveHooks, SolverHooks};
use bestmove_engine::games::all_variants;
use bestmove_engine::games::any::{AnyBoard, AnyGame, GameStatus, SearchParameters};
use bestmove_engine::games::checkers::Checkers;
use bestmove_engine::games::chess::Chess;
use bestmove_engine::games::connect_four::{ConnectFour, SizedConnectFour};
use bestmove_engine::games::tic_tac_toe::TicTacToe;
use bestmove_engine::search::{self, Algorithm, Report, SearchLimits, Task};

use crate::{evaluator, knowledge, stride};

/// The random positions of each variant.
const POSITIONS: usize = 150;

/// The most positions below one that plain minimax looks at.
const MOST_NODES: u64 = 20_000;

/// What plain minimax finds of a side to move: the outcome and the plies to it. Ordered from the soonest loss to the
/// soonest win; what the depth leaves open lies between, as a draw does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Value(i32);

impl Value {
    const LOST: Self = Self(-1000);

    fn ended(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self(1000),
            Outcome::Draw => Self(0),
            Outcome::Loss => Self::LOST,
        }
    }

    /// The value for the side that moved to this position.
    fn before(self) -> Self {
        Self(-(self.0 - self.0.signum()))
    }

    /// The plies of a win, or a loss.
    fn plies(self) -> Option<u32> {
        (self.0 != 0).then(|| (1000 - self.0.abs()) as u32)
    }
}

/// The value of a position, as far as `depth` plies show it; `None` beyond the most nodes.
fn plain<P: Position>(position: &P, depth: u32, nodes: &mut u64) -> Option<Value> {
    if let Some(outcome) = position.outcome() {
        return Some(Value::ended(outcome));
    }
    if depth == 0 {
        return Some(Value(0));
    }
    let mut best = Value::LOST;
    for mv in position.legal_moves() {
        *nodes += 1;
        if *nodes > MOST_NODES {
            return None;
        }
        best = best.max(plain(&position.play(mv), depth - 1, nodes)?.before());
    }
    Some(best)
}

/// Each move with its value.
fn plain_values<P: Position>(position: &P, depth: u32) -> Option<Vec<(P::Move, Value)>> {
    let mut nodes = 0;
    let moves = position.legal_moves().into_iter();
    moves.map(|mv| Some((mv, plain(&position.play(mv), depth - 1, &mut nodes)?.before()))).collect()
}

/// A position of a random game that goes on, `before_end` plies before the last one. Where the board fills up, moves end
/// the game only where all of them do, so that positions are late.
fn random_position<P: Position>(start: P, before_end: usize, random: &mut fastrand::Rng) -> P {
    let fills_up = start.plies_left().is_some();
    let mut path = vec![start];
    while path.len() < 300 {
        let position = &path[path.len() - 1];
        let mut children: Vec<_> =
            position.legal_moves().into_iter().map(|mv| position.play(mv)).collect();
        if fills_up {
            children.retain(|child| child.outcome().is_none());
        }
        let Some(child) = random.choice(children).filter(|child| child.outcome().is_none()) else {
            break;
        };
        path.push(child);
    }
    path.swap_remove(path.len().saturating_sub(1 + before_end))
}

/// A position with what plain minimax says of its moves.
struct Late<P: Position> {
    name: String,
    position: P,
    depth: u32,
    values: Vec<(P::Move, Value)>,
}

impl<P: Position> Late<P> {
    fn best(&self) -> Value {
        self.values.iter().map(|&(_, value)| value).max().expect("a move")
    }

    fn value(&self, mv: P::Move) -> Value {
        self.values.iter().find(|&&(legal, _)| legal == mv).expect("a legal move").1
    }

    fn report<E: Hooks<P>>(
        &self,
        algorithm: Algorithm,
        top: usize,
        evaluator: &E,
    ) -> Report<P::Move> {
        let task = Task::new(self.position.clone(), SearchLimits::depth(self.depth), algorithm);
        search::run(&Task { top, ..task }, evaluator)
    }

    /// The outcome, the distance and the move of an algorithm that leaves nothing out, alone and among all moves.
    fn check_exact<E: Hooks<P>>(&self, algorithm: Algorithm, evaluator: &E) {
        let Self { name, values, .. } = self;
        for top in [1, values.len()] {
            let found = self.report(algorithm, top, evaluator);
            let mv = found.best_move();
            assert_eq!(
                told(found.outcome, found.score()),
                self.best().plies(),
                "{algorithm:?}: {name}"
            );
            assert_eq!(self.value(mv), self.best(), "{algorithm:?}: {name}");
            let first = values.iter().find(|&&(_, value)| value == self.best());
            // The prover has its own order, and a tie-break chooses among losing moves.
            if self.best() > Value(0) && algorithm != Algorithm::Solve {
                assert_eq!(first.map(|&(first, _)| first), Some(mv), "{algorithm:?}: {name}");
            }
            for variation in &found.variations {
                let plies = self.value(variation.mv).plies();
                assert_eq!(
                    told(variation.outcome, variation.score),
                    plies,
                    "{algorithm:?}: {name}"
                );
            }
        }
    }

    /// What a selective search proves is true, as far as plain minimax sees.
    fn check_selective<E: Hooks<P>>(&self, evaluator: &E) {
        let found = self.report(Algorithm::Selective, 1, evaluator);
        let Some(told) = told(found.outcome, found.score()).filter(|&told| told <= self.depth)
        else {
            return;
        };
        let true_plies = self.best().plies();
        let is_true = if found.plies_are_bound(found.score()) {
            true_plies.is_some_and(|plies| plies <= told)
        } else {
            true_plies == Some(told)
        };
        assert!(is_true, "told {told}, {true_plies:?} is true: {}", self.name);
    }
}

trait Hooks<P: Position>: SelectiveHooks<P> + SolverHooks<P> {}

impl<P: Position, E: SelectiveHooks<P> + SolverHooks<P>> Hooks<P> for E {}

/// The plies of a win or a loss that is proven.
fn told(outcome: Option<Outcome>, score: Score) -> Option<u32> {
    outcome.and_then(|_| score.plies())
}

/// A late position of the game, unless plain minimax would look at too many.
fn late<G: Game>(
    game: &G,
    depth: Option<u32>,
    random: &mut fastrand::Rng,
) -> Option<Late<G::Position>> {
    let before_end = random.usize(..depth.map_or(8, |depth| depth as usize));
    let position = random_position(game.start(), before_end, random);
    let depth = depth.or(position.plies_left())?;
    let values = plain_values(&position, depth)?;
    // The rules alone do not tell who claims a draw.
    let is_open = position.plies_to_draw().is_none_or(|plies| plies > depth);
    let name = format!("{} {}", game.game_info().variant, G::write_position(&position));
    is_open.then_some(Late { name, position, depth, values })
}

/// Tries every variant. Where no depth ends the game, plain minimax looks at `depth` plies.
fn check<G: Game>(depth: Option<u32>) {
    for game in G::VARIANTS {
        let evaluator = evaluator::<G>(game.game_info().evaluators[0].0);
        let mut random = fastrand::Rng::with_seed(75);
        let (mut tried, mut decided) = (0, 0);
        while tried < POSITIONS.div_ceil(stride()) {
            let Some(late) = late(game, depth, &mut random) else { continue };
            late.check_exact(Algorithm::Minimax, &evaluator);
            late.check_exact(Algorithm::AlphaBeta, &evaluator);
            if late.position.plies_left().is_some() {
                late.check_exact(Algorithm::Solve, &evaluator);
            }
            late.check_selective(&evaluator);
            tried += 1;
            decided += usize::from(late.best().plies().is_some());
        }
        assert!(decided > 0, "{}", game.game_info().variant);
    }
}

#[test]
fn tic_tac_toe_is_told_as_plain_minimax_tells_it() {
    check::<TicTacToe>(None);
}

#[test]
fn connect_four_is_told_as_plain_minimax_tells_it() {
    check::<ConnectFour>(None);
    check::<SizedConnectFour>(None);
}

#[test]
fn checkers_is_told_as_plain_minimax_tells_it() {
    check::<Checkers>(Some(5));
}

#[test]
fn chess_is_told_as_plain_minimax_tells_it() {
    check::<Chess>(Some(3));
}

/// The nodes of a proof that a default search finds too.
const CHEAP_PROOF: u64 = 100_000;

/// A position after random moves, in the second half of the game.
fn random_board(game: &dyn AnyGame, random: &mut fastrand::Rng) -> Box<dyn AnyBoard> {
    let plies = game.info().max_depth as usize;
    let mut board = game.board(None, &[]).expect("the start");
    for _ in 0..random.usize(plies / 2..plies) {
        let mut moves = board.legal_moves();
        moves.retain(|mv| mv.status == GameStatus::Ongoing);
        let Some(mv) = random.choice(moves) else { break };
        board = board.after(&mv.mv.text, 0).expect("a legal move");
    }
    board
}

#[test]
fn a_default_is_never_weaker_than_a_cheap_proof() {
    let mut random = fastrand::Rng::with_seed(12);
    for game in all_variants() {
        if !game.algorithms().contains(&Algorithm::Solve) {
            continue;
        }
        for _ in 0..40_usize.div_ceil(stride()) {
            let board = random_board(*game, &mut random);
            let answer = |parameters: SearchParameters| {
                board.search(&parameters, knowledge()).expect("a search").run(&false.into())
            };
            let solve = SearchParameters {
                algorithm: Some(Algorithm::Solve),
                nodes: Some(CHEAP_PROOF),
                ..SearchParameters::default()
            };
            let proven = answer(solve).evaluation.outcome;
            if proven.is_some() {
                let told = answer(SearchParameters::default());
                let (variant, position) = (game.info().variant, board.state().position);
                assert_eq!(told.evaluation.outcome, proven, "{variant}: {position}: {told:?}");
            }
        }
    }
}
