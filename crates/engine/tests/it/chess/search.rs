//! What the searches make of chess: the same, whatever they prune.

use bestmove_engine::game::{
    DRAWING_OCCURRENCE, Evaluator, Game, History, Notation, Outcome, Position, SelectiveHooks,
    SolverHooks,
};
use bestmove_engine::games;
use bestmove_engine::games::any::SearchParameters;
use bestmove_engine::games::chess::{Chess, ChessBoard};
use bestmove_engine::search::{self, Algorithm, Report, SearchLimits, StoppedBy, Task};
use proptest::prelude::*;

use super::{Move, chosen, read};
use crate::{cases, evaluator, knowledge};

/// Where random games begin, each with the depth that the textbook's search can look ahead.
const ENDGAMES: [(&str, u32); 9] = [
    // Kings on narrow ways between pawns that block each other: positions come back all the time.
    ("k7/p1p5/P1P5/2P5/8/5p1p/5P1P/7K w - - 0 1", 7),
    ("1k6/p1p5/P1P5/8/8/2p3p1/2P3P1/b5K1 b - - 0 1", 5),
    // Checks, promotion, captures en passant, castling, dead material.
    ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", 5),
    ("4k3/3p4/8/8/4P3/8/8/4K3 w - - 0 1", 5),
    ("8/P7/8/8/8/2k5/7p/2K5 w - - 0 1", 4),
    ("k7/8/1K6/8/8/8/8/5Q2 w - - 0 1", 4),
    ("8/8/8/2k5/4n3/8/3B4/2K5 w - - 0 1", 4),
    ("4k2r/8/8/8/8/8/6p1/4K2R w Kk - 0 1", 3),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2),
];

/// An evaluator for tests: a number drawn by the position, so that hardly two positions look equal
/// and no wrong value goes unnoticed.
pub(super) struct Whim;

impl Evaluator<ChessBoard> for Whim {
    type Accumulator = ();

    fn score(&self, board: &ChessBoard) -> i32 {
        (board.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as i32 - 512
    }
}

impl SelectiveHooks<ChessBoard> for Whim {}

impl SolverHooks<ChessBoard> for Whim {}

/// A game whose history may matter: the position, and what led to it.
#[derive(Clone, Debug)]
struct Played {
    board: ChessBoard,
    history: History,
    depth: u32,
}

impl Played {
    fn play(&mut self, choice: u16) {
        if let Some(mv) = chosen(&self.board, choice) {
            self.history.played(self.board.key());
            self.board = self.board.play(mv);
        }
    }

    /// Plays on by these choices, each left out where it would end the game.
    fn after(mut self, choices: Vec<u16>) -> Self {
        for choice in choices {
            let mut next = self.clone();
            next.play(choice);
            if next.is_ongoing() {
                self = next;
            }
        }
        self
    }

    /// Whether there is something to search.
    fn is_ongoing(&self) -> bool {
        let (key, reversible) = (self.board.key(), self.board.reversible_plies());
        self.board.outcome().is_none()
            && self.board.plies_to_forced_draw() != Some(0)
            && self.history.occurrences(key, reversible) + 1 < DRAWING_OCCURRENCE
    }

    fn searched(
        &self,
        algorithm: Algorithm,
        evaluator: &(impl SelectiveHooks<ChessBoard> + SolverHooks<ChessBoard>),
    ) -> Report<Move> {
        let task = Task::new(self.board.clone(), SearchLimits::depth(self.depth), algorithm);
        let task = Task { history: self.history.clone(), ..task };
        search::run(&task, evaluator)
    }

    fn assert_pruned_exactly(
        &self,
        evaluator: &(impl SelectiveHooks<ChessBoard> + SolverHooks<ChessBoard>),
    ) {
        let answer = |algorithm| {
            let report = self.searched(algorithm, evaluator);
            (report.score(), report.outcome, report.best_move(), report.depth)
        };
        assert_eq!(answer(Algorithm::AlphaBeta), answer(Algorithm::Minimax));
    }
}

/// Games in which positions have come back and the fifty moves may soon be full, or are.
fn played() -> impl Strategy<Value = Played> {
    let choices = prop::collection::vec(any::<u16>(), 0..60);
    let clock = prop_oneof![Just(0_u8), 60..150_u8];
    (prop::sample::select(&ENDGAMES), clock, choices).prop_map(|((fen, depth), clock, choices)| {
        let board = read(&fen.replace(" 0 1", &format!(" {clock} 70")));
        Played { board, history: History::default(), depth }.after(choices)
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn alpha_beta_finds_what_the_textbook_finds(played in played()) {
        if played.is_ongoing() {
            played.assert_pruned_exactly(&evaluator::<Chess>("material"));
            played.assert_pruned_exactly(&Whim);
        }
    }
}

/// Where short mates are common: open kings, and more pieces than one side can hold off.
const BATTLES: [&str; 6] = [
    "4k3/8/8/8/8/8/8/QR2K3 w - - 0 1",
    "r1bq2k1/ppp2ppp/2np4/2b1p3/2B1P1nQ/2NP4/PPP2PPP/R1B1K2R w KQ - 0 1",
    "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1",
    "3rk3/8/8/3q4/8/8/3QP3/3RK3 b - - 0 1",
    "8/8/8/1p3k2/1P6/3r2p1/3P2P1/4R1K1 b - - 0 1",
    "7k/5Q2/8/8/8/8/2r5/K7 b - - 0 1",
];

/// A game from one of the battles, its counter near the draw now and then.
fn battle() -> impl Strategy<Value = Played> {
    let choices = prop::collection::vec(any::<u16>(), 0..40);
    let clock = prop_oneof![Just(0_u8), 88..100_u8];
    (prop::sample::select(&BATTLES), clock, choices).prop_map(|(fen, clock, choices)| {
        let board = read(&fen.replace(" 0 1", &format!(" {clock} 70")));
        Played { board, history: History::default(), depth: 4 }.after(choices)
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_mate_that_the_selective_search_reports_is_one(played in battle()) {
        prop_assume!(played.is_ongoing());
        for evaluator in [&evaluator::<Chess>("material") as &dyn Judge, &Whim] {
            let report = evaluator.searched(&played, Algorithm::Selective);
            prop_assert_eq!(&report, &evaluator.searched(&played, Algorithm::Selective));
            let Some(plies) = report.score().plies().filter(|&plies| plies <= 5) else { continue };
            let exact = Played { depth: plies, ..played.clone() };
            let proven = evaluator.searched(&exact, Algorithm::AlphaBeta);
            prop_assert_eq!(proven.outcome, report.outcome);
            prop_assert!(proven.score().plies() <= Some(plies), "an upper bound");
        }
    }
}

#[test]
fn the_line_of_a_search_that_is_cut_short_can_be_played() {
    for fen in BATTLES {
        let root = read(fen);
        for nodes in (1_000..4_000).step_by(23) {
            let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::depth(64) };
            let task = Task::new(root.clone(), limits, Algorithm::Selective);
            let report = search::run(&task, &evaluator::<Chess>("material"));
            assert!(report.nodes <= nodes);
            let mut board = root.clone();
            for mv in report.principal_variation() {
                assert!(board.legal_moves().any(|legal| legal == mv), "{fen}, {nodes} nodes");
                board = board.play(mv);
            }
        }
    }
}

#[test]
fn a_soft_limit_ends_a_search_after_the_depth_that_reaches_it() {
    let search = |limits| {
        search::run(
            &Task::new(Chess::Standard.start(), limits, Algorithm::Selective),
            &evaluator::<Chess>("material"),
        )
    };
    let whole = search(SearchLimits::depth(6));
    for soft in [whole.nodes, whole.nodes - 1] {
        let report = search(SearchLimits { soft_nodes: Some(soft), ..SearchLimits::depth(64) });
        assert_eq!(report.variations, whole.variations);
        let expected = (whole.depth, whole.nodes, StoppedBy::Nodes);
        assert_eq!((report.depth, report.nodes, report.stopped_by), expected);
    }
    let more =
        search(SearchLimits { soft_nodes: Some(whole.nodes + 1), ..SearchLimits::depth(64) });
    assert!(more.depth > whole.depth);
}

#[test]
fn searches_with_another_soft_limit_have_another_key() {
    let board = games::find("chess").expect("a game").board(None, &[]).expect("the start");
    let key = |soft_nodes| {
        let parameters = SearchParameters { soft_nodes, ..SearchParameters::default() };
        board.search(&parameters, knowledge()).expect("a search").key()
    };
    assert!(key(Some(1000)) != key(Some(2000)));
    assert!(key(Some(1000)) == key(Some(1000)));
}

/// Of these moves `Kd1` loses within four plies, and a search has it first when it begins a new depth.
#[test]
fn a_loss_is_one_by_all_moves_where_a_limit_interrupts() {
    let root = read("r7/8/3k4/8/1b2r3/8/2K5/6b1 w - - 26 138");
    let others = |mv: &Move| Chess::write_move(&root, *mv).text != "c2d3";
    let moves: Vec<_> = root.legal_moves().filter(others).collect();
    let found = |nodes, depth, algorithm| {
        let limits = SearchLimits { nodes, ..SearchLimits::depth(depth) };
        let task = Task { moves: moves.clone(), ..Task::new(root.clone(), limits, algorithm) };
        search::run(&task, &evaluator::<Chess>("full"))
    };
    assert_eq!(found(None, 6, Algorithm::AlphaBeta).outcome, None, "no loss within six plies");
    let short = |&nodes: &u64| {
        let report = found(Some(nodes), 64, Algorithm::Selective);
        report.outcome == Some(Outcome::Loss) && report.score().plies() <= Some(6)
    };
    assert_eq!((1_000..20_000).step_by(100).find(short), None, "nodes of a search that claims one");
}

/// An evaluator without its type.
trait Judge {
    fn searched(&self, played: &Played, algorithm: Algorithm) -> Report<Move>;
}

impl<E: SelectiveHooks<ChessBoard> + SolverHooks<ChessBoard>> Judge for E {
    fn searched(&self, played: &Played, algorithm: Algorithm) -> Report<Move> {
        played.searched(algorithm, self)
    }
}

fn best(fen: &str, depth: u32) -> (String, Option<Outcome>, Option<u32>) {
    let board = read(fen);
    let task = Task::new(board.clone(), SearchLimits::depth(depth), Algorithm::AlphaBeta);
    let report = search::run(&task, &evaluator::<Chess>("material"));
    (Chess::write_move(&board, report.best_move()).text, report.outcome, report.score().plies())
}

#[test]
fn a_mate_is_found_and_proven() {
    let back_rank = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
    assert_eq!(best(back_rank, 3), ("e1e8".to_owned(), Some(Outcome::Win), Some(1)));
    let two_rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    assert_eq!(best(two_rooks, 5), ("b1g1".to_owned(), Some(Outcome::Win), Some(3)));
}

#[test]
fn a_mate_on_the_hundredth_ply_comes_before_the_draw() {
    let (uci, outcome, plies) = best("6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 90", 3);
    assert_eq!((uci.as_str(), outcome, plies), ("e1e8", Some(Outcome::Win), Some(1)));
}

#[test]
fn a_draw_by_dead_material_is_proven_and_one_by_the_counter_is_not() {
    let forced_capture = "7k/8/8/8/8/8/6q1/7K w - - 0 1";
    assert_eq!(best(forced_capture, 3), ("h1g2".to_owned(), Some(Outcome::Draw), None));
    let last_ply = "7k/8/8/8/8/8/8/K5R1 w - - 99 90";
    assert_eq!(best(last_ply, 3).1, None);
}

#[test]
fn a_loss_that_checks_show_beyond_the_depth_is_resisted() {
    let lost_in_six = "1rb3r1/p1p1bp2/B2Pp2p/1p4Nk/6n1/P1PP1P2/NPq3KP/1RB2R2 w - - 1 20";
    let lost_in_eight = "1B1kn1r1/8/r2P4/1P1pp3/8/PK3q2/1R2q3/QN5R w - - 3 60";
    for (fen, depth) in [(lost_in_six, 1), (lost_in_eight, 2), (lost_in_eight, 3)] {
        let task = Task::new(read(fen), SearchLimits::depth(depth), Algorithm::Selective);
        let report = search::run(&task, &evaluator::<Chess>("full"));
        assert_eq!(report.outcome, Some(Outcome::Loss), "{fen}, depth {depth}");
        assert!(report.score().plies() > Some(depth + 1), "{fen}, depth {depth}");
    }
}
